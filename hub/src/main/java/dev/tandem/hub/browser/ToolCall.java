package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a tool with checked arguments.
 *
 * @param asked what was decided about it, at the place it was decided for; empty where nobody asked
 */
record ToolCall(
        Tool tool,
        ObjectNode arguments,
        OpsClient client,
        Optional<OpsSession> session,
        Watch watch,
        Optional<Gate.Request> asked) {

    ToolCall(
            Tool tool,
            ObjectNode arguments,
            OpsClient client,
            Optional<OpsSession> session,
            Watch watch) {
        this(tool, arguments, client, session, watch, Optional.empty());
    }

    static ToolCall of(Gate.Request asked) {
        return new ToolCall(
                asked.tool(),
                asked.arguments(),
                asked.client(),
                asked.session(),
                asked.watch(),
                Optional.of(asked));
    }

    OpsSession requireSession() {
        return session.orElseThrow(
                () -> new IllegalStateException(tool.name() + " has no session"));
    }

    Optional<String> text(String argument) {
        return Json.text(arguments, argument);
    }

    boolean flag(String argument) {
        return Json.flag(arguments, argument, false);
    }

    /** The deadline the caller asked for, else the tool's own. */
    int timeoutMs() {
        return arguments.path("timeoutMs").asInt(tool.timeoutMs());
    }
}
