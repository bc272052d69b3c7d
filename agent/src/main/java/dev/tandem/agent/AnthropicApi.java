package dev.tandem.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The Messages API of Anthropic, streamed. */
final class AnthropicApi implements ModelApi {
    private static final int MAX_TOKENS = 8192;

    private final ModelSettings settings;
    private final ModelStream stream;

    AnthropicApi(ModelSettings settings, ModelStream stream) {
        this.settings = settings;
        this.stream = stream;
    }

    @Override
    public String name() {
        return settings.model();
    }

    @Override
    public CompletableFuture<Reply> ask(Request request, Consumer<String> text) {
        ObjectNode body = Json.object().put("model", settings.model());
        body.put("max_tokens", MAX_TOKENS).put("stream", true).put("system", request.system());
        body.set("messages", messages(request.messages()));
        ArrayNode tools = body.putArray("tools");
        for (JsonNode tool : request.tools()) {
            tools.addObject()
                    .put("name", Json.text(tool, "name"))
                    .put("description", Json.text(tool, "description"))
                    .set("input_schema", tool.path("inputSchema"));
        }
        Map<String, String> headers =
                Map.of("x-api-key", settings.key(), "anthropic-version", "2023-06-01");
        return stream.post(settings.baseUrl() + "/v1/messages", headers, body, new Collector(text));
    }

    private static ArrayNode messages(ArrayNode neutral) {
        ArrayNode messages = Json.array();
        for (JsonNode message : neutral) {
            String role = Json.text(message, "role");
            ObjectNode out = Json.object().put("role", role.equals("assistant") ? role : "user");
            ArrayNode content = out.putArray("content");
            if (role.equals("tool")) {
                for (JsonNode result : message.path("results")) {
                    ObjectNode block = content.addObject().put("type", "tool_result");
                    block.put("tool_use_id", Json.text(result, "id"));
                    block.put("is_error", result.path("failed").asBoolean(false));
                    blocks(block.putArray("content"), result.path("content"));
                }
            } else {
                blocks(content, message.path("content"));
                for (JsonNode wish : message.path("wishes")) {
                    content.addObject()
                            .put("type", "tool_use")
                            .put("id", Json.text(wish, "id"))
                            .put("name", Json.text(wish, "tool"))
                            .set("input", wish.path("arguments"));
                }
            }
            if (!content.isEmpty()) {
                messages.add(out);
            }
        }
        return messages;
    }

    private static void blocks(ArrayNode out, JsonNode blocks) {
        for (JsonNode block : blocks) {
            if (Json.text(block, "type").equals("image")) {
                out.addObject()
                        .put("type", "image")
                        .putObject("source")
                        .put("type", "base64")
                        .put("media_type", Json.text(block, "mimeType"))
                        .put("data", Json.text(block, "data"));
            } else if (!Json.text(block, "text").isBlank()) {
                out.addObject().put("type", "text").put("text", Json.text(block, "text"));
            }
        }
    }

    /** Puts the streamed blocks together again. */
    private static final class Collector implements ModelStream.Listener {
        private final Consumer<String> sink;
        private final StringBuilder text = new StringBuilder();
        private final Map<Integer, ObjectNode> wishes = new TreeMap<>();
        private final Map<Integer, StringBuilder> inputs = new TreeMap<>();
        private String reason = "end_turn";
        private boolean complete;

        Collector(Consumer<String> sink) {
            this.sink = sink;
        }

        @Override
        public void event(JsonNode data) {
            int index = data.path("index").asInt(0);
            JsonNode delta = data.path("delta");
            switch (Json.text(data, "type")) {
                case "content_block_start" -> {
                    if (data.path("content_block") instanceof ObjectNode block
                            && Json.text(block, "type").equals("tool_use")) {
                        wishes.put(index, block);
                        inputs.put(index, new StringBuilder());
                    }
                }
                case "content_block_delta" -> {
                    String piece = Json.text(delta, "text");
                    text.append(piece);
                    sink.accept(piece);
                    inputs.getOrDefault(index, new StringBuilder())
                            .append(Json.text(delta, "partial_json"));
                }
                case "message_delta" -> {
                    reason = Json.text(delta, "stop_reason");
                    complete = true;
                }
                case "message_stop" -> complete = true;
                default -> {
                    // Pings and events to come.
                }
            }
        }

        @Override
        public boolean complete() {
            return complete;
        }

        @Override
        public Reply end() {
            List<Wish> asked = new ArrayList<>();
            wishes.forEach((index, block) -> {
                String input = inputs.getOrDefault(index, new StringBuilder()).toString();
                // Servers that do not stream it give all of it with the block.
                asked.add(
                        Wish.of(
                                Json.text(block, "id"),
                                Json.text(block, "name"),
                                input.isBlank() ? block.path("input").toString() : input));
            });
            String acp =
                    switch (reason) {
                        case "max_tokens" -> "max_tokens";
                        case "refusal" -> "refusal";
                        default -> "end_turn";
                    };
            return new Reply(text.toString(), asked, acp);
        }
    }
}
