package dev.tandem.hub.ops;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Answers as the messages they take on the wire, none larger than the client takes. */
final class Frames {
    private static final int WORDS = 200;

    /** What a chunk or its announcement has around head and data, at most. */
    private static final int FRAME = 400;

    private final int maxBytes;

    Frames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Throws when what every answer repeats of the request would leave no room for the answer. */
    void check(ObjectNode head) {
        if (Json.bytes(head).length > maxBytes / 4) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "requestId and opsSessionId are too long for answers of "
                            + maxBytes
                            + " bytes.");
        }
    }

    /** The one response of a request, or its announcement and chunks. */
    List<String> response(ObjectNode head, ObjectNode payload) {
        byte[] bytes = Json.bytes(payload);
        int around = Json.bytes(head).length + FRAME;
        if (bytes.length <= Math.min(Limits.CHUNK_THRESHOLD_BYTES, maxBytes - around)) {
            ObjectNode whole = head.deepCopy().put("type", "ops_response");
            whole.set("payload", payload);
            return List.of(Json.write(whole));
        }
        // JSON inside a string: quotation marks and backslashes take twice their bytes.
        List<String> slices = slices(bytes, Math.min(Limits.CHUNK_BYTES, (maxBytes - around) / 2));
        String payloadId = UUID.randomUUID().toString();
        List<String> frames = new ArrayList<>();
        ObjectNode announcement = head.deepCopy().put("type", "ops_response");
        announcement.put("chunked", true).put("payloadId", payloadId);
        announcement.put("totalChunks", slices.size()).put("totalBytes", bytes.length);
        frames.add(Json.write(announcement.put("sha256", sha256(bytes))));
        for (int i = 0; i < slices.size(); i++) {
            ObjectNode chunk = head.deepCopy().put("type", "ops_chunk");
            chunk.put("payloadId", payloadId).put("chunkIndex", i);
            frames.add(
                    Json.write(chunk.put("totalChunks", slices.size()).put("data", slices.get(i))));
        }
        return frames;
    }

    /** The one failure of a request; one that is too large keeps its beginning and its reason. */
    String error(ObjectNode head, TandemException failure) {
        ObjectNode message = head.deepCopy().put("type", "ops_error");
        ObjectNode error = onTheWire(failure).toJson();
        // Under another code it is still the same cause.
        error.put("retryable", failure.retryable());
        error.remove("toolCode");
        message.set("error", error);
        if (fits(message)) {
            return Json.write(message);
        }
        error.put("message", beginning(failure.message()));
        if (error.path("details") instanceof ObjectNode details) {
            error.set("details", shortWords(details));
        }
        if (!fits(message)) {
            error.remove("details");
            message.put("requestId", "unknown").remove("opsSessionId");
        }
        return Json.write(message);
    }

    /** An event; one that is too large keeps the short facts of its payload. */
    String event(ObjectNode event) {
        if (fits(event) || !(event.path("payload") instanceof ObjectNode payload)) {
            return Json.write(event);
        }
        ObjectNode small = event.deepCopy();
        small.set("payload", shortWords(payload));
        return Json.write(small);
    }

    private boolean fits(ObjectNode message) {
        return Json.bytes(message).length <= maxBytes;
    }

    private ObjectNode shortWords(ObjectNode facts) {
        ObjectNode kept = Json.object();
        int left = maxBytes / 4;
        for (var fact : facts.properties()) {
            int size = Json.bytes(fact.getValue()).length + fact.getKey().length();
            if (size <= Math.min(WORDS, left)) {
                kept.set(fact.getKey(), fact.getValue());
                left -= size;
            }
        }
        return kept;
    }

    private static String beginning(String text) {
        int end =
                text.offsetByCodePoints(0, Math.min(WORDS, text.codePointCount(0, text.length())));
        return end == text.length() ? text : text.substring(0, end) + "…";
    }

    /** Only the closed list travels; every other cause is told in the details. */
    static TandemException onTheWire(TandemException failure) {
        ErrorCode code = failure.code();
        if (code == ErrorCode.SNAPSHOT_TOO_LARGE) {
            return new TandemException(
                    ErrorCode.NOT_SUPPORTED,
                    failure.message(),
                    failure.details()
                            .put("reason", "payload_too_large")
                            .put("alias", "snapshot_too_large"));
        }
        if (code.wire()) {
            return failure;
        }
        ErrorCode face =
                switch (code) {
                    case UNSUPPORTED_MODE -> ErrorCode.NOT_SUPPORTED;
                    case PERMISSION_TIMEOUT -> ErrorCode.TIMEOUT;
                    case USAGE, BAD_JSON, BAD_REQUEST, WAIT_INVALID -> ErrorCode.INVALID_REQUEST;
                    case EXTENSION_NOT_CONNECTED -> ErrorCode.OPS_UNAVAILABLE;
                    default -> ErrorCode.EXECUTION_FAILED;
                };
        ObjectNode details = failure.details();
        if (!details.has("reason")) {
            details.put("reason", code.code());
        }
        return new TandemException(face, failure.message(), details);
    }

    static List<String> slices(byte[] utf8, int limit) {
        List<String> slices = new ArrayList<>();
        for (int start = 0; start < utf8.length; ) {
            int end = Math.min(start + limit, utf8.length);
            while (end < utf8.length && (utf8[end] & 0xc0) == 0x80) {
                end--;
            }
            slices.add(new String(utf8, start, end - start, StandardCharsets.UTF_8));
            start = end;
        }
        return slices;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256.", e);
        }
    }
}
