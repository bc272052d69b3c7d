package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The part of the doctor's look that speaks to a running hub. */
final class HubExam {
    private static final int PATIENCE_MS = 3000;

    private final int port;
    private final String token;
    private final long pid;
    private final Report report;

    /** Takes what was found. */
    interface Report {
        void add(String what, Doctor.Verdict verdict, String found, String remedy);
    }

    HubExam(JsonNode file, Report report) {
        this.port = file.path("port").asInt();
        this.token = file.path("token").asString("");
        this.pid = file.path("pid").asLong();
        this.report = report;
    }

    void run(String extensionVersion) {
        if (ProcessHandle.of(pid).isEmpty()) {
            report.add(
                    "Hub",
                    Doctor.Verdict.WRONG,
                    "its process " + pid + " is gone",
                    "It ended without cleaning up. Start it: tandem up");
            return;
        }
        Optional<JsonNode> health = ask("GET /health HTTP/1.1", "");
        if (health.isEmpty() || !health.get().path("ok").asBoolean(false)) {
            report.add(
                    "Hub",
                    Doctor.Verdict.WRONG,
                    "port " + port + " does not answer as a hub",
                    "Another program answers there. Restart the hub: tandem stop, tandem up");
            return;
        }
        report.add("Hub", Doctor.Verdict.OK, "http://127.0.0.1:" + port + ", process " + pid, "");
        Optional<JsonNode> status = status();
        if (status.isEmpty()) {
            report.add(
                    "Token",
                    Doctor.Verdict.WRONG,
                    "the hub does not take the token of the state dir",
                    "Restart the hub: tandem stop, tandem up");
            return;
        }
        report.add("Token", Doctor.Verdict.OK, "accepted", "");
        browsers(status.get().path("data"), extensionVersion);
    }

    private void browsers(JsonNode status, String extensionVersion) {
        JsonNode browsers = status.path("browsers");
        if (browsers.isEmpty()) {
            report.add(
                    "Browser",
                    Doctor.Verdict.NOTE,
                    "none is connected",
                    "Start one (tandem up) or connect yours (tandem connect chrome). A browser that was paired connects by itself when it runs.");
        }
        for (JsonNode browser : browsers) {
            String name = browser.path("name").asString("browser");
            String version =
                    browser.path("extensionVersion").asString(browser.path("version").asString(""));
            report.add("Browser", Doctor.Verdict.OK, name + " is connected", "");
            if (!extensionVersion.isEmpty()
                    && !version.isEmpty()
                    && !version.equals(extensionVersion)) {
                report.add(
                        "Extension",
                        Doctor.Verdict.NOTE,
                        name + " has version " + version + ", the hub's is " + extensionVersion,
                        "Reload the extension on chrome://extensions.");
            }
        }
    }

    /** Says whether a hub could have that port. */
    static void freePort(int port, Report report) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            report.add("Port", Doctor.Verdict.OK, socket.getLocalPort() + " is free", "");
        } catch (IOException e) {
            report.add(
                    "Port",
                    Doctor.Verdict.WRONG,
                    port + " is taken by another program",
                    "End that program, or choose another port: tandem up --port N");
        }
    }

    /** Runs "status" through the door of the launcher; the answer's frames are put together. */
    private Optional<JsonNode> status() {
        String fields = String.join("\0", "6", "/", "0", "0", "0", "status", "--json", "");
        String body = Integer.toHexString(fields.length()) + "\r\n" + fields + "\r\n";
        return ask(
                "POST /cli HTTP/1.1\r\nAuthorization: Bearer "
                        + token
                        + "\r\nTandem-Pid: "
                        + ProcessHandle.current().pid()
                        + "\r\nTransfer-Encoding: chunked",
                body);
    }

    private Optional<JsonNode> ask(String head, String body) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MS);
            String request =
                    head + "\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int start = answer.indexOf('{', answer.indexOf("\r\n\r\n"));
            int end = answer.lastIndexOf('}');
            return answer.startsWith("HTTP/1.1 200") && start > 0 && end > start
                    ? Optional.of(Json.parse(answer.substring(start, end + 1)))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
