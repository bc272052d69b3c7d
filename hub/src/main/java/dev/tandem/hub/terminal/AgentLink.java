package dev.tandem.hub.terminal;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The way to one agent process, as its files in the state dir describe it. */
record AgentLink(int port, String token, String generation, long pid) {
    private static final int TIMEOUT_MS = 3000;

    /** The agent's refusal: the status is all that matters. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status) {
            super("The terminal agent answered " + status + ".");
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /** Whether an agent wrote that it runs; it may be gone since. */
    static boolean recorded(Path stateDir) {
        return Files.exists(stateDir.resolve("terminal-agent-pid"));
    }

    static AgentLink read(Path stateDir) throws IOException {
        try {
            JsonNode record = Json.parse(Files.readString(stateDir.resolve("terminal-agent-pid")));
            return new AgentLink(
                    Integer.parseInt(Files.readString(stateDir.resolve("terminal-port")).strip()),
                    Files.readString(stateDir.resolve("terminal-internal-token")).strip(),
                    record.path("gen").asString(""),
                    record.path("pid").asLong());
        } catch (RuntimeException e) {
            throw new IOException("The terminal agent's files cannot be read.", e);
        }
    }

    JsonNode get(String name) throws IOException {
        return call("GET", name, Json.object());
    }

    JsonNode post(String name, ObjectNode body) throws IOException {
        return call("POST", name, body);
    }

    private JsonNode call(String method, String name, ObjectNode body) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + port + "/internal/" + name);
        HttpURLConnection http = (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
        http.setConnectTimeout(TIMEOUT_MS);
        http.setReadTimeout(TIMEOUT_MS);
        http.setRequestMethod(method);
        http.setRequestProperty("Authorization", "Bearer " + token);
        http.setRequestProperty("X-Browse-Gen", generation);
        if (method.equals("POST")) {
            http.setDoOutput(true);
            http.getOutputStream().write(Json.bytes(body));
        }
        int status = http.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            http.disconnect();
            throw new Refused(status);
        }
        try (var in = http.getInputStream()) {
            return Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
