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

/** Answers as the messages they take on the wire: whole, or cut at code points. */
final class Frames {
    private Frames() {}

    /** The one response of a request, or its announcement and chunks. */
    static List<String> response(ObjectNode head, ObjectNode payload) {
        byte[] bytes = Json.bytes(payload);
        if (bytes.length <= Limits.CHUNK_THRESHOLD_BYTES) {
            ObjectNode whole = head.deepCopy().put("type", "ops_response");
            whole.set("payload", payload);
            return List.of(Json.write(whole));
        }
        List<String> slices = slices(bytes, Limits.CHUNK_BYTES);
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

    static String error(ObjectNode head, TandemException failure) {
        ObjectNode message = head.deepCopy().put("type", "ops_error");
        ObjectNode error = onTheWire(failure).toJson();
        error.remove("toolCode");
        message.set("error", error);
        return Json.write(message);
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
