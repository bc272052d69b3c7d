package dev.tandem.agent;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The browser's tools, which the hub gave the session; without them every call says so. Other MCP
 * servers of the user are left to agents that ask before they call them.
 */
final class Toolbox {
    private static final long PENDING_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Optional<McpClient> browser;

    Toolbox(JsonNode mcpServers) {
        browser =
                mcpServers
                        .valueStream()
                        .filter(server -> Json.text(server, "name").equals("browser"))
                        .filter(server -> Json.text(server, "type").equals("http"))
                        .findFirst()
                        .map(server ->
                                new McpClient(Json.text(server, "url"), server.path("headers")));
    }

    boolean isEmpty() {
        return browser.isEmpty();
    }

    /** The definitions of all tools, for a model. */
    ArrayNode definitions() {
        return browser.map(McpClient::tools).map(ArrayNode::deepCopy).orElseGet(Json::array);
    }

    /**
     * Calls a tool on a thread of its own. While the user has not answered a permission card the
     * server asks to repeat the identical call; that is done here.
     */
    CompletableFuture<ToolResult> call(String tool, ObjectNode arguments) {
        if (browser.isEmpty()) {
            return CompletableFuture.completedFuture(
                    ToolResult.failure("No browser is connected to this session."));
        }
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        Thread worker =
                Thread.ofVirtual()
                        .name("tool-" + tool)
                        .start(() -> complete(result, browser.get(), tool, arguments));
        var _ =
                result.whenComplete((value, problem) -> {
                    if (result.isCancelled()) {
                        worker.interrupt();
                    }
                });
        return result;
    }

    private static void complete(
            CompletableFuture<ToolResult> result,
            McpClient server,
            String tool,
            ObjectNode arguments) {
        try {
            long begun = System.nanoTime();
            ToolResult answer = server.call(tool, arguments);
            while (answer.isPending()
                    && !result.isDone()
                    && System.nanoTime() - begun < PENDING_LIMIT_NANOS) {
                answer = server.call(tool, arguments);
            }
            result.complete(answer);
        } catch (RuntimeException failed) {
            result.complete(ToolResult.failure(String.valueOf(failed.getMessage())));
        }
    }

    void close() {
        browser.ifPresent(McpClient::close);
    }
}
