package dev.tandem.hub.web;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import tools.jackson.databind.node.ObjectNode;

/** Refuses what the listener itself cannot read, in the same form as every door does. */
final class UnreadRequests implements Request.Handler {
    /** All headers of a request together. */
    static final int MAX_HEADER_BYTES = 16 * 1024;

    private static final int HEADERS_TOO_LARGE = 431;
    private static final int NO_SUCH_VERSION = 505;

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Doors.seal(response);
        response.getHeaders().put("Content-Type", "application/json");
        response.getHeaders().put("Connection", "close");
        ObjectNode body = refusal(response.getStatus(), request);
        response.write(true, ByteBuffer.wrap(Json.bytes(body)), callback);
        return true;
    }

    private static ObjectNode refusal(int status, Request request) {
        if (status == HEADERS_TOO_LARGE) {
            return refusal(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "The headers of the request are larger than 16 KiB.",
                    "Send fewer or shorter headers.");
        }
        if (status < 500 || status == NO_SUCH_VERSION) {
            return refusal(
                    ErrorCode.INVALID_REQUEST,
                    "The request cannot be read: "
                            + request.getAttribute(ErrorHandler.ERROR_MESSAGE)
                            + ".",
                    "Send a request of HTTP/1.1.");
        }
        return refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.message(), ErrorCode.INTERNAL.hint());
    }

    private static ObjectNode refusal(ErrorCode code, String error, String hint) {
        return Json.object().put("error", error).put("code", code.code()).put("hint", hint);
    }
}
