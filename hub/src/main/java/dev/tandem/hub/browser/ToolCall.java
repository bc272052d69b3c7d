package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a tool with checked arguments.
 *
 * @param browser the one it goes to, chosen once: for the decision and for what follows it
 * @param asked what was decided about it, at the place it was decided for; empty where nobody asked
 * @param settles it ends when the page has done what it made it do, as what comes next looks at it
 */
record ToolCall(
        Tool tool,
        ObjectNode arguments,
        OpsClient client,
        Optional<OpsSession> session,
        Watch watch,
        Supplier<Browser> browser,
        Optional<Gate.Request> asked,
        boolean settles) {

    ToolCall(
            Tool tool,
            ObjectNode arguments,
            OpsClient client,
            Optional<OpsSession> session,
            Watch watch) {
        this(
                tool,
                arguments,
                client,
                session,
                watch,
                () -> session.orElseThrow().browser(),
                Optional.empty(),
                false);
    }

    static ToolCall of(Gate.Request asked, Supplier<Browser> browser) {
        return new ToolCall(
                asked.tool(),
                asked.arguments(),
                asked.client(),
                asked.session(),
                asked.watch(),
                browser,
                Optional.of(asked),
                false);
    }

    ToolCall settling(boolean yes) {
        return new ToolCall(tool, arguments, client, session, watch, browser, asked, yes);
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
