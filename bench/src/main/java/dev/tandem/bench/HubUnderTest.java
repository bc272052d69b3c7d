package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A hub that the launcher started on a temporary state dir, without a browser. */
final class HubUnderTest implements AutoCloseable {
    private final Path home;
    private final Path state;
    private final Process process;
    private final int port;

    HubUnderTest(Path home) throws IOException {
        this.home = home;
        this.state = Files.createTempDirectory("tandem-bench");
        this.process =
                command("up", "--port", "0", "--browser", "none", "--json")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null) {
            throw new IOException("The hub did not start.");
        }
        JsonNode ready = Json.parse(line);
        String url = ready.path("url").asString();
        this.port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    int port() {
        return port;
    }

    /** The launcher with these words, for this hub. */
    ProcessBuilder command(String... words) {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command().add(home.resolve("tandem").toString());
        builder.command().addAll(List.of(words));
        builder.environment().put("TANDEM_STATE_DIR", state.toString());
        builder.environment().put("TANDEM_NO_START", "1");
        return builder;
    }

    /** Resident memory in megabytes, where /proc tells it. */
    double residentMegabytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
            }
        }
        return 0;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
