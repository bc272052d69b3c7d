package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A hub that the launcher started on a temporary state dir. */
final class HubUnderTest implements AutoCloseable {
    private final Path home;
    private final Map<String, String> environment;
    private final Path state;
    private final Process process;
    private final int port;
    private final long readyNanos;

    /** Starts one without a browser, unless more words ask for one. */
    HubUnderTest(Path home, String... more) throws IOException {
        this(home, Map.of(), more);
    }

    /** Starts one with more in its environment. */
    HubUnderTest(Path home, Map<String, String> environment, String... more) throws IOException {
        this.home = home;
        this.environment = environment;
        this.state = Files.createTempDirectory("tandem-bench");
        List<String> words = new ArrayList<>(List.of("up", "--port", "0", "--json"));
        words.addAll(more.length == 0 ? List.of("--browser", "none") : List.of(more));
        this.process =
                command(words.toArray(String[]::new))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null) {
            throw new IOException("The hub did not start.");
        }
        readyNanos = System.nanoTime();
        JsonNode ready = Json.parse(line);
        String url = ready.path("url").asString();
        this.port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    int port() {
        return port;
    }

    /** The user's own token of this hub. */
    String token() throws IOException {
        return Json.parse(Files.readString(state.resolve("browse.json"))).path("token").asString();
    }

    /** Waits until the browser that this hub started is connected. */
    void awaitBrowser() throws IOException, InterruptedException {
        for (int i = 0; i < 300; i++) {
            Process list = command("browsers", "--json").redirectErrorStream(true).start();
            String text = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (list.waitFor() == 0 && text.contains("\"managed\"")) {
                return;
            }
            Thread.sleep(100);
        }
        throw new IOException("No browser connected within 30 s.");
    }

    /** The launcher with these words, for this hub. */
    ProcessBuilder command(String... words) {
        ProcessBuilder builder = new ProcessBuilder();
        builder.command().add(home.resolve("tandem").toString());
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        builder.environment().put("TANDEM_STATE_DIR", state.toString());
        builder.environment().put("TANDEM_NO_START", "1");
        return builder;
    }

    /** Waits until terminals can be opened; answers the nanoseconds since the hub was ready. */
    long awaitTerminals() throws IOException, InterruptedException {
        Path port = state.resolve("terminal-port");
        for (long now = System.nanoTime(); now - readyNanos < 30_000_000_000L; ) {
            if (Files.exists(port)) {
                return System.nanoTime() - readyNanos;
            }
            Thread.sleep(1);
            now = System.nanoTime();
        }
        throw new IOException("No terminal agent within 30 s.");
    }

    /** Resident memory of the terminal agent in megabytes. */
    double terminalMegabytes() throws IOException {
        String record = Files.readString(state.resolve("terminal-agent-pid"));
        return megabytes(Json.parse(record).path("pid").asLong());
    }

    /** Resident memory in megabytes, where /proc tells it. */
    double residentMegabytes() throws IOException {
        return megabytes(process.pid());
    }

    private static double megabytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
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
