package dev.tandem.hub.relay;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.Starts;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is said to the agent, what waits to be said, and stopping it. */
final class PromptMessages implements Family {
    static final int IMAGE_BYTES = Limits.of("promptImageBytes");

    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;
    private final Starts starts;

    PromptMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
        this.starts = new Starts(parts.engine(), parts.store());
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "prompt" -> prompt(message);
            case "cancel" -> cancel(message);
            case "queue" -> queue(message);
            case "queue_edit" -> {
                parts.engine()
                        .queue()
                        .edit(
                                client.sessionId(message),
                                message.path("seq").asLong(0),
                                Wire.required(message, "text"));
                queue(message);
            }
            case "queue_withdraw" -> {
                parts.engine()
                        .queue()
                        .withdraw(client.sessionId(message), message.path("seq").asLong(0));
                queue(message);
            }
            case "queue_continue" -> {
                parts.engine().continueQueue(client.sessionId(message));
                queue(message);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void prompt(ObjectNode message) {
        String id = client.sessionId(message);
        ArrayNode content = (ArrayNode) message.get("content");
        content.forEach(PromptMessages::checkSize);
        if (!client.watches().has(id)) {
            client.watches().watch(id, parts.store().required(id).lastSeq(), 0);
        }
        boolean busy = parts.engine().turnRuns(id);
        SessionLog.Appended taken =
                parts.engine()
                        .send(
                                id,
                                Prompt.of(
                                        content,
                                        Json.text(message, "clientMessageId"),
                                        client.caller().name()));
        client.watches().answers(id, taken.entry().seq(), message);
        if (busy) {
            ObjectNode queued = Wire.about("prompt_queued", id).put("seq", taken.entry().seq());
            queued.put("position", parts.engine().queue().list(id).size());
            wire.reply(message, queued);
        }
        Phase phase = parts.store().required(id).phase();
        if (phase.canStart()) {
            client.aside(message, () -> starts.start(id));
        }
    }

    /** Four letters of base64 are three bytes. */
    private static void checkSize(JsonNode block) {
        boolean image = Json.text(block, "type").filter("image"::equals).isPresent();
        if (image && Json.text(block, "data").orElse("").length() / 4L * 3 > IMAGE_BYTES) {
            throw new TandemException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "A picture in a prompt has at most %d MiB. Send a smaller one."
                            .formatted(IMAGE_BYTES >> 20));
        }
    }

    private void cancel(ObjectNode message) {
        String id = client.sessionId(message);
        if (Json.flag(message, "queued", false)) {
            parts.engine()
                    .queue()
                    .list(id)
                    .forEach(entry -> parts.engine().queue().withdraw(id, entry.seq()));
        }
        boolean ran = parts.engine().interrupt(id);
        wire.reply(message, Wire.about("cancelled", id).put("ran", ran));
    }

    private void queue(ObjectNode message) {
        String id = client.sessionId(message);
        ObjectNode reply = Wire.about("queue", id);
        ArrayNode waiting = reply.putArray("items");
        for (Entry entry : parts.engine().queue().list(id)) {
            waiting.addObject().put("seq", entry.seq()).put("text", entry.text("text").orElse(""));
        }
        wire.reply(message, reply);
    }
}
