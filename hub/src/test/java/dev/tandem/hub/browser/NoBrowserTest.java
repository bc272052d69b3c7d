package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A hub that no browser has come to yet, and one that comes late. */
class NoBrowserTest {
    private static final String STARTED_WITH = "a hub started with --extension-legacy";
    @TempDir Path folder;
    private TestHub hub;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        door = new Door(hub.port(), hub.hubToken());
    }

    @AfterEach
    void stop() throws IOException {
        hub.close();
    }

    private JsonNode call(String tool, ObjectNode params) throws Exception {
        ObjectNode body = Json.object().put("name", tool);
        body.set("params", params);
        return door.post("/command", body).json();
    }

    private String refusal(String tool, ObjectNode params) throws Exception {
        JsonNode answer = call(tool, params);
        assertThat(answer.path("ok").asBoolean(true)).as("%s", answer).isFalse();
        JsonNode error = answer.path("error");
        return error.path("code").asString() + ": " + error.path("message").asString();
    }

    private JsonNode status() throws Exception {
        return call("status", Json.object().put("daemon", true)).path("data");
    }

    @Test
    void connectingOnesOwnBrowserWaitsForThatOne() throws Exception {
        // one that the hub reached by itself comes while the person still loads the extension
        CompletableFuture<Void> waits = new CompletableFuture<>();
        CompletableFuture<CliDoor.Printed> connecting =
                CompletableFuture.supplyAsync(
                        () -> connectChrome(waits), Thread::startVirtualThread);
        waits.get(30, TimeUnit.SECONDS);
        try (FakeExtension debugged = hub.extension(DebuggedBrowsers.PREFIX + "1", "Zulu")) {
            assertThat(status().at("/browsers/0/mode").asString()).isEqualTo("cdpConnect");
            try (FakeExtension own = hub.extension("one", "Mine")) {
                CliDoor.Printed printed = connecting.get(30, TimeUnit.SECONDS);
                assertThat(printed.text()).endsWith("Connected: Test 2\n");
                assertThat(printed.exit()).isZero();
                assertThat(own.wire().isOpen()).isTrue();
            }
            assertThat(debugged.wire().isOpen()).isTrue();
        }
    }

    private CliDoor.Printed connectChrome(CompletableFuture<Void> waits) {
        try {
            return new CliDoor(hub)
                    .run(
                            true,
                            said -> {
                                if (said.contains("Waiting for your browser")) {
                                    waits.complete(null);
                                }
                            },
                            "connect",
                            "chrome");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theWayToABrowserIsSaidAndOneThatComesLateIsTaken() throws Exception {
        assertThat(refusal("connect", Json.object()))
                .startsWith("extension_not_connected: Extension relay not available.");
        assertThat(refusal("launch", Json.object()))
                .startsWith("extension_not_connected: ")
                .contains(
                        "tandem connect chrome", "tandem stop, then tandem up --extension-legacy");
        ObjectNode patient = Json.object().put("waitForExtension", true);
        assertThat(status().path("browsers").size()).isZero();
        CompletableFuture<JsonNode> waiting =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return call("launch", patient.put("waitTimeoutMs", 30_000));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        try (FakeExtension late = hub.extension("one", "First")) {
            JsonNode opened = waiting.get(30, TimeUnit.SECONDS).path("data");
            assertThat(opened.path("mode").asString()).isEqualTo("extension");
            call("launch", Json.object());
            late.request();
            late.request();
            JsonNode known = status();
            assertThat(known.at("/browsers/0/name").asString()).isEqualTo("Test");
            assertThat(known.at("/browsers/0/sessions").asInt()).isEqualTo(2);
            assertThat(known.path("sessions").size()).isEqualTo(2);
            assertThat(known.at("/sessions/0/state").asString()).isEqualTo("active");
            assertThat(known.at("/sessions/0/mode").asString()).isEqualTo("extension");
            assertThat(refusal("launch", Json.object().put("browser", "Ghost")))
                    .isEqualTo(
                            "invalid_request: There is no browser named \"Ghost\". Connected:"
                                    + " Test.");

            // OPS-44: a page that waits for an answer is not clear
            ObjectNode first = Json.object();
            first.set("sessionId", opened.path("sessionId"));
            for (boolean asks : new boolean[] {true, false}) {
                ObjectNode state = Json.object().put("state", "active");
                state.putObject("dialog").put("open", asks);
                late.on("session.status", request -> late.answer(request, state));
                JsonNode meta = call("status", first.deepCopy()).at("/data/meta");
                assertThat(meta.path("dialog").path("open").asBoolean()).isEqualTo(asks);
                assertThat(meta.path("blockerState").asString())
                        .isEqualTo(asks ? "active" : "clear");
            }

            // OPS-44: nor is one that wants a login first
            ObjectNode walled = Json.object().put("state", "active");
            walled.putObject("dialog").put("open", false);
            walled.putObject("meta")
                    .put("blockerState", "active")
                    .putObject("blocker")
                    .put("type", "auth_required");
            late.on("session.status", request -> late.answer(request, walled));
            JsonNode wall = call("status", first.deepCopy()).at("/data/meta");
            assertThat(wall.path("blockerState").asString()).isEqualTo("active");
            assertThat(wall.at("/blocker/type").asString()).isEqualTo("auth_required");
            assertThat(wall.at("/dialog/open").asBoolean()).isFalse();

            // what the browser has forgotten is over; what it could not do is not
            late.on(
                    "session.disconnect",
                    request -> late.fail(request, "timeout", "Busy", Json.object()));
            assertThat(refusal("disconnect", first)).startsWith("timeout: ");
            assertThat(status().path("sessions").size()).isEqualTo(2);
            late.on(
                    "session.disconnect",
                    request -> late.fail(request, "invalid_session", "Unknown", Json.object()));
            assertThat(call("disconnect", first).path("ok").asBoolean()).isTrue();
            assertThat(status().path("sessions").size()).isEqualTo(1);
        }
    }

    @Test
    void aProgramOnOpsIsInTheStatus() throws Exception {
        try (FakeExtension extension = hub.extension("one", "First")) {
            // the answer comes when the door behind the greeting is open
            extension.wire().send(Json.object().put("type", "ping").put("id", "after"));
            extension.wire().next("pong");
            try (OpsSocket program =
                    OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), hub.hubToken())) {
                assertThat(program.clientId()).isNotEmpty();
                assertThat(status().at("/clients/0/door").asString()).isEqualTo("ops");
            }
            assertThat(extension.waiting()).isZero();
        }
    }

    private String shell(String... words) throws IOException {
        CliDoor.Printed printed = new CliDoor(hub).run(false, words);
        assertThat(printed.exit()).as(printed.text()).isEqualTo(2);
        return printed.text();
    }

    // OPS-93: what cannot be started is said, and nothing stays behind
    @Test
    void aManagedBrowserThatCannotStartIsSaid() throws Exception {
        String nowhere = folder.resolve("chromium").toString();
        String[] launch = {"launch", "--no-extension", "--headless", "--chrome-path", nowhere};
        assertThat(shell(launch))
                .startsWith("[launch_failed] There is no program at " + nowhere + ".");
        Files.writeString(
                Files.createFile(
                        Path.of(nowhere),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------"))),
                "#!/bin/sh\nexit 0\n");
        assertThat(shell(launch)).startsWith("[launch_failed] ");
        assertThat(shell("launch", "--no-extension", "--headless", "--profile", "../up"))
                .startsWith("[invalid_request] A profile's name has 1 to 40");
        assertThat(status().path("browsers").size()).isZero();
    }

    // SEC-22: its last words are told, and do nothing to a terminal
    @Test
    void whyABrowserDoesNotStartIsTold() throws Exception {
        // what a browser would load
        Files.createDirectories(hub.stateDir().resolve("extension"));
        Path program = folder.resolve("chromium");
        Files.writeString(
                program,
                """
                #!/bin/bash
                echo "[1:1:1118/2.1:ERROR:dbus/bus.cc(408)] Failed to connect to the bus" >&2
                printf '[1:1:1118/2.2:FATAL:zygote.cc(132)] No usable sandbox! \\033[2J\\n#0 0x55\\n' >&2
                exit 1
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(door.get("/status").json().has("launchFailed")).isFalse();
        String said = shell("launch", "--no-extension", "--chrome-path", program.toString());
        assertThat(said)
                .startsWith(
                        "[launch_failed] "
                                + program
                                + " ended at its start (exit code 1). It said: No usable sandbox!"
                                + " \\x1b[2J (All of it: ")
                .doesNotContain("java.io", "bus.cc");
        JsonNode failed = door.get("/status").json().path("launchFailed");
        assertThat(failed.path("message").asString()).contains("No usable sandbox!");
        assertThat(failed.path("at").asLong()).isPositive();
        Path log = hub.stateDir().resolve("logs/browser.log");
        assertThat(log).content().contains("Failed to connect to the bus", "#0 0x55");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    // OPS-88, OPS-92, OPS-149: the flag is the hub's own; whoever gives it elsewhere, or is told of
    // it, gets the command that works
    @Test
    void theCommandLineSaysWhereTheLegacyPathBegins() throws Exception {
        String works = "tandem up --extension-legacy";
        for (String command : List.of("launch", "connect")) {
            assertThat(shell(command, "--extension-legacy"))
                    .startsWith("[not_supported] The legacy path is for programs that speak CDP")
                    .contains("tandem stop, then " + works, "/cdp");
        }
        String endpoint = "ws://127.0.0.1:" + hub.port() + "/cdp";
        assertThat(shell("connect", "--ws-endpoint", endpoint, "--extension-legacy"))
                .startsWith("[not_supported] ")
                .contains(works);
        assertThat(shell("connect", "--ws-endpoint", endpoint))
                .startsWith("[extension_legacy_required] ")
                .contains(STARTED_WITH);
        assertThat(shell("connect"))
                .startsWith("[extension_not_connected] ")
                .contains(STARTED_WITH);
        assertThat(ErrorCode.EXTENSION_CONNECT_FAILED.hint("")).contains(STARTED_WITH);
        assertThat(status().path("browsers").size()).as("no browser was started").isZero();
    }

    @Test
    void flagsOfOtherWaysAreRefused() throws Exception {
        assertThat(refusal("launch", Json.object().put("profile", "work")))
                .isEqualTo("invalid_request: profile can only be given from the user's own shell");
        assertThat(refusal("launch", Json.object().put("extensionLegacy", true)))
                .startsWith("not_supported: The legacy path is for programs that speak CDP");
        String legacy = "ws://127.0.0.1:" + hub.port() + "/cdp";
        assertThat(shell("connect", "--ws-endpoint", legacy))
                .startsWith("[extension_legacy_required] Legacy extension relay (/cdp) requires");
        assertThat(refusal("clik", Json.object())).contains("Unknown tool: clik.", "click?");
        assertThat(refusal("goto", Json.object().put("url", hub.port() + " is no address")))
                .startsWith("ops_unavailable: ");
    }
}
