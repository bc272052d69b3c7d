package dev.tandem.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Throughput against the raw-PTY ceiling and echo against a WebSocket-only floor, as ratios within
 * each round. Arguments: rounds, megabytes.
 */
public final class TerminalBench {
    private static final int WARM_UP = 300;
    private static final int SAMPLES = 3000;

    private final Path dir;
    private final Path file;
    private final long expected;

    private TerminalBench(Path dir, int megabytes) throws IOException {
        this.dir = dir;
        file = dir.resolve("lines");
        expected = writeLines(file, megabytes * 1_000_000);
    }

    /** Prints one line per round and the medians. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        int megabytes = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        TerminalBench bench = new TerminalBench(Files.createTempDirectory("bench"), megabytes);
        bench.run(rounds);
    }

    private void run(int rounds) throws Exception {
        ceiling();
        List<Double> throughput = new ArrayList<>();
        List<Double> withAcks = new ArrayList<>();
        List<Double> echo = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            double ceiling = ceiling();
            try (AgentProcess agent = agent(i)) {
                double cold = stream(agent, true);
                double acked = stream(agent, true);
                double plain = stream(agent, false);
                double floor = floor();
                double ours = echo(agent);
                throughput.add(plain / ceiling);
                withAcks.add(acked / ceiling);
                echo.add(ours / floor);
                System.out.printf(
                        "round %d: ready %d ms, ceiling %.1f MB/s, cold %.1f, acks %.1f, no acks %.1f,"
                                + " echo p50 %.0f us, floor %.0f us, rss %d KB%n",
                        i + 1,
                        agent.readyMs(),
                        ceiling,
                        cold,
                        acked,
                        plain,
                        ours,
                        floor,
                        agent.rssKb());
            }
        }
        System.out.printf(
                "median: throughput/ceiling %.2f (acks %.2f), echo/floor %.2f%n",
                median(throughput), median(withAcks), median(echo));
    }

    private AgentProcess agent(int round) throws IOException {
        Path home = Files.createDirectory(dir.resolve("round" + round));
        return new AgentProcess(home, "read -r x; cat " + file + "; read -r x", Map.of());
    }

    // What the kernel gives: the same program, read as fast as read(2) goes, nothing else.
    private double ceiling() throws InterruptedException {
        try (Pty pty = new Pty(80, 24)) {
            Child.Launch cat = Shells.launch("/bin/cat", file.toString());
            long begun = System.nanoTime();
            Shells.REAPER.spawn(cat, pty.slave(), _ -> {});
            long total = 0;
            while (total < expected) {
                if (pty.await(true, false, -1).input()) {
                    var bytes = pty.read();
                    if (bytes == null) {
                        break;
                    }
                    total += bytes.remaining();
                }
            }
            return total / 1e6 / ((System.nanoTime() - begun) / 1e9);
        }
    }

    private double stream(AgentProcess agent, boolean acks) throws Exception {
        try (RawSocket socket = agent.open(agent.grant(Secrets.make(16), Map.of()))) {
            socket.text("{\"type\":\"start\",\"ack\":" + acks + "}");
            socket.read();
            long begun = System.nanoTime();
            socket.keys("\n");
            long total = 0;
            long acked = 0;
            while (total < expected) {
                RawSocket.Frame frame = socket.read();
                if (frame.binary()) {
                    total += frame.size();
                }
                if (acks && total - acked >= Limits.ACK_EVERY_BYTES) {
                    acked = total;
                    socket.text("{\"type\":\"ack\",\"seq\":" + total + "}");
                }
            }
            return total / 1e6 / ((System.nanoTime() - begun) / 1e9);
        }
    }

    private double echo(AgentProcess agent) throws Exception {
        String token = agent.grant(Secrets.make(16), Map.of("profile", "shell"));
        try (Client client = Client.started(agent, token, "{\"type\":\"start\"}")) {
            client.socket().keys("exec cat\n");
            client.untilText("exec cat\r\n");
            boolean quiet = false;
            while (!quiet) {
                quiet = client.quietFor(300);
            }
            return p50(client.socket());
        }
    }

    private static double floor() throws Exception {
        Process server =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dlogback.configurationFile=dev/tandem/terminal/logback.xml",
                                "-cp",
                                System.getProperty("java.class.path"),
                                EchoFloor.class.getName())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (OutputStream stdin = server.getOutputStream();
                BufferedReader out =
                        new BufferedReader(
                                new InputStreamReader(
                                        server.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (line != null && !line.matches("\\d+")) {
                line = out.readLine();
            }
            int port = Integer.parseInt(String.valueOf(line));
            try (RawSocket socket = RawSocket.upgrade(port, "127.0.0.1:" + port)) {
                return p50(socket);
            } finally {
                stdin.flush();
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static double p50(RawSocket socket) throws IOException {
        double[] micros = new double[SAMPLES];
        for (int i = -WARM_UP; i < SAMPLES; i++) {
            // A line that grows past the terminal's limit would be answered with a bell.
            byte[] key = {(byte) (i % 1000 == 999 ? 0x15 : 'x')};
            long begun = System.nanoTime();
            socket.send(2, key);
            RawSocket.Frame frame = socket.read();
            while (!frame.binary()) {
                frame = socket.read();
            }
            if (i >= 0) {
                micros[i] = (System.nanoTime() - begun) / 1e3;
            }
        }
        Arrays.sort(micros);
        return micros[SAMPLES / 2];
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    // Lines of 20 to 119 letters; the terminal adds a carriage return to each.
    private static long writeLines(Path file, int size) throws IOException {
        Random random = new Random(11);
        byte[] data = new byte[size];
        int lines = 0;
        int left = 60;
        for (int i = 0; i < size; i++) {
            if (left-- == 0 || i == size - 1) {
                data[i] = '\n';
                lines++;
                left = 20 + random.nextInt(100);
            } else {
                data[i] = (byte) (random.nextInt(6) == 0 ? ' ' : 'a' + random.nextInt(26));
            }
        }
        Files.write(file, data);
        return (long) size + lines;
    }
}
