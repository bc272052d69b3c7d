package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Where the bridge goes and with what: the address and token it was given, or the hub of the state
 * dir. The user's own token is used only when the command line says so.
 */
final class McpDoorway {
    private static final Flag AS_USER =
            Flag.toggle("as-user", "act as you, without permission cards");

    private final Path browse;
    private final String givenUrl;
    private final String givenToken;
    private volatile String url = "";
    private volatile String token = "";
    private volatile long hub;

    private McpDoorway(Path browse, String givenUrl, String givenToken) {
        this.browse = browse;
        this.givenUrl = givenUrl;
        this.givenToken = givenToken;
    }

    /** Reads the command line; wrong words and a missing token are usage errors. */
    static McpDoorway of(List<String> words, Map<String, String> environment) {
        boolean asUser = Words.read(words, List.of(AS_USER), List.of()).isOn("as-user");
        String token = environment.getOrDefault("TANDEM_MCP_TOKEN", "");
        if (token.isBlank() && !asUser) {
            throw new UsageException(
                    "Set TANDEM_MCP_TOKEN to a client's token (make one: tandem token add NAME),"
                            + " or add --as-user to act as yourself.");
        }
        String url = environment.getOrDefault("TANDEM_MCP_URL", "");
        if (asUser && !url.isBlank()) {
            throw new UsageException(
                    "Your own token goes to your own hub only. Unset TANDEM_MCP_URL, or use a"
                            + " token of the hub it names (TANDEM_MCP_TOKEN) without --as-user.");
        }
        if (!url.isBlank()) {
            checkAddress(url);
        }
        return new McpDoorway(
                Doctor.stateDir(environment).resolve("browse.json"), url, asUser ? "" : token);
    }

    private static void checkAddress(String url) {
        try {
            URI address = new URI(url);
            boolean web = List.of("http", "https").contains(String.valueOf(address.getScheme()));
            if (web && address.getHost() != null && address.getPort() < 65536) {
                return;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new UsageException(
                "Invalid TANDEM_MCP_URL: "
                        + url
                        + ". Give the whole address, like http://127.0.0.1:8787/mcp.");
    }

    /** Finds the hub again, wherever it listens now. */
    void look() throws IOException {
        if (!givenUrl.isBlank()) {
            url = givenUrl;
            token = givenToken;
            return;
        }
        JsonNode found = written();
        hub = found.path("pid").asLong();
        if (!hubRuns()) {
            throw new IOException("the hub that wrote " + browse + " is gone");
        }
        url = "http://127.0.0.1:" + found.path("port").asInt() + "/mcp";
        token = givenToken.isBlank() ? found.path("token").asString("") : givenToken;
    }

    private JsonNode written() throws IOException {
        try {
            return Json.parse(Files.readString(browse));
        } catch (TandemException e) {
            throw new IOException(browse + " is no JSON", e);
        }
    }

    /** Whoever has the port of a hub that is gone, or its number, gets no token. */
    private boolean hubRuns() {
        return ProcessHandle.of(hub)
                .filter(ProcessHandle::isAlive)
                .map(process -> process.info().user())
                .filter(ProcessHandle.current().info().user()::equals)
                .isPresent();
    }

    String url() throws IOException {
        if (url.isEmpty() || (givenUrl.isBlank() && !hubRuns())) {
            look();
        }
        return url;
    }

    String token() {
        return token;
    }

    String unreachable() {
        return "The hub cannot be reached. Start it: tandem up";
    }

    String stranger() {
        return "What answers at "
                + url
                + " is not the /mcp of a hub. "
                + (givenUrl.isBlank()
                        ? "Find out why: tandem doctor"
                        : "Check TANDEM_MCP_URL, or unset it for your own hub.");
    }
}
