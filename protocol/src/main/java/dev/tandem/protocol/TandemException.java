package dev.tandem.protocol;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An error with a code of the closed list; every edge shows it in its own way. */
public final class TandemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient ObjectNode details;
    private final boolean idempotent;
    private final String toolCode;

    public TandemException(ErrorCode code, String message) {
        this(code, message, Json.object());
    }

    /** With {@code details.reason}, one of the code's reasons in errors.json. */
    public TandemException(ErrorCode code, String message, String reason) {
        this(code, message, Json.object().put("reason", reason));
    }

    public TandemException(ErrorCode code, String message, ObjectNode details) {
        this(code, message, details, false, "");
    }

    private TandemException(
            ErrorCode code,
            String message,
            ObjectNode details,
            boolean idempotent,
            String toolCode) {
        super(message, null, false, code.kind() == ErrorCode.Kind.INTERNAL);
        this.code = code;
        this.details = details.deepCopy();
        this.idempotent = idempotent;
        this.toolCode = toolCode;
    }

    /** With the code's own sentence. */
    public static TandemException of(ErrorCode code) {
        return new TandemException(code, code.message());
    }

    /**
     * Reads the error object of a message; a code that is not ours becomes {@code
     * execution_failed}. A tool's own code, which the wire has no word for, is in the details.
     */
    public static TandemException fromJson(JsonNode error) {
        String word = Json.text(error, "code").orElse("");
        Optional<ErrorCode> known = ErrorCode.of(word);
        ObjectNode details =
                error.path("details") instanceof ObjectNode given ? given : Json.object();
        if (known.isEmpty()) {
            details = details.deepCopy().put("code", word);
        }
        Optional<ErrorCode> own = Json.text(details, "toolCode").flatMap(ErrorCode::of);
        if (own.isPresent()) {
            details = details.deepCopy();
            details.remove("toolCode");
        }
        ErrorCode code = own.or(() -> known).orElse(ErrorCode.EXECUTION_FAILED);
        return new TandemException(
                code, Json.text(error, "message").orElse(code.message()), details);
    }

    /** The same error as the failure of that tool: says whether the call may be repeated. */
    public TandemException of(Tool tool) {
        return withTrace(
                new TandemException(
                        code, message(), details, tool.idempotent(), tool.name() + "_failed"));
    }

    /** The same error with one more detail. */
    public TandemException with(String name, JsonNode value) {
        ObjectNode more = details.deepCopy();
        more.set(name, value);
        return withTrace(new TandemException(code, message(), more, idempotent, toolCode));
    }

    public TandemException with(String name, String value) {
        return with(name, Json.object().stringNode(value));
    }

    public ErrorCode code() {
        return code;
    }

    public String message() {
        return String.valueOf(getMessage());
    }

    public Optional<String> reason() {
        return Json.text(details, "reason");
    }

    public ObjectNode details() {
        return details.deepCopy();
    }

    /** What to do, for this reason. */
    public String hint() {
        return Json.text(details, "hint").orElseGet(() -> code.hint(reason().orElse("")));
    }

    /** The cause is passing, and the call may be sent twice or was never dispatched. */
    public boolean retryable() {
        JsonNode dispatched = details.path("dispatched");
        return switch (code.retry()) {
            case NO -> false;
            case YES -> idempotent || !dispatched.asBoolean(false);
            case IDEMPOTENT ->
                    (idempotent || !dispatched.asBoolean(true))
                            && !ErrorTable.lasts(reason().orElse(""));
        };
    }

    /** The error object of the wire: {@code {code, message, retryable, details?, toolCode?}}. */
    public ObjectNode toJson() {
        ObjectNode json = Json.object();
        json.put("code", code.code());
        json.put("message", message());
        json.put("retryable", retryable());
        if (!details.isEmpty()) {
            json.set("details", details.deepCopy());
        }
        if (!toolCode.isEmpty()) {
            json.put("toolCode", toolCode);
        }
        return json;
    }

    private TandemException withTrace(TandemException copy) {
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
