package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools that the conformance suite knows by name, behind the product's own endpoint. */
final class FixtureTools implements McpTools {
    private static final int MISSING_CAPABILITY = -32021;
    private static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    private static final byte[] WAV = {
        'R', 'I', 'F', 'F', 38, 0, 0, 0, 'W', 'A', 'V', 'E', 'f', 'm', 't', ' ', 16, 0, 0, 0, 1, 0,
        1, 0, 64, 31, 0, 0, -128, 62, 0, 0, 2, 0, 16, 0, 'd', 'a', 't', 'a', 2, 0, 0, 0, 0, 0
    };

    private final Map<String, Consumer<ArrayNode>> plain = new LinkedHashMap<>();

    FixtureTools() {
        plain.put("test_simple_text", c -> text(c, "This is a simple text response for testing."));
        plain.put("test_image_content", c -> media(c, "image", "image/png", PNG));
        plain.put(
                "test_audio_content",
                c -> media(c, "audio", "audio/wav", Base64.getEncoder().encodeToString(WAV)));
        plain.put(
                "test_embedded_resource",
                c ->
                        resource(
                                c,
                                "test://embedded-resource",
                                "text/plain",
                                "This is an embedded resource content."));
        plain.put("test_multiple_content_types", FixtureTools::mixed);
        plain.put("test_error_handling", c -> text(c, "This tool intentionally returns an error"));
        plain.put("test_tool_with_progress", c -> text(c, "done"));
        plain.put("test_missing_capability", c -> text(c, "sampling is there"));
        plain.put("test_streaming_elicitation", c -> text(c, "nothing was asked"));
        plain.put("test_logging_tool", c -> text(c, "nothing was logged"));
    }

    @Override
    public ArrayNode list(Caller caller) {
        ArrayNode list = Json.array();
        for (String name : plain.keySet()) {
            ObjectNode tool = list.addObject().put("name", name);
            tool.put("description", "A tool of the conformance suite: " + name);
            tool.putObject("inputSchema").put("type", "object").putObject("properties");
        }
        return list;
    }

    @Override
    public Optional<ObjectNode> call(Call call) {
        Consumer<ArrayNode> tool = plain.get(call.name());
        if (tool == null) {
            return Optional.empty();
        }
        if (call.name().equals("test_missing_capability") && !call.capabilities().has("sampling")) {
            ObjectNode data = Json.object();
            data.putObject("requiredCapabilities").putObject("sampling");
            throw new McpException(
                    400, MISSING_CAPABILITY, "The client cannot sample.", Optional.of(data));
        }
        if (call.name().equals("test_tool_with_progress")) {
            for (int done = 0; done <= 100; done += 50) {
                call.watch().progress(done, 100, "step " + done);
                LockSupport.parkNanos(50_000_000);
            }
        }
        ObjectNode answer = Json.object();
        tool.accept(answer.putArray("content"));
        if (call.name().equals("test_error_handling")) {
            answer.put("isError", true);
        }
        return Optional.of(answer);
    }

    @Override
    public String instructions() {
        return "Tools for the conformance suite.";
    }

    private static void mixed(ArrayNode content) {
        text(content, "Multiple content types test:");
        media(content, "image", "image/png", PNG);
        resource(
                content,
                "test://mixed-content-resource",
                "application/json",
                "{\"test\":\"data\",\"value\":123}");
    }

    private static void text(ArrayNode content, String text) {
        content.addObject().put("type", "text").put("text", text);
    }

    private static void media(ArrayNode content, String type, String mime, String base64) {
        content.addObject().put("type", type).put("data", base64).put("mimeType", mime);
    }

    private static void resource(ArrayNode content, String uri, String mime, String text) {
        content.addObject()
                .put("type", "resource")
                .putObject("resource")
                .put("uri", uri)
                .put("mimeType", mime)
                .put("text", text);
    }
}
