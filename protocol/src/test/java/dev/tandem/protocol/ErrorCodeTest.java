package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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

    // OPS-15: a remedy that works; beside a running hub `tandem up` is refused
    @Test
    void onlyWhatIsToldWithoutAHubAdvisesToStartOne() {
        List<String> advising = new ArrayList<>();
        for (ErrorCode code : ErrorCode.values()) {
            if (code.hint().contains("tandem up")) {
                advising.add(code.code());
            }
            code.reasons()
                    .forEach((reason, hint) -> {
                        if (hint.contains("tandem up")) {
                            advising.add(code.code() + " " + reason);
                        }
                    });
        }
        assertThat(advising)
                .containsExactlyInAnyOrder(
                        "hub_unreachable", "status_failed", "ops_unavailable hub_stopping");
    }

    static Stream<JsonNode> retries() {
        return Json.resourceTree("messages/golden/retry.json").valueStream();
    }

    @ParameterizedTest
    @MethodSource("retries")
    @DisplayName(
            "OPS-126, OPS-127 (Java half): retryable when the cause passes and nothing can happen twice")
    void retryableFollowsCauseToolAndDispatch(JsonNode golden) {
        String code = golden.get("code").asString();
        var details = (ObjectNode) golden.get("details");
        var failure = new TandemException(ErrorCode.of(code).orElseThrow(), "text", details);
        var tools =
                Catalogue.load().tools().stream()
                        .filter(tool -> tool.idempotent() == golden.get("idempotent").asBoolean())
                        .toList();
        assertThat(tools).hasSizeGreaterThan(10);
        for (Tool tool : tools) {
            var json = failure.of(tool).toJson();
            assertThat(json.get("code").asString()).isEqualTo(code);
            assertThat(json.get("message").asString()).isEqualTo("text");
            assertThat(json.get("retryable")).as(tool.name()).isEqualTo(golden.get("retryable"));
            assertThat(json.path("details").size()).isEqualTo(details.size());
            assertThat(json.get("toolCode").asString()).isEqualTo(tool.name() + "_failed");
        }
    }

    @Test
    void everyCodeOfTheWireHasAGoldenRetry() {
        assertThat(retries().map(golden -> golden.get("code").asString())).containsAll(WIRE);
    }
}
