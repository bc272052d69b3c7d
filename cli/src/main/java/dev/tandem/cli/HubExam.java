package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The part of the doctor's look that speaks to a running hub: who answers, and whether it is well.
 */
final class HubExam {
    private static final int PATIENCE_MS = 3000;

    private final int port;
    private final String token;
    private final long pid;
    private final String instance;
    private final Report report;
    private final int patienceMs;

    /** Takes what was found. */
    interface Report {
        void add(String what, Doctor.Verdict verdict, String found, String remedy);
    }

    HubExam(JsonNode file, Report report) {
        this(file, report, PATIENCE_MS);
    }

    HubExam(JsonNode file, Report report, int patienceMs) {
        this.patienceMs = patienceMs;
        this.port = file.path("port").asInt();
        this.token = file.path("token").asString("");
        this.pid = file.path("pid").asLong();
        this.instance = file.path("instanceId").asString("");
        this.report = report;
    }

    /** What a hub that is well says of itself. */
    Optional<JsonNode> run(String extensionVersion) {
        if (ProcessHandle.of(pid).isEmpty()) {
            wrong(
                    "Hub",
                    "its process " + pid + " is gone",
                    "It ended without cleaning up. Start it: tandem up");
            return Optional.empty();
        }
        if (!answers()) {
            return Optional.empty();
        }
        report.add("Hub", Doctor.Verdict.OK, "http://127.0.0.1:" + port + ", process " + pid, "");
        Answer status = get("/status", "Authorization: Bearer " + token + "\r\n");
        if (!status.isOfHub()) {
            hidden(status);
            return Optional.empty();
        }
        report.add("Token", Doctor.Verdict.OK, "accepted", "");
        new BrowserExam(status.body(), port, report).run(extensionVersion);
        return Optional.of(status.body());
    }

    /** Why the state is not shown: who asks, how the hub is, and only then the token. */
    private void hidden(Answer answer) {
        if (answer.body().path("reason").asString("").equals("agent_process")) {
            report.add(
                    "Token",
                    Doctor.Verdict.NOTE,
                    "the hub shows its state to you alone. "
                            + answer.body().path("error").asString(""),
                    "Ask in your own shell: tandem doctor");
        } else if (answer.status() == Answer.SILENT || answer.status() >= 500) {
            wrong(
                    "Hub",
                    answer.status() == Answer.SILENT
                            ? "it lives, but does not say how it is within "
                                    + patienceMs / 1000
                                    + " s"
                            : "it lives, but fails to say how it is (" + answer.status() + ")",
                    "Look again in a moment. If it stays so, logs/hub.log in the state dir says"
                            + " why.");
        } else {
            wrong(
                    "Token",
                    "the hub does not take the token of the state dir",
                    "Restart the hub: tandem stop, tandem up");
        }
    }

    /** Whether it is our hub that answers; says who else it is, or that nobody does. */
    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(patienceMs);
        } catch (ConnectException e) {
            wrong(
                    "Hub",
                    "nothing listens on port " + port + ", where process " + pid + " should",
                    "It may listen on another port or hang. Restart it: tandem stop, tandem up");
            return false;
        } catch (IOException e) {
            wrong("Hub", "port " + port + " cannot be reached", "Check the loopback interface.");
            return false;
        }
        Answer config = get("/config", "");
        if (config.status() == Answer.SILENT) {
            wrong(
                    "Hub",
                    "port " + port + " takes calls and answers none; process " + pid + " may hang",
                    "Restart it: tandem stop, tandem up");
            return false;
        }
        if (!config.isOfHub()) {
            wrong(
                    "Hub",
                    "port " + port + " does not answer as a hub",
                    "Another program answers there. End it, or restart the hub on another port:"
                            + " tandem stop, tandem up --port N");
            return false;
        }
        if (!instance.isEmpty()
                && !config.body().path("instanceId").asString("").equals(instance)) {
            wrong(
                    "Hub",
                    "another hub answers on port " + port,
                    "It belongs to another state dir (TANDEM_STATE_DIR) or another user.");
            return false;
        }
        return true;
    }

    /** Says whether a hub could have that port. */
    static void freePort(int port, Report report) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            report.add("Port", Doctor.Verdict.OK, socket.getLocalPort() + " is free", "");
        } catch (IOException e) {
            boolean hub = new HubExam(Json.object().put("port", port), report).isHub();
            report.add(
                    "Port",
                    Doctor.Verdict.WRONG,
                    port + (hub ? " has another hub" : " is taken by another program"),
                    hub
                            ? "It is another user's or has another state dir: name that in"
                                    + " TANDEM_STATE_DIR, or choose another port: tandem up --port N"
                            : "End that program, or choose another port: tandem up --port N");
        }
    }

    private boolean isHub() {
        return get("/config", "").isOfHub();
    }

    private void wrong(String what, String found, String remedy) {
        report.add(what, Doctor.Verdict.WRONG, found, remedy);
    }

    /** What came back. */
    private record Answer(int status, JsonNode body) {
        /** The connection stands, and nothing comes. */
        static final int SILENT = 0;

        /** Hung up, or no HTTP. */
        static final int NONE = -1;

        static Answer of(int status) {
            return new Answer(status, Json.object());
        }

        boolean isOfHub() {
            return status == 200 && body.has("instanceId");
        }
    }

    private Answer get(String path, String headers) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(patienceMs);
            String request =
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: 127.0.0.1:"
                            + port
                            + "\r\n"
                            + headers
                            + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return read(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (SocketTimeoutException e) {
            return Answer.of(Answer.SILENT);
        } catch (IOException | RuntimeException e) {
            return Answer.of(Answer.NONE);
        }
    }

    private static Answer read(String answer) {
        if (!answer.matches("(?s)HTTP/1\\.1 \\d{3}.*")) {
            return Answer.of(Answer.NONE);
        }
        int status = Integer.parseInt(answer.substring(9, 12));
        // between them may be the lengths of pieces
        int start = answer.indexOf('{', answer.indexOf("\r\n\r\n"));
        int end = answer.lastIndexOf('}');
        return start > 0 && end > start
                ? new Answer(status, Json.parse(answer.substring(start, end + 1)))
                : Answer.of(status);
    }
}
