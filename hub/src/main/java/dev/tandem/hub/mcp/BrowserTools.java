package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.ToolResult;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.ToolText;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue as MCP tools: text with marks around what pages wrote, pictures as images. */
public final class BrowserTools implements McpTools {
    private final ToolRunner runner;

    public BrowserTools(ToolRunner runner) {
        this.runner = runner;
    }

    @Override
    public ArrayNode list(Caller caller) {
        ArrayNode list = Json.array();
        runner.catalogue().profile(caller.profile()).forEach(tool -> list.add(tool.listing()));
        return list;
    }

    @Override
    public Optional<ObjectNode> call(Call call) {
        if (!runner.knows(call.name())) {
            return Optional.empty();
        }
        OpsClient client = OpsClient.inHub(call.caller(), OpsClient.Door.MCP);
        try {
            ToolResult result = runner.run(call.name(), call.arguments(), client, call.watch());
            return Optional.of(answered(result));
        } catch (TandemException e) {
            return Optional.of(ToolText.failed(e));
        }
    }

    @Override
    public String instructions() {
        return "Tandem drives the user's browser. Start with snapshot; act on its refs with click,"
                + " type, select; put several steps into one run; ask for diff instead of a new"
                + " snapshot. browser_tabs, browser_read and browser_execute reach any open tab. "
                + Untrusted.explanation();
    }

    private static ObjectNode answered(ToolResult result) {
        Untrusted marks = new Untrusted();
        ObjectNode answer = Json.object();
        ArrayNode content = answer.putArray("content");
        result.picture()
                .ifPresent(picture ->
                        content.addObject()
                                .put("type", "image")
                                .put("data", picture.base64())
                                .put("mimeType", picture.mime()));
        content.addObject().put("type", "text").put("text", ToolText.of(result, marks));
        answer.set("structuredContent", ToolText.structured(result, marks));
        if (result.tool().name().equals("browser_execute") && result.data().has("error")) {
            answer.put("isError", true);
        }
        return answer;
    }
}
