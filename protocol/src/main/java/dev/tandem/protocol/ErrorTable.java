package dev.tandem.protocol;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The rows of errors.json. */
final class ErrorTable {
    record Row(
            String code,
            ErrorCode.Kind kind,
            ErrorCode.Retry retry,
            int http,
            int jsonrpc,
            int exit,
            String message,
            String hint,
            boolean wire,
            Map<String, String> reasons) {}

    private static final Map<String, Row> ROWS = read();
    private static final Set<String> LASTING =
            Set.copyOf(Json.texts(Json.resource("errors.json"), "lasting"));

    private ErrorTable() {}

    static Row row(String constant) {
        Row row = ROWS.get(constant);
        if (row == null) {
            throw new IllegalStateException(
                    "errors.json has no code for the constant " + constant + ".");
        }
        return row;
    }

    static Map<String, Row> rows() {
        return ROWS;
    }

    /** Whether a call fails for this reason again, however often it is sent. */
    static boolean lasts(String reason) {
        return LASTING.contains(reason);
    }

    private static Map<String, Row> read() {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry :
                Json.resource("errors.json").path("codes").properties()) {
            rows.put(
                    entry.getKey().toUpperCase(Locale.ROOT), row(entry.getKey(), entry.getValue()));
        }
        return rows;
    }

    private static Row row(String code, JsonNode node) {
        Map<String, String> reasons = new LinkedHashMap<>();
        node.path("reasons")
                .properties()
                .forEach(reason -> reasons.put(reason.getKey(), reason.getValue().asString()));
        return new Row(
                code,
                ErrorCode.Kind.valueOf(node.get("kind").asString().toUpperCase(Locale.ROOT)),
                retry(node.get("retryable")),
                node.get("http").asInt(),
                node.get("jsonrpc").asInt(),
                node.get("exit").asInt(),
                node.get("message").asString(),
                node.get("hint").asString(),
                Json.flag(node, "wire", false),
                reasons);
    }

    private static ErrorCode.Retry retry(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue() ? ErrorCode.Retry.YES : ErrorCode.Retry.NO;
        }
        return ErrorCode.Retry.IDEMPOTENT;
    }
}
