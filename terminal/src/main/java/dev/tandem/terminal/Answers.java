package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.databind.JsonNode;

/** Plain answers of the agent's HTTP side. */
final class Answers {
    private Answers() {}

    static void text(Response response, Callback callback, int status, String text) {
        write(response, callback, status, "text/plain;charset=utf-8", text);
    }

    static void json(Response response, Callback callback, int status, JsonNode body) {
        write(response, callback, status, "application/json", body.toString());
    }

    private static void write(
            Response response, Callback callback, int status, String type, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        if (status >= 400) {
            // A refused body is not read; the caller must not send its next request behind it.
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
    }
}
