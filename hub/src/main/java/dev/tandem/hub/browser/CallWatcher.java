package dev.tandem.hub.browser;

import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Someone who is told of every tool call, whatever its door. Must return at once. */
@FunctionalInterface
public interface CallWatcher {
    /** A call began, with the arguments as they were given. */
    Call began(OpsClient client, Tool tool, JsonNode arguments);

    /** One call that began; it ends once. */
    @FunctionalInterface
    interface Call {
        void ended(End end);
    }

    /**
     * How a call ended.
     *
     * @param browser the name of the browser it ran in, empty when it reached none
     */
    record End(
            JsonNode answer, Optional<TandemException> failure, String browser, long durationMs) {}
}
