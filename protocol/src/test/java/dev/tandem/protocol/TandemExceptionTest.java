package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TandemExceptionTest {
    @Test
    void aPlainErrorHasNoDetails() {
        assertThat(TandemException.of(ErrorCode.UNAUTHORIZED).toJson())
                .isEqualTo(
                        Json.parse(
                                "{\"code\":\"unauthorized\",\"message\":\"The token is missing or not valid here.\","
                                        + "\"retryable\":false}"));
    }

    @Test
    void theHintFollowsTheReason() {
        assertThat(new TandemException(ErrorCode.EXECUTION_FAILED, "m", "dialog_open").hint())
                .isEqualTo("Answer the dialog with the dialog tool first.");
        assertThat(new TandemException(ErrorCode.EXECUTION_FAILED, "m", "strange").hint())
                .isEqualTo(ErrorCode.EXECUTION_FAILED.hint());
        assertThat(
                        new TandemException(ErrorCode.EXECUTION_FAILED, "m")
                                .with("hint", "Wait.")
                                .hint())
                .isEqualTo("Wait.");
    }

    @Test
    void survivesTheWire() {
        var sent =
                new TandemException(
                        ErrorCode.NOT_OWNER, "Client does not own session", "other_client");
        var read = TandemException.fromJson(sent.toJson());
        assertThat(read.code()).isEqualTo(ErrorCode.NOT_OWNER);
        assertThat(read.reason()).contains("other_client");
        assertThat(read.toJson()).isEqualTo(sent.toJson());
    }

    @Test
    void aCodeThatIsNotOursBecomesExecutionFailedAndIsKept() {
        var read =
                TandemException.fromJson(Json.parse("{\"code\":\"flux\",\"details\":{\"a\":1}}"));
        assertThat(read.code()).isEqualTo(ErrorCode.EXECUTION_FAILED);
        assertThat(read.message()).isEqualTo(ErrorCode.EXECUTION_FAILED.message());
        assertThat(read.details()).isEqualTo(Json.parse("{\"a\":1,\"code\":\"flux\"}"));
    }

    @Test
    void detailsCannotBeChangedFromOutside() {
        var details = Json.object().put("reason", "a");
        var error = new TandemException(ErrorCode.TIMEOUT, "m", details);
        details.put("reason", "b");
        error.details().put("reason", "c");
        error.with("more", "x");
        assertThat(error.toJson().get("details")).isEqualTo(Json.parse("{\"reason\":\"a\"}"));
    }

    @Test
    void onlyOurOwnMistakesCarryAStackTrace() {
        assertThat(TandemException.of(ErrorCode.INTERNAL).getStackTrace()).isNotEmpty();
        assertThat(TandemException.of(ErrorCode.INVALID_REQUEST).getStackTrace()).isEmpty();
        Tool tool = Catalogue.load().byName("click").orElseThrow();
        TandemException first = TandemException.of(ErrorCode.INTERNAL);
        assertThat(first.of(tool).getStackTrace()).isEqualTo(first.getStackTrace());
    }

    // OPS-C6, W10: on the wire one of the closed list, in a tool's result and at the shell its own
    @Test
    void aToolsOwnCodeComesBackFromTheDetails() {
        var read =
                TandemException.fromJson(
                        Json.parse(
                                "{\"code\":\"invalid_request\",\"message\":\"Provide either ref or"
                                        + " until\",\"details\":{\"toolCode\":\"wait_invalid\"}}"));
        assertThat(read.code()).isEqualTo(ErrorCode.WAIT_INVALID);
        assertThat(read.hint()).startsWith("Give exactly one of until");
        assertThat(read.details().has("toolCode")).isFalse();
    }
}
