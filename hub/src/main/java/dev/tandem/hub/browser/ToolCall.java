package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** One call of a tool with checked arguments. */
record ToolCall(
        Tool tool,
        ObjectNode arguments,
        OpsClient client,
        Optional<OpsSession> session,
        Watch watch) {

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
