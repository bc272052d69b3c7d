package dev.tandem.hub.mcp;

import dev.tandem.hub.browser.Watch;
import dev.tandem.protocol.Json;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a client that asked for it hears of a running call. Any thread may call it. */
final class McpProgress {
    private static final double WAIT_STEP = 0.001;

    private final Optional<JsonNode> token;
    private final Consumer<ObjectNode> told;
    private Watch.Progress last = new Watch.Progress(-WAIT_STEP, 0);

    /**
     * @param message a tools/call
     * @param told gets each notification
     */
    McpProgress(JsonNode message, Consumer<ObjectNode> told) {
        this.token = Optional.ofNullable(message.path("params").path("_meta").get("progressToken"));
        this.told = told;
    }

    Watch watch() {
        return new Watch(this::step, card -> waiting("Waiting for the user's permission"));
    }

    boolean wanted() {
        return token.isPresent();
    }

    /** Clients give up on calls that show no progress. */
    synchronized void waiting(String why) {
        step(last, why);
    }

    /** What is told must rise each time, whatever the tool counts; a hair of it is enough. */
    private synchronized void step(Watch.Progress given, String text) {
        if (token.isEmpty()) {
            return;
        }
        Watch.Progress progress =
                new Watch.Progress(Math.max(given.done(), last.done() + WAIT_STEP), given.total());
        last = progress;
        ObjectNode note = Json.object().put("jsonrpc", "2.0");
        note.put("method", "notifications/progress");
        ObjectNode params = note.putObject("params");
        params.set("progressToken", token.get());
        params.put("progress", progress.done());
        if (progress.total() > 0 && progress.total() >= progress.done()) {
            params.put("total", progress.total());
        }
        params.put("message", text);
        told.accept(note);
    }
}
