package dev.tandem.hub.browser;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.function.IntSupplier;
import tools.jackson.databind.node.ObjectNode;

/** Pairs browsers that the hub prepares itself: what a person's click would put into storage. */
public final class Pairing {
    private final ExtensionTokens tokens;
    private final PairedBrowsers paired;
    private final IntSupplier port;

    /** What goes into the two storage areas of the extension. */
    record Items(ObjectNode local, ObjectNode session) {}

    public Pairing(ExtensionTokens tokens, PairedBrowsers paired, IntSupplier port) {
        this.tokens = tokens;
        this.paired = paired;
        this.port = port;
    }

    /** Fresh tokens for a browser; the ones it had before end. */
    Items items(String browserId, String name) {
        tokens.list().stream()
                .filter(session -> session.browserId().equals(browserId))
                .forEach(session -> tokens.revoke(session.id()));
        ExtensionTokens.Pair pair = tokens.create(browserId, name);
        String hubKey = paired.pair(browserId, name);
        String origin = "http://127.0.0.1:" + port.getAsInt();
        String now = Instant.now().toString();
        ObjectNode user = Json.object().put("id", "user");
        user.putNull("email");
        user.putNull("displayName");
        user.put("role", "owner");
        ObjectNode local = Json.object();
        local.putObject("tandem:extensionConfig:v1")
                .put("apiBaseUrl", origin + "/api/v1")
                .put("appBaseUrl", origin + "/app")
                .put("wsBaseUrl", "ws" + origin.substring(4))
                .put("enabled", true)
                .put("updatedAt", now);
        ObjectNode auth = local.putObject("tandem:extensionAuth:v1");
        auth.put("refreshToken", pair.refresh());
        auth.set("user", user);
        auth.put("browserId", browserId);
        auth.put("hubKey", hubKey);
        auth.put("origin", origin);
        auth.put("updatedAt", now);
        ObjectNode session = Json.object();
        ObjectNode access = session.putObject("tandem:extensionAuthSession:v1");
        access.put("sessionToken", pair.access());
        access.put("expiresAt", Instant.ofEpochMilli(pair.expiresAt()).toString());
        access.set("user", user);
        access.put("updatedAt", now);
        return new Items(local, session);
    }
}
