package dev.tandem.bench;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prints one table: ours, the floor, the ratio, the bar. */
public final class Main {
    private static final int WARM = 30;
    private static final int RUNS = 150;
    private static final String BARE_CLIENT =
            "exec 3<>/dev/tcp/127.0.0.1/$1; echo hello >&3; read -r -u 3 line; echo \"$line\"";

    private Main() {}

    public static void main(String[] args) throws Exception {
        Path home = Path.of(System.getenv().getOrDefault("TANDEM_HOME", "."));
        List<Result> results = new ArrayList<>();
        if (args.length == 1) {
            results.addAll(
                    args[0].equals("terminal") ? TerminalBench.run(home) : SessionBench.run(home));
            System.out.print(table(results));
            return;
        }
        results.add(start(home));
        try (HubUnderTest hub = new HubUnderTest(home)) {
            results.add(commandLine(hub));
            results.add(new Result("idle memory", hub.residentMegabytes(), 0, 150, "MB"));
        }
        try (HubUnderTest hub = new HubUnderTest(home, "--headless")) {
            results.add(ops(hub));
        }
        results.addAll(TerminalBench.run(home));
        results.addAll(SessionBench.run(home));
        System.out.print(table(results));
    }

    private static String table(List<Result> results) {
        StringBuilder table = new StringBuilder(Result.head());
        results.forEach(result -> table.append(result.line()));
        return table.toString();
    }

    /** From the launcher's start to the first 200. */
    private static Result start(Path home) throws Exception {
        Samples samples = new Samples();
        for (int i = 0; i < 5; i++) {
            HubUnderTest[] hub = new HubUnderTest[1];
            samples.time(() -> {
                hub[0] = new HubUnderTest(home);
                health(hub[0].port());
            });
            hub[0].close();
        }
        return new Result("hub start to first 200", samples.millis(0.5), 0, 1000, "ms");
    }

    /**
     * A whole command through the launcher against bash with a bare socket; both cold processes.
     */
    private static Result commandLine(HubUnderTest hub) throws Exception {
        try (Echo echo = new Echo()) {
            ProcessBuilder ours = hub.command("origin", "list");
            ProcessBuilder floor =
                    new ProcessBuilder(
                            "bash", "-c", BARE_CLIENT, "bash", Integer.toString(echo.port()));
            Samples warm = new Samples();
            Samples oursTimes = new Samples();
            Samples floorTimes = new Samples();
            for (int i = 0; i < WARM + RUNS; i++) {
                (i < WARM ? warm : oursTimes).time(() -> run(ours));
                (i < WARM ? warm : floorTimes).time(() -> run(floor));
            }
            return new Result(
                    "command line, whole process (p50)",
                    oursTimes.millis(0.5),
                    floorTimes.millis(0.5),
                    3,
                    "ms");
        }
    }

    /** A ping to the browser and back over /ops against a bare WebSocket echo of the same text. */
    private static Result ops(HubUnderTest hub) throws Exception {
        hub.awaitBrowser();
        try (EchoSocket echo = new EchoSocket();
                TextSocket bare = new TextSocket(echo.port(), "/", "");
                TextSocket ours = new TextSocket(hub.port(), "/ops", hub.token())) {
            ours.ask("{\"type\":\"ops_hello\",\"version\":\"1\"}", "ops_hello_ack");
            Samples warm = new Samples();
            Samples oursTimes = new Samples();
            Samples floorTimes = new Samples();
            for (int i = 0; i < WARM + RUNS; i++) {
                String id = "\"ping-" + i + "\"";
                String ping = "{\"type\":\"ops_ping\",\"id\":" + id + "}";
                (i < WARM ? warm : oursTimes).time(() -> ours.ask(ping, id));
                (i < WARM ? warm : floorTimes).time(() -> bare.ask(ping, id));
            }
            return new Result(
                    "/ops ping, to the browser and back (p50)",
                    oursTimes.millis(0.5),
                    floorTimes.millis(0.5),
                    3,
                    "ms");
        }
    }

    private static void run(ProcessBuilder builder) throws Exception {
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(builder.command() + " failed: " + output);
        }
    }

    private static void health(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request =
                    "GET /health HTTP/1.1\r\nHost: 127.0.0.1:"
                            + port
                            + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(12);
            if (!new String(answer, StandardCharsets.US_ASCII).equals("HTTP/1.1 200")) {
                throw new IllegalStateException("The hub is not well.");
            }
        }
    }
}
