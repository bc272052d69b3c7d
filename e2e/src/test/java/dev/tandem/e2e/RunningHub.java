package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A hub that {@code ./tandem up} started, ready to be used; closing it ends it. */
final class RunningHub implements PairingHub, AutoCloseable {
    private final Launcher launcher;
    private final Process process;
    private final JsonNode ready;
    private final Queue<String> err = new ConcurrentLinkedQueue<>();

    /** Starts on a free port; without more words, without a browser. */
    RunningHub(Launcher launcher, String... more) throws IOException {
        this.launcher = launcher;
        List<String> words = new ArrayList<>(List.of("up", "--json", "--port", "0"));
        words.addAll(more.length == 0 ? List.of("--browser", "none") : List.of(more));
        process = launcher.start(words.toArray(String[]::new));
        Thread.startVirtualThread(() -> process.errorReader().lines().forEach(err::add));
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null) {
            throw new IOException("The hub did not start: " + said());
        }
        ready = Json.parse(line);
    }

    Launcher launcher() {
        return launcher;
    }

    Process process() {
        return process;
    }

    /** The ready line. */
    JsonNode ready() {
        return ready;
    }

    @Override
    public int port() {
        String url = ready.path("url").asString();
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    /** Whether it still does something: one that ended and was not waited for does not. */
    static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    /** What it said to people. */
    String said() {
        return String.join("\n", err);
    }

    @Override
    public Path extension() {
        return launcher.state().resolve("extension");
    }

    @Override
    public String pairingCode() {
        return Json.parse(run("pair", "--json").out()).path("data").path("code").asString();
    }

    @Override
    public String token() throws IOException {
        Path file = launcher.state().resolve("browse.json");
        return Json.parse(Files.readString(file)).path("token").asString();
    }

    Launcher.Run run(String... words) {
        return launcher.run(words);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
