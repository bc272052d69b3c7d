package dev.tandem.hub;

import dev.tandem.hub.auth.HubToken;
import dev.tandem.hub.health.Identity;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** {@code browse.json}: where this person's programs find the running hub. */
record BrowseFile(StateDir state) {
    private static final String NAME = "browse.json";

    void write(Options options, int port, HubToken token, Identity identity) throws IOException {
        ObjectNode browse = Json.object();
        browse.put("pid", ProcessHandle.current().pid());
        browse.put("port", port);
        browse.put("token", token.value());
        browse.put("startedAt", Instant.ofEpochMilli(identity.epoch()).toString());
        browse.put("serverPath", options.home().toString());
        browse.put("binaryVersion", identity.version());
        browse.put("mode", options.headless().orElse(false) ? "launched" : "headed");
        browse.put("instanceId", identity.instanceId());
        state.write(
                NAME, Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(browse));
    }

    void delete() throws IOException {
        state.delete(NAME);
    }
}
