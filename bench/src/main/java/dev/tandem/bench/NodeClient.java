package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One run of {@code bench/terminal/client.mjs}: the same client for every server, since ratios
 * depend on it. It ends with its input.
 */
final class NodeClient implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    NodeClient(Path home, ObjectNode spec) throws IOException {
        process =
                new ProcessBuilder(
                                "node",
                                home.resolve("bench/terminal/client.mjs").toString(),
                                Json.write(spec))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Runs it to its one line. */
    static JsonNode ask(Path home, ObjectNode spec) throws IOException {
        try (NodeClient client = new NodeClient(home, spec)) {
            return client.line();
        }
    }

    JsonNode line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("The terminal client ended without a result.");
        }
        return Json.parse(line);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
