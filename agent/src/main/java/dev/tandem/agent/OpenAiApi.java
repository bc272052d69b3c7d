package dev.tandem.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Chat completions as OpenAI defined them and many servers, local ones too, speak them. */
final class OpenAiApi implements ModelApi {
    private final ModelSettings settings;
    private final ModelStream stream;

    OpenAiApi(ModelSettings settings, ModelStream stream) {
        this.settings = settings;
        this.stream = stream;
    }

    @Override
    public String name() {
        return settings.model();
    }

    @Override
    public CompletableFuture<Reply> ask(Request request, Consumer<String> text) {
        ObjectNode body = Json.object().put("model", settings.model()).put("stream", true);
        ArrayNode messages = body.putArray("messages");
        messages.addObject().put("role", "system").put("content", request.system());
        request.messages().forEach(message -> add(messages, message));
        if (!request.tools().isEmpty()) {
            ArrayNode tools = body.putArray("tools");
            for (JsonNode tool : request.tools()) {
                tools.addObject()
                        .put("type", "function")
                        .putObject("function")
                        .put("name", Json.text(tool, "name"))
                        .put("description", Json.text(tool, "description"))
                        .set("parameters", tool.path("inputSchema"));
            }
        }
        Map<String, String> headers =
                settings.key().isBlank()
                        ? Map.of()
                        : Map.of("Authorization", "Bearer " + settings.key());
        return stream.post(
                settings.baseUrl() + "/chat/completions", headers, body, new Collector(text));
    }

    private static void add(ArrayNode messages, JsonNode message) {
        String role = Json.text(message, "role");
        if (role.equals("tool")) {
            for (JsonNode result : message.path("results")) {
                messages.addObject()
                        .put("role", "tool")
                        .put("tool_call_id", Json.text(result, "id"))
                        .put("content", words(result.path("content")));
            }
            return;
        }
        ObjectNode out = messages.addObject().put("role", role);
        if (role.equals("user")) {
            content(out.putArray("content"), message.path("content"));
            return;
        }
        out.put("content", words(message.path("content")));
        if (!message.path("wishes").isEmpty()) {
            ArrayNode calls = out.putArray("tool_calls");
            for (JsonNode wish : message.path("wishes")) {
                calls.addObject()
                        .put("id", Json.text(wish, "id"))
                        .put("type", "function")
                        .putObject("function")
                        .put("name", Json.text(wish, "tool"))
                        .put("arguments", wish.path("arguments").toString());
            }
        }
    }

    private static void content(ArrayNode out, JsonNode blocks) {
        for (JsonNode block : blocks) {
            if (Json.text(block, "type").equals("image")) {
                String data = Json.text(block, "mimeType") + ";base64," + Json.text(block, "data");
                out.addObject()
                        .put("type", "image_url")
                        .putObject("image_url")
                        .put("url", "data:" + data);
            } else {
                out.addObject().put("type", "text").put("text", Json.text(block, "text"));
            }
        }
    }

    /** Tool answers carry text only in this format. */
    private static String words(JsonNode blocks) {
        StringBuilder all = new StringBuilder();
        for (JsonNode block : blocks) {
            boolean image = Json.text(block, "type").equals("image");
            all.append(image ? "(a picture was shown to the user)" : Json.text(block, "text"));
        }
        return all.toString();
    }

    /** Puts the streamed pieces together again. */
    private static final class Collector implements ModelStream.Listener {
        private final Consumer<String> sink;
        private final StringBuilder text = new StringBuilder();
        private final List<Call> calls = new ArrayList<>();
        private final Map<Integer, Call> open = new HashMap<>();
        private String reason = "stop";
        private boolean complete;

        /** A call whose pieces still come. */
        private static final class Call {
            private String id = "";
            private String name = "";
            private final StringBuilder input = new StringBuilder();
        }

        Collector(Consumer<String> sink) {
            this.sink = sink;
        }

        @Override
        public void event(JsonNode data) {
            JsonNode choice = data.path("choices").path(0);
            JsonNode delta = choice.path("delta");
            String piece = Json.text(delta, "content");
            text.append(piece);
            sink.accept(piece);
            delta.path("tool_calls").forEach(this::call);
            if (choice.path("finish_reason").isString()) {
                reason = Json.text(choice, "finish_reason");
                complete = true;
            }
        }

        /**
         * Some servers repeat id and name with every piece, and some number all calls 0: another id
         * is another call.
         */
        private void call(JsonNode piece) {
            int index = piece.path("index").asInt(0);
            String id = Json.text(piece, "id");
            Call call = open.get(index);
            if (call == null || (!id.isEmpty() && !call.id.isEmpty() && !id.equals(call.id))) {
                call = new Call();
                open.put(index, call);
                calls.add(call);
            }
            if (call.id.isEmpty()) {
                call.id = id;
            }
            if (call.name.isEmpty()) {
                call.name = Json.text(piece.path("function"), "name");
            }
            call.input.append(Json.text(piece.path("function"), "arguments"));
        }

        @Override
        public boolean complete() {
            return complete;
        }

        @Override
        public Reply end() {
            List<Wish> asked = new ArrayList<>();
            calls.forEach(call -> asked.add(Wish.of(call.id, call.name, call.input.toString())));
            String acp =
                    switch (reason) {
                        case "length" -> "max_tokens";
                        case "content_filter" -> "refusal";
                        default -> "end_turn";
                    };
            return new Reply(text.toString(), asked, acp);
        }
    }
}
