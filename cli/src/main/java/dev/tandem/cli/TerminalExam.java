package dev.tandem.cli;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The part of the doctor's look that is about the process behind terminals. */
final class TerminalExam {
    private static final String WHAT = "Terminals";
    private static final String CACHE = "-XX:AOTCache=";
    private static final int PATIENCE_MS = 3000;

    private final String how;
    private final long pid;
    private final int port;
    private final Path log;
    private final HubExam.Report report;
    private final int patienceMs;

    /**
     * @param facts what the hub's status says of it
     */
    TerminalExam(JsonNode facts, Path state, HubExam.Report report) {
        this(facts, state, report, PATIENCE_MS);
    }

    TerminalExam(JsonNode facts, Path state, HubExam.Report report, int patienceMs) {
        this.how = facts.path("state").asString("none");
        this.pid = facts.path("pid").asLong();
        this.port = facts.path("port").asInt();
        this.log = state.resolve("logs/terminal.log");
        this.report = report;
        this.patienceMs = patienceMs;
    }

    /**
     * @param home where this product is installed
     */
    void run(Path home) {
        switch (how) {
            case "ready" -> ready(home);
            case "starting" ->
                    report.add(
                            WHAT,
                            Doctor.Verdict.NOTE,
                            "the process behind them is starting",
                            "Look again in a moment. If it stays so: " + log);
            case "off" ->
                    report.add(
                            WHAT,
                            Doctor.Verdict.WRONG,
                            "the process behind them died too often and stays off",
                            "Restart a terminal in the panel, or the hub: tandem stop, tandem up."
                                    + " Why it died: "
                                    + log);
            default -> {
                // a hub that runs without terminals
            }
        }
    }

    private void ready(Path home) {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (process.isEmpty()) {
            report.add(
                    WHAT,
                    Doctor.Verdict.NOTE,
                    "the process behind them, " + pid + ", is gone",
                    "The hub starts another. If it stays so: " + log);
        } else if (!answers()) {
            report.add(
                    WHAT,
                    Doctor.Verdict.WRONG,
                    "process " + pid + " does not answer on port " + port + " and may hang",
                    "The hub ends it within two minutes and starts another; sooner: kill -9 "
                            + pid
                            + ". What runs in terminals ends with it.");
        } else {
            report.add(WHAT, Doctor.Verdict.OK, "process " + pid + ", port " + port, "");
            startUpCache(process.get().info(), home);
        }
    }

    /** Whatever it says to a stranger, it lives. */
    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(patienceMs);
            String request =
                    "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == 'H';
        } catch (IOException e) {
            return false;
        }
    }

    private void startUpCache(ProcessHandle.Info info, Path home) {
        // a system that does not tell how a process was started has nothing to look at
        List<String> arguments = List.of(info.arguments().orElse(new String[0]));
        if (arguments.isEmpty() || info.command().isEmpty()) {
            return;
        }
        Optional<String> cache =
                arguments.stream().filter(one -> one.startsWith(CACHE)).findFirst();
        if (cache.isEmpty()) {
            slow("process " + pid + " started without a start-up cache", home);
        } else if (!takes(info.command().get(), arguments)) {
            String file = cache.get().substring(CACHE.length());
            slow("Java does not take its start-up cache " + file, home);
        }
    }

    private void slow(String found, Path home) {
        // an archive makes its caches before a start when there are none
        String remedy =
                Files.isDirectory(home.resolve("runtime"))
                        ? "Remove " + home.resolve("hub.aot") + ", then: tandem stop, tandem up"
                        : "Make it anew: tandem build, then tandem stop, tandem up";
        report.add(WHAT, Doctor.Verdict.NOTE, found + ", so it starts slowly", remedy);
    }

    /** Starts the same Java with the same options once more, and has it insist on the cache. */
    private static boolean takes(String java, List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(java));
        line.addAll(arguments.subList(0, Math.min(arguments.size(), arguments.indexOf("-cp") + 2)));
        line.addAll(List.of("-XX:AOTMode=on", "-version"));
        try {
            Process process =
                    new ProcessBuilder(line)
                            .redirectErrorStream(true)
                            .redirectOutput(new File("/dev/null"))
                            .start();
            try {
                return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
