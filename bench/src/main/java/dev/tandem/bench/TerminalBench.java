package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Terminals against what the kernel, a bare relay and a bare socket give, and against ttyd where
 * there is one: ceiling and floors are measured in every round, and the ratio is the median of the
 * rounds' own.
 */
final class TerminalBench {
    private static final int ROUNDS = 15;
    private static final int BYTES = 100_000_000;
    private static final int SPAWNS = 20;
    private static final int INTERRUPTS = 3;
    private static final int STALL_SECONDS = 5;
    // 0.8 of the ceiling's throughput is 1.25 of its time.
    private static final double STREAM_BAR = 1.25;
    private static final double ECHO_BAR = 1.7;
    // Keeping, scanning and pacing the bytes may cost little beside carrying them.
    private static final double BARE_BAR = 1.1;

    private final Path home;
    private final Path folder;
    private final Path file;
    private final long expected;
    private final boolean ttyd = Ttyd.installed();
    private final List<Round> acked = new ArrayList<>();
    private final List<Round> plain = new ArrayList<>();
    private final List<Round> acksAgainstNone = new ArrayList<>();
    private final List<Round> bare = new ArrayList<>();
    private final List<Round> againstBare = new ArrayList<>();
    private final List<Round> bareAcksAgainstNone = new ArrayList<>();
    private final List<Round> echoes = new ArrayList<>();
    private final List<Round> tails = new ArrayList<>();
    private final List<Double> interrupts = new ArrayList<>();
    private final List<Round> ttydStreams = new ArrayList<>();
    private final List<Round> ttydEchoes = new ArrayList<>();
    private final List<Round> againstTtyd = new ArrayList<>();

    private record Round(double ours, double best) {
        double ratio() {
            return ours / best;
        }
    }

    private TerminalBench(Path home, Path folder) throws IOException {
        this.home = home;
        this.folder = folder;
        file = folder.resolve("lines");
        expected = writeLines(file);
    }

    static List<Result> run(Path home) throws Exception {
        Path folder = Files.createTempDirectory("tandem-bench-terminal");
        try {
            return new TerminalBench(home, folder).measure();
        } finally {
            Files.deleteIfExists(folder.resolve("lines"));
            Files.deleteIfExists(folder.resolve("claude"));
            Files.delete(folder);
        }
    }

    private List<Result> measure() throws Exception {
        if (!ttyd) {
            System.out.println("There is no ttyd here: terminals are held against floors only.");
        }
        List<Result> results = new ArrayList<>();
        try (HubUnderTest hub = new HubUnderTest(home, BenchTerminal.environment(folder))) {
            results.add(ready(hub));
            double cold = stream(hub, true);
            System.out.printf(
                    Locale.ROOT,
                    "The first 100 MB of a new terminal agent take %.2f s; a bare read %.2f s.%n",
                    cold,
                    ceiling());
            for (int i = 0; i < ROUNDS; i++) {
                round(hub, i);
            }
            results.add(median("terminal, 100 MB, acknowledged", acked, STREAM_BAR, "s"));
            results.add(median("terminal, 100 MB", plain, STREAM_BAR, "s"));
            results.add(median("a bare relay, 100 MB", bare, Double.NaN, "s"));
            results.add(median("terminal, against the bare relay", againstBare, BARE_BAR, "s"));
            results.add(median("terminal, acknowledged against not", acksAgainstNone, 1.05, "s"));
            results.add(median("a bare relay, the same", bareAcksAgainstNone, Double.NaN, "s"));
            results.add(median("terminal, echo of a key (p50)", echoes, ECHO_BAR, "µs"));
            results.add(median("terminal, echo of a key (p99)", tails, Double.NaN, "µs"));
            if (ttyd) {
                results.add(median("ttyd, 100 MB", ttydStreams, Double.NaN, "s"));
                results.add(median("ttyd, echo of a key (p50)", ttydEchoes, Double.NaN, "µs"));
                results.add(median("terminal, echo against ttyd's", againstTtyd, 1, "µs"));
            }
            results.add(spawn(hub));
            double interrupt = interrupts.stream().sorted().toList().get(interrupts.size() / 2);
            results.add(
                    new Result("terminal, ^C in a flood to its end (p50)", interrupt, 0, 5, "ms"));
            results.add(stall(hub));
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

    // The order of the two ways changes, so that neither always follows the other.
    private void round(HubUnderTest hub, int number) throws Exception {
        boolean acksFirst = number % 2 == 0;
        double best = ceiling();
        double relayed = bareRelay(false);
        double relayedWithAcks = bareRelay(true);
        double first = stream(hub, acksFirst);
        double second = stream(hub, !acksFirst);
        double withAcks = acksFirst ? first : second;
        double without = acksFirst ? second : first;
        acked.add(new Round(withAcks, best));
        plain.add(new Round(without, best));
        acksAgainstNone.add(new Round(withAcks, without));
        bare.add(new Round(relayed, best));
        againstBare.add(new Round(without, relayed));
        bareAcksAgainstNone.add(new Round(relayedWithAcks, relayed));
        JsonNode floor = floor();
        JsonNode echo = NodeClient.ask(home, BenchTerminal.spec(hub).put("do", "echo"));
        echoes.add(at("p50", echo, floor));
        tails.add(at("p99", echo, floor));
        interrupts.add(interrupt(hub));
        if (ttyd) {
            ttydStreams.add(new Round(ttydStream(), best));
            JsonNode theirs = ttydEcho();
            ttydEchoes.add(at("p50", theirs, floor));
            againstTtyd.add(at("p50", echo, theirs));
        }
        System.out.printf(
                Locale.ROOT,
                "Round %d: a bare read %.2f s, a bare relay %.2f s, acknowledged %.2f s, not %.2f"
                        + " s; echo %.0f µs over %.0f µs; ^C %.1f ms; load %.1f.%n",
                number + 1,
                best,
                relayed,
                withAcks,
                without,
                echo.path("p50").asDouble(),
                floor.path("p50").asDouble(),
                interrupts.getLast(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static Round at(String quantile, JsonNode ours, JsonNode best) {
        return new Round(ours.path(quantile).asDouble(), best.path(quantile).asDouble());
    }

    /** From the hub's first word to an agent that takes terminals. */
    private static Result ready(HubUnderTest hub) throws Exception {
        double millis = hub.awaitTerminals() / 1e6;
        return new Result("terminal agent ready after the hub", millis, 0, 500, "ms");
    }

    private double ceiling() throws IOException {
        return RawPty.seconds("cat", file.toString());
    }

    /** With acknowledgements that nobody reads, what it costs the client to write them. */
    private double bareRelay(boolean acks) throws IOException {
        try (PtySocket relay = new PtySocket("cat", file.toString())) {
            return seconds(relay.spec().put("acks", acks).put("line", "\n"));
        }
    }

    private double stream(HubUnderTest hub, boolean acks) throws Exception {
        return seconds(
                BenchTerminal.spec(hub)
                        .put("acks", acks)
                        .put("line", "cat '" + file + "'; read -r x\n"));
    }

    private double ttydStream() throws Exception {
        String program = "read x; cat '" + file + "'; sleep 20";
        try (Ttyd server = new Ttyd("sh", "-c", program)) {
            return seconds(server.spec().put("line", "\n"));
        }
    }

    private double seconds(ObjectNode spec) throws IOException {
        spec.put("do", "stream").put("expected", expected);
        return NodeClient.ask(home, spec).path("seconds").asDouble();
    }

    private JsonNode ttydEcho() throws Exception {
        try (Ttyd server = new Ttyd("cat")) {
            return NodeClient.ask(home, server.spec().put("do", "echo"));
        }
    }

    private JsonNode floor() throws IOException {
        try (NodeClient server = new NodeClient(home, Json.object().put("do", "floor"))) {
            int port = server.line().path("port").asInt();
            return NodeClient.ask(
                    home, Json.object().put("do", "echo").put("server", "floor").put("port", port));
        }
    }

    /** Milliseconds from ^C in a flood until the client knows the end; the median of a few. */
    private double interrupt(HubUnderTest hub) throws Exception {
        ObjectNode spec = BenchTerminal.spec(hub).put("do", "interrupt").put("acks", true);
        ArrayNode tokens = spec.putArray("tokens").add(spec.path("token"));
        while (tokens.size() <= INTERRUPTS) {
            tokens.add(BenchTerminal.spec(hub).path("token"));
        }
        return NodeClient.ask(home, spec).path("ms").asDouble();
    }

    /** How much the agent grows while a client in a flood does not read its socket. */
    private Result stall(HubUnderTest hub) throws Exception {
        ObjectNode spec = BenchTerminal.spec(hub).put("do", "stall").put("acks", false);
        try (NodeClient client = new NodeClient(home, spec)) {
            client.line();
            double before = hub.terminalMegabytes();
            Thread.sleep(STALL_SECONDS * 1000L);
            double grown = Math.max(0, hub.terminalMegabytes() - before);
            return new Result("terminal agent's growth, reader stalled", grown, 0, 2, "MB");
        }
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
                rounds.stream().sorted(Comparator.comparingDouble(Round::ratio)).toList();
        Round middle = sorted.get(sorted.size() / 2);
        return new Result(what, middle.ours, middle.best, bar, unit);
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
