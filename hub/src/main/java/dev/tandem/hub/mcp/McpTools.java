package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.browser.Watch;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools behind an MCP endpoint. */
public interface McpTools {

    /** The entries of tools/list for this caller, always in the same order. */
    ArrayNode list(Caller caller);

    /** How long the list stays true for this caller. */
    default int ttlMs(Caller caller) {
        return 300_000;
    }

    /** Runs a tool and answers the result of tools/call; empty when there is no such tool. */
    Optional<ObjectNode> call(Call call);

    /** The words a client shows its model about all tools together. */
    String instructions();

    /**
     * One tools/call.
     *
     * @param capabilities what the client said it can do
     * @param ends the ends of the connection, by which its process is known
     */
    record Call(
            String name,
            JsonNode arguments,
            Caller caller,
            JsonNode capabilities,
            TcpEnds ends,
            Watch watch) {}
}
