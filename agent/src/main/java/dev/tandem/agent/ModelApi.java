package dev.tandem.agent;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A model that streams text and asks for tools, whatever its wire format. */
interface ModelApi {
    /**
     * One request.
     *
     * @param messages neutral: {@code {role:"user"|"assistant"|"tool", …}} as {@link ModelBrain}
     *     writes them
     * @param tools MCP tool definitions
     */
    record Request(String system, ArrayNode messages, ArrayNode tools) {}

    /**
     * A tool the model wants to use.
     *
     * @param readable false when its arguments were no complete object: then nothing may be done
     */
    record Wish(String id, String tool, ObjectNode arguments, boolean readable) {
        static Wish of(String id, String tool, String json) {
            try {
                JsonNode read = json.isBlank() ? Json.object() : Json.parse(json);
                if (read instanceof ObjectNode object) {
                    return new Wish(id, tool, object, true);
                }
            } catch (JacksonException broken) {
                // told to the model like every other failure
            }
            return new Wish(id, tool, Json.object(), false);
        }
    }

    /** What it said in the end; {@code reason} is ACP's word. */
    record Reply(String text, List<Wish> wishes, String reason) {}

    String name();

    /** Streams one answer; text pieces go to the consumer as they come. Cancelling stops it. */
    CompletableFuture<Reply> ask(Request request, Consumer<String> text);
}
