package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.net.URI;
import java.util.Set;
import java.util.function.IntSupplier;
import tools.jackson.databind.node.ObjectNode;

/** What the token, and not a person, decides; the same at every door. */
final class TokenRights {
    private static final Set<String> LOOPBACK =
            Set.of("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::]");

    private final IntSupplier hubPort;

    TokenRights(IntSupplier hubPort) {
        this.hubPort = hubPort;
    }

    /** Throws for a tool outside the profile, arguments for the user alone, and our own pages. */
    void check(Tool tool, ObjectNode arguments, OpsClient client) {
        String profile = client.caller().profile();
        if (!tool.profiles().contains(profile)) {
            throw Gate.denied(
                    "The profile \""
                            + profile
                            + "\" of this token does not have the tool "
                            + tool.name()
                            + ".");
        }
        if (!client.isUser()) {
            tool.arguments().refuseUserOnly(arguments);
            refuseFiles(arguments, "url");
            refuseFiles(arguments, "startUrl");
        }
        refuseOwnPages(arguments, "url");
        refuseOwnPages(arguments, "startUrl");
    }

    /** Before anybody is asked; the browser knows every way to write such an address. */
    private static void refuseFiles(ObjectNode arguments, String field) {
        String url = Json.text(arguments, field).orElse("").strip();
        if (url.regionMatches(true, 0, "file:", 0, "file:".length())) {
            throw new TandemException(
                    ErrorCode.RESTRICTED_URL,
                    "Local files are open to the user's own commands only: an agent, or a program"
                            + " with a token of its own, would get past the folders that it was"
                            + " given.",
                    "file_access");
        }
    }

    private void refuseOwnPages(ObjectNode arguments, String field) {
        String url = Json.text(arguments, field).orElse("");
        try {
            URI uri = URI.create(url.strip());
            if (uri.getHost() != null
                    && uri.getPort() == hubPort.getAsInt()
                    && (LOOPBACK.contains(uri.getHost()) || uri.getHost().startsWith("127."))) {
                throw new TandemException(
                        ErrorCode.RESTRICTED_URL, "Tandem's own pages are out of reach.", "policy");
            }
        } catch (IllegalArgumentException e) {
            // not a URL: the browser says so in its own words
        }
    }
}
