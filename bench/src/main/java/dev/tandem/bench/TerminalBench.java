package dev.tandem.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Terminals against what the kernel and a bare socket give: ceiling and floor are measured in every
 * round, and the ratio is the median of the rounds' own ratios.
 */
final class TerminalBench {
    private static final int ROUNDS = 5;
    private static final int BYTES = 100_000_000;
    private static final int WARM_UP = 300;
    private static final int SAMPLES = 3000;
    private static final int SPAWNS = 20;

    private final Path folder;
    private final Path file;
    private final long expected;

    private record Round(double ours, double best) {
        double ratio() {
            return ours / best;
        }
    }

    private TerminalBench(Path folder) throws IOException {
        this.folder = folder;
        file = folder.resolve("lines");
        expected = writeLines(file);
    }

    static List<Result> run(Path home) throws Exception {
        Path folder = Files.createTempDirectory("tandem-bench-terminal");
        try {
            return new TerminalBench(folder).measure(home);
        } finally {
            Files.deleteIfExists(folder.resolve("lines"));
            Files.deleteIfExists(folder.resolve("claude"));
            Files.delete(folder);
        }
    }

    private List<Result> measure(Path home) throws Exception {
        if (!onPath("ttyd")) {
            System.out.println("ttyd is not installed; terminals are compared without it.");
        }
        List<Result> results = new ArrayList<>();
        try (HubUnderTest hub = new HubUnderTest(home, BenchTerminal.environment(folder))) {
            results.add(ready(hub));
            ceiling();
            stream(hub, true);
            List<Round> acked = new ArrayList<>();
            List<Round> plain = new ArrayList<>();
            List<Round> echoes = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                double best = ceiling();
                acked.add(new Round(stream(hub, true), best));
                plain.add(new Round(stream(hub, false), best));
                echoes.add(new Round(echo(hub), floor()));
            }
            // 0.8 of the ceiling's throughput is 1.25 of its time.
            results.add(median("terminal, 100 MB, acknowledged", acked, 1.25, "s"));
            results.add(median("terminal, 100 MB", plain, 1.25, "s"));
            results.add(median("terminal, echo of a key (p50)", echoes, 1.7, "µs"));
            results.add(spawn(hub));
            results.add(
                    new Result(
                            "terminal agent's memory, the hub's beside it",
                            hub.terminalMegabytes(),
                            hub.residentMegabytes(),
                            0.8,
                            "MB"));
        }
        return results;
    }

    /** From the hub's first word to an agent that takes terminals. */
    private static Result ready(HubUnderTest hub) throws Exception {
        double millis = hub.awaitTerminals() / 1e6;
        return new Result("terminal agent ready after the hub", millis, 0, 500, "ms");
    }

    private double ceiling() throws Exception {
        try {
            return RawPty.seconds("cat", file.toString());
        } catch (Exception e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private double stream(HubUnderTest hub, boolean acks) throws Exception {
        try (BenchTerminal terminal = new BenchTerminal(hub, acks)) {
            terminal.awaitBytes();
            long begun = System.nanoTime();
            terminal.run("cat '" + file + "'; read -r x");
            long total = 0;
            long acknowledged = 0;
            while (total < expected) {
                total += terminal.awaitBytes().data().remaining();
                if (acks && total - acknowledged >= BenchTerminal.ACK_EVERY_BYTES) {
                    acknowledged = total;
                    terminal.acknowledge(total);
                }
            }
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    private static double echo(HubUnderTest hub) throws Exception {
        try (BenchTerminal terminal = new BenchTerminal(hub, true)) {
            terminal.awaitBytes();
            terminal.run("printf S; exec cat");
            while (terminal.awaitBytes().data().get(0) != 'S') {
                // what came before
            }
            return p50(terminal.socket());
        }
    }

    private static double floor() throws Exception {
        try (EchoProcess echo = new EchoProcess();
                FrameSocket socket = new FrameSocket(echo.port(), "/")) {
            return p50(socket);
        }
    }

    private static double p50(FrameSocket socket) throws Exception {
        Samples samples = new Samples();
        Samples warm = new Samples();
        for (int i = 0; i < WARM_UP + SAMPLES; i++) {
            // A line that grows past the terminal's limit would be answered with a bell.
            byte[] key = {(byte) (i % 1000 == 999 ? 0x15 : 'x')};
            (i < WARM_UP ? warm : samples)
                    .time(() -> {
                        socket.send(FrameSocket.BINARY, key);
                        while (socket.read().opcode() != FrameSocket.BINARY) {
                            // a ping of the terminal
                        }
                    });
        }
        return samples.millis(0.5) * 1000;
    }

    private static Result spawn(HubUnderTest hub) throws Exception {
        Samples samples = new Samples();
        for (int i = 0; i < SPAWNS; i++) {
            BenchTerminal[] terminal = new BenchTerminal[1];
            samples.time(() -> {
                terminal[0] = new BenchTerminal(hub, true);
                terminal[0].awaitMessage("hello");
            });
            terminal[0].run("exit");
            terminal[0].awaitMessage("exit");
            terminal[0].close();
        }
        return new Result(
                "terminal, from the grant to a running program (p50)",
                samples.millis(0.5),
                0,
                50,
                "ms");
    }

    private static Result median(String what, List<Round> rounds, double bar, String unit) {
        List<Round> sorted =
                rounds.stream().sorted(java.util.Comparator.comparingDouble(Round::ratio)).toList();
        Round middle = sorted.get(sorted.size() / 2);
        return new Result(what, middle.ours, middle.best, bar, unit);
    }

    private static boolean onPath(String program) {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (Files.isExecutable(Path.of(place, program))) {
                return true;
            }
        }
        return false;
    }

    // Lines of 20 to 119 letters; the terminal adds a carriage return to each.
    private static long writeLines(Path file) throws IOException {
        Random random = new Random(11);
        byte[] data = new byte[BYTES];
        int lines = 0;
        int left = 60;
        byte[] letters = "abcdefghijklmnopqrstuvwxyz     ".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < data.length; i++) {
            if (left-- == 0 || i == data.length - 1) {
                data[i] = '\n';
                lines++;
                left = 20 + random.nextInt(100);
            } else {
                data[i] = letters[random.nextInt(letters.length)];
            }
        }
        Files.write(file, data);
        return (long) BYTES + lines;
    }
}
