package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
    private static final List<String> WIRE =
            List.of(
                    "ops_unavailable",
                    "invalid_request",
                    "invalid_session",
                    "not_owner",
                    "restricted_url",
                    "timeout",
                    "not_supported",
                    "execution_failed",
                    "cdp_attach_failed",
                    "cdp_session_lost",
                    "cdp_attach_blocked",
                    "parallelism_backpressure",
                    "snapshot_too_large");

    @Test
    @DisplayName("OPS-154 (Java half): constants and errors.json are the same closed list")
    void constantsAndDataAreOneList() {
        Set<String> constants =
                new TreeSet<>(Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
        assertThat(ErrorTable.rows().keySet()).containsExactlyInAnyOrderElementsOf(constants);
        assertThat(Arrays.stream(ErrorCode.values()).filter(ErrorCode::wire).map(ErrorCode::code))
                .containsExactlyElementsOf(WIRE);
        assertThat(ErrorCode.of("SKILL_NOT_FOUND")).contains(ErrorCode.SKILL_NOT_FOUND);
        assertThat(ErrorCode.of("skill_not_found")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasAFaceOnEveryEdge(ErrorCode code) {
        assertThat(code.http()).isBetween(400, 599);
        assertThat(code.exit()).isIn(1, 2, 10);
        assertThat(code.message()).isNotBlank().hasSizeLessThan(120);
        assertThat(code.hint()).endsWith(".").hasSizeLessThan(160);
        assertThat(code.reasons().values()).allMatch(hint -> hint.endsWith("."));
        boolean standard =
                code.jsonrpc() == -32700 || (code.jsonrpc() <= -32600 && code.jsonrpc() >= -32603);
        assertThat(standard || code.jsonrpc() > -32000).as("JSON-RPC %d", code.jsonrpc()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        // code, reason, idempotent tool, dispatched (or nothing), retryable
        "ops_unavailable,extension_disconnected,false,,true",
        "ops_unavailable,extension_disconnected,false,true,false",
        "ops_unavailable,extension_disconnected,true,true,true",
        "parallelism_backpressure,,false,,true",
        "timeout,wait,true,,true",
        "timeout,navigation,false,,false",
        "timeout,navigation,false,false,true",
        "execution_failed,covered,false,,false",
        "execution_failed,covered,true,,true",
        "execution_failed,permission_denied,true,,false",
        "execution_failed,cancelled,true,,false",
        "cdp_session_lost,canceled_by_user,true,,false",
        "cdp_session_lost,replaced,true,,true",
        "invalid_request,unknown_ref,true,false,false",
        "not_owner,other_client,true,,false"
    })
    @DisplayName(
            "OPS-126, OPS-127 (Java half): retryable when the cause passes and nothing can happen twice")
    void retryableFollowsCauseToolAndDispatch(
            String code, String reason, boolean idempotent, Boolean dispatched, boolean retryable) {
        var details = Json.object().put("reason", reason);
        if (dispatched != null) {
            details.put("dispatched", dispatched.booleanValue());
        }
        Tool tool = Catalogue.load().byName(idempotent ? "snapshot" : "click").orElseThrow();
        var json =
                new TandemException(ErrorCode.of(code).orElseThrow(), "text", details)
                        .of(tool)
                        .toJson();
        assertThat(json.get("code").asString()).isEqualTo(code);
        assertThat(json.get("message").asString()).isEqualTo("text");
        assertThat(json.get("retryable").asBoolean()).isEqualTo(retryable);
        assertThat(json.get("details")).isEqualTo(details);
        assertThat(json.get("toolCode").asString()).isEqualTo(tool.name() + "_failed");
    }
}
