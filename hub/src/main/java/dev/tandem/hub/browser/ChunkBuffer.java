package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Utf8;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts an answer together that came in slices. Belongs to the thread that reads the socket. */
final class ChunkBuffer {
    private final String payloadId;
    private final @Nullable String[] slices;
    private int missing;
    private long bytes;
    private Optional<JsonNode> head = Optional.empty();

    ChunkBuffer(JsonNode message) {
        payloadId = message.path("payloadId").asString("");
        int total = message.path("totalChunks").asInt(0);
        long least = (long) Math.max(0, total - 1) * (Limits.CHUNK_BYTES - 3L);
        if (total < 1 || least > Limits.big("maxAnswerBytes")) {
            throw tooLarge(total);
        }
        slices = new String[total];
        missing = total;
    }

    void head(JsonNode message) {
        require(message);
        if (message.path("totalBytes").asLong(0) > Limits.big("maxAnswerBytes")) {
            throw tooLarge(slices.length);
        }
        head = Optional.of(message);
    }

    void add(JsonNode message) {
        require(message);
        int index = message.path("chunkIndex").asInt(-1);
        if (index < 0 || index >= slices.length) {
            throw broken("A chunk has the number " + index + " of " + slices.length + ".");
        }
        String data = message.path("data").asString("");
        if (slices[index] != null) {
            if (!data.equals(slices[index])) {
                throw broken("Chunk " + index + " came twice with different content.");
            }
            return;
        }
        bytes += Utf8.length(data);
        if (bytes > Limits.big("maxAnswerBytes")) {
            throw tooLarge(slices.length);
        }
        slices[index] = data;
        missing--;
    }

    /** The whole payload once the announcement and every slice are there. */
    Optional<ObjectNode> complete() {
        if (missing > 0 || head.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (String slice : slices) {
            text.append(slice);
        }
        byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
        JsonNode announced = head.get();
        if (announced.has("totalBytes") && announced.path("totalBytes").asLong() != utf8.length) {
            throw broken("The chunks have " + utf8.length + " bytes, not those announced.");
        }
        Optional<String> sha256 = Json.text(announced, "sha256");
        if (sha256.isPresent() && !sha256.get().equals(sha256(utf8))) {
            throw broken("The chunks do not have the announced hash.");
        }
        if (Json.parse(utf8) instanceof ObjectNode payload) {
            return Optional.of(payload);
        }
        throw broken("The chunks do not hold an object.");
    }

    private void require(JsonNode message) {
        if (!message.path("payloadId").asString("").equals(payloadId)
                || message.path("totalChunks").asInt(0) != slices.length) {
            throw broken("Chunks of two payloads were mixed.");
        }
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256.", e);
        }
    }

    private static TandemException broken(String text) {
        return new TandemException(ErrorCode.EXECUTION_FAILED, text);
    }

    private static TandemException tooLarge(int chunks) {
        return new TandemException(
                        ErrorCode.NOT_SUPPORTED,
                        "The answer is too large to be taken.",
                        "payload_too_large")
                .with("totalChunks", Json.object().numberNode(chunks));
    }
}
