package dev.tandem.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The MCP tools that the session was given; without a server every call says so. */
final class Toolbox {
    private static final long PENDING_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final List<McpClient> servers = new ArrayList<>();

    Toolbox(JsonNode mcpServers) {
        for (JsonNode server : mcpServers) {
            if (Json.text(server, "type").equals("http")) {
                servers.add(new McpClient(Json.text(server, "url"), server.path("headers")));
            }
        }
    }

    boolean isEmpty() {
        return servers.isEmpty();
    }

    /** The definitions of all tools, for a model. */
    ArrayNode definitions() {
        ArrayNode all = Json.array();
        servers.forEach(server -> all.addAll(server.tools().deepCopy()));
        return all;
    }

    /**
     * Calls a tool on a thread of its own. While the user has not answered a permission card the
     * server asks to repeat the identical call; that is done here.
     */
    CompletableFuture<ToolResult> call(String tool, ObjectNode arguments) {
        if (servers.isEmpty()) {
            return CompletableFuture.completedFuture(
                    ToolResult.failure("No browser is connected to this session."));
        }
        CompletableFuture<ToolResult> result = new CompletableFuture<>();
        Thread worker =
                Thread.ofVirtual()
                        .name("tool-" + tool)
                        .start(() -> complete(result, tool, arguments));
        var _ =
                result.whenComplete((value, problem) -> {
                    if (result.isCancelled()) {
                        worker.interrupt();
                    }
                });
        return result;
    }

    private void complete(CompletableFuture<ToolResult> result, String tool, ObjectNode arguments) {
        try {
            long begun = System.nanoTime();
            ToolResult answer = serverOf(tool).call(tool, arguments);
            while (answer.isPending()
                    && !result.isDone()
                    && System.nanoTime() - begun < PENDING_LIMIT_NANOS) {
                answer = serverOf(tool).call(tool, arguments);
            }
            result.complete(answer);
        } catch (RuntimeException failed) {
            result.complete(ToolResult.failure(String.valueOf(failed.getMessage())));
        }
    }

    private McpClient serverOf(String tool) {
        return servers.stream()
                .filter(server -> servers.size() == 1 || server.offers(tool))
                .findFirst()
                .orElse(servers.getFirst());
    }

    void close() {
        servers.forEach(McpClient::close);
    }
}
