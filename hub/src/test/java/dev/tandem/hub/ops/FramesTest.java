package dev.tandem.hub.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class FramesTest {
    private static ObjectNode error(TandemException failure) {
        ObjectNode head = Json.object().put("requestId", "r1");
        return (ObjectNode) Json.parse(new Frames(4096).error(head, failure)).path("error");
    }

    // only the closed list of codes travels; the cause is in the details
    @ParameterizedTest
    @CsvSource({
        "unsupported_mode, not_supported, unsupported_mode",
        "permission_timeout, timeout, permission_timeout",
        "usage, invalid_request, usage",
        "wait_invalid, invalid_request, wait_invalid",
        "extension_not_connected, ops_unavailable, extension_not_connected",
        "launch_failed, execution_failed, launch_failed",
        "snapshot_too_large, not_supported, payload_too_large"
    })
    void codesOfTheHubHaveAFaceOnTheWire(String code, String face, String reason) {
        ObjectNode error = error(TandemException.of(ErrorCode.of(code).orElseThrow()));
        assertThat(error.path("code").asString()).isEqualTo(face);
        assertThat(error.path("details").path("reason").asString()).isEqualTo(reason);
    }

    // OPS-127: as at every other door
    @ParameterizedTest
    @CsvSource({
        "permission_timeout, snapshot, true",
        "permission_timeout, click, true",
        "extension_not_connected, click, true",
        "launch_failed, click, true",
        "killed, snapshot, false",
        "internal, snapshot, false"
    })
    void anotherFaceDoesNotChangeWhetherTryingAgainHelps(
            String code, String tool, boolean retryable) {
        TandemException failure =
                TandemException.of(ErrorCode.of(code).orElseThrow())
                        .of(Catalogue.load().byName(tool).orElseThrow());
        assertThat(error(failure).path("retryable").asBoolean()).isEqualTo(retryable);
    }

    @Test
    void aReasonThatIsThereStays() {
        ObjectNode error = error(new TandemException(ErrorCode.USAGE, "No.", "wrong_type"));
        assertThat(error.path("details").path("reason").asString()).isEqualTo("wrong_type");
        assertThat(error.path("message").asString()).isEqualTo("No.");
    }
}
