package dev.tandem.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What the agent answers to a request. The connection ends with it. */
record Answer(int status, String type, String body) {
    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int UPGRADE_REQUIRED = 426;

    private static final Map<Integer, String> REASONS =
            Map.of(
                    OK,
                    "OK",
                    BAD_REQUEST,
                    "Bad Request",
                    UNAUTHORIZED,
                    "Unauthorized",
                    FORBIDDEN,
                    "Forbidden",
                    NOT_FOUND,
                    "Not Found",
                    CONFLICT,
                    "Conflict",
                    GONE,
                    "Gone",
                    UPGRADE_REQUIRED,
                    "Upgrade Required",
                    431,
                    "Request Header Fields Too Large");

    static Answer text(int status, String text) {
        return new Answer(status, "text/plain;charset=utf-8", text);
    }

    static Answer json(JsonNode body) {
        return new Answer(OK, "application/json", body.toString());
    }

    byte[] bytes() {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 "
                        + status
                        + " "
                        + REASONS.getOrDefault(status, "Refused")
                        + "\r\nContent-Type: "
                        + type
                        + "\r\nContent-Length: "
                        + content.length
                        + "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                        + "Connection: close\r\n\r\n";
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] all = java.util.Arrays.copyOf(start, start.length + content.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return all;
    }
}
