package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which browser a call gets, which flags go together, and where uploads may read. */
class WaysTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension first;

    @BeforeEach
    void start() throws IOException {
        hub = TestHub.hurried(folder);
        first = hub.extension("one", "First");
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        hub.close();
    }

    private JsonNode command(String tool, ObjectNode params) throws IOException {
        return command(hub.hubToken(), tool, params);
    }

    private JsonNode command(String token, String tool, ObjectNode params) throws IOException {
        ObjectNode body = Json.object().put("name", tool);
        body.set("params", params);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + "/command"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                        .build();
        try {
            return Json.parse(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String code(JsonNode answer) {
        return answer.path("error").path("code").asString("");
    }

    @Test
    void theBrowserTheUserLookedAtLastIsTaken() throws IOException {
        try (FakeExtension second = hub.extension("two", "Second")) {
            for (FakeExtension front : List.of(first, second, first)) {
                front.wire().send(Json.object().put("type", "windowFocused"));
                // the answer comes after the message before it was taken
                front.wire().send(Json.object().put("type", "ping").put("id", "after"));
                front.wire().next("pong");
                assertThat(command("launch", Json.object()).path("ok").asBoolean()).isTrue();
                assertThat(front.request().path("command").asString()).isEqualTo("session.launch");
            }
            assertThat(first.waiting() + second.waiting()).isZero();
        }
    }

    // OPS-89: with the extension it is an ops session; without one nothing is launched
    @Test
    void extensionOnlyMeansTheUsersOwnBrowser() throws IOException {
        ObjectNode only = Json.object().put("extensionOnly", true);
        JsonNode opened = command("launch", only).path("data");
        assertThat(opened.path("mode").asString()).isEqualTo("extension");
        // OPS-162
        assertThat(opened.path("sessionMode").asString()).isEqualTo("extension_ops");
        first.close();
        await().until(() -> connected() == 0);
        JsonNode refused = command("launch", only);
        assertThat(code(refused)).isEqualTo("extension_not_connected");
        // OPS-149
        assertThat(refused.path("error").path("message").asString())
                .contains("--extension-legacy", "--no-extension");
        assertThat(hub.stateDir().resolve("profiles/default")).doesNotExist();
    }

    // OPS-87, OPS-147: launch and connect without flags are ops sessions of the extension
    @ParameterizedTest
    @ValueSource(strings = {"launch", "connect"})
    void withoutFlagsTheExtensionIsUsed(String tool) throws IOException {
        JsonNode opened = command(tool, Json.object()).path("data");
        assertThat(opened.path("sessionMode").asString()).isEqualTo("extension_ops");
        assertThat(first.request().path("type").asString()).isEqualTo("ops_request");
    }

    // OPS-41, OPS-93, W16 #6: it is the extension that is waited for, not any browser
    @Test
    void waitingForTheExtensionWaitsForOne() throws Exception {
        first.close();
        await().until(() -> connected() == 0);
        try (FakeExtension debugged = hub.extension("cdp-other", "Other")) {
            assertThat(command("launch", Json.object()).path("data").path("mode").asString())
                    .isEqualTo("cdpConnect");
            debugged.request();
            List<ObjectNode> wishes =
                    List.of(
                            Json.object(),
                            Json.object().put("extensionOnly", true),
                            Json.object().put("browser", "own-3"));
            for (int own = 1; own <= 3; own++) {
                ObjectNode wish = wishes.get(own - 1).put("waitForExtension", true);
                wish.put("waitTimeoutMs", 30_000);
                var waiting = CompletableFuture.supplyAsync(() -> asked(wish));
                awaitCall(own);
                assertThat(waiting).as("%s", wish).isNotDone();
                try (FakeExtension late = hub.extension("own-" + own, "Own")) {
                    JsonNode opened = waiting.get(30, TimeUnit.SECONDS).path("data");
                    assertThat(opened.path("mode").asString()).isEqualTo("extension");
                    assertThat(late.request().path("command").asString())
                            .isEqualTo("session.launch");
                }
                // the next call must find it gone
                await().until(() -> connected() == 1);
            }
            assertThat(debugged.waiting()).isZero();
        }
    }

    private int connected() throws Exception {
        return new Door(hub.port(), hub.hubToken()).get("/status").json().path("extensions").size();
    }

    /** Until the hub has begun with that many calls that wait. */
    private void awaitCall(int count) {
        await().until(() -> begun("launch") >= 1 + count);
    }

    private long begun(String tool) throws Exception {
        Door door = new Door(hub.port(), hub.hubToken());
        return door.get("/activity/history")
                .json()
                .path("entries")
                .valueStream()
                .filter(event -> event.path("type").asString("").equals("command_start"))
                .filter(event -> event.path("command").asString("").equals(tool))
                .count();
    }

    private JsonNode asked(ObjectNode wish) {
        try {
            return command("launch", wish);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // OPS-44
    @Test
    void aStatusIsOfASessionOrOfTheHub() throws IOException {
        CliDoor.Printed printed =
                new CliDoor(hub).run(false, "status", "--session-id", "s1", "--daemon");
        assertThat(printed.exit()).as(printed.text()).isEqualTo(1);
        assertThat(printed.text()).contains("--session-id and --daemon exclude each other.");
    }

    // OPS-90, OPS-93: every pair of the table that contradicts itself
    @ParameterizedTest
    @CsvSource({
        "extensionOnly, noExtension, usage",
        "extensionLegacy, noExtension, usage",
        "headless, headless, unsupported_mode",
        "headless, extensionOnly, unsupported_mode",
        "headless, waitForExtension, unsupported_mode"
    })
    void flagsThatContradictEachOtherAreRefused(String one, String other, String code)
            throws IOException {
        JsonNode refused = command("launch", Json.object().put(one, true).put(other, true));
        assertThat(code(refused)).isEqualTo(code);
        assertThat(first.waiting()).isZero();
        if (code.equals("unsupported_mode")) {
            assertThat(refused.path("error").path("message").asString())
                    .isEqualTo(
                            "Extension mode does not support headless launches. Use"
                                    + " --no-extension --headless for managed mode.");
        }
    }

    // SEC-3: programs and addresses are for the user's own shell
    @ParameterizedTest
    @ValueSource(strings = {"wsEndpoint", "host", "port"})
    void addressesOfBrowsersAreForTheUserOnly(String argument) throws IOException {
        ObjectNode wish = Json.object();
        if (argument.equals("port")) {
            wish.put(argument, 9222);
        } else {
            wish.put(argument, "ws://127.0.0.1:9222");
        }
        String client = hub.clientToken("editor", "all", Caller.Mode.ACT);
        for (String token : List.of(hub.hubToken(), client)) {
            JsonNode refused = command(token, "connect", wish);
            assertThat(refused.path("ok").asBoolean(true)).as("%s", refused).isFalse();
        }
        try (OpsSocket socket = OpsSocket.greeted(HTTP, hub.port(), client)) {
            JsonNode details = socket.call("1", "session.connect", wish).at("/error/details");
            // this door has no word for another browser's address
            assertThat(details.path("reason").asString("")).isEqualTo("unknown_argument");
            assertThat(details.path("argument").asString("")).isEqualTo(argument);
        }
        assertThat(first.waiting()).isZero();
    }

    private ObjectNode uploading() {
        first.on(
                "interact.upload",
                request ->
                        first.answer(
                                request,
                                Json.object()
                                        .put("targetId", "tab-101")
                                        .put("fileCount", 1)
                                        .put("mode", "direct_input")));
        return Json.object().put("ref", "r1");
    }

    private static ObjectNode files(ObjectNode call, Path... files) {
        ObjectNode copy = call.deepCopy();
        for (Path file : files) {
            copy.withArray("files").add(file.toString());
        }
        return copy;
    }

    // SEC-3, SEC-4: what is uploaded lies, by its real path, where the session may read
    @Test
    void uploadsReadTheSessionsOwnFilesOnly() throws IOException {
        ObjectNode call = uploading();
        JsonNode session = command("launch", Json.object()).path("data");
        first.request();
        Path own =
                hub.stateDir().resolve("artifacts").resolve(session.path("sessionId").asString());
        Files.createDirectories(own);
        Path made = Files.writeString(own.resolve("made.txt"), "made by a tool");
        Path outside = Files.writeString(folder.resolve("secret.txt"), "secret");
        Path link = Files.createSymbolicLink(own.resolve("link.txt"), outside);
        Path up = own.resolve("../../browse.json");
        Path profile = hub.stateDir().resolve("profiles/default/Cookies");
        Path extension = hub.stateDir().resolve("extension/background.js");
        for (Path closed : List.of(profile, extension)) {
            Files.createDirectories(closed.getParent());
            Files.writeString(closed, "closed");
        }

        assertThat(command("upload", files(call, made)).path("data").path("fileCount").asInt())
                .isEqualTo(1);
        JsonNode sent = first.request().path("payload").path("contents").path(0);
        assertThat(sent.path("name").asString()).isEqualTo("made.txt");
        assertThat(Base64.getDecoder().decode(sent.path("base64").asString()))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("made by a tool");
        for (Path file :
                List.of(
                        outside,
                        link,
                        up,
                        profile,
                        extension,
                        own.resolve("../../profiles/default/Cookies"),
                        Path.of("/etc/passwd"),
                        folder)) {
            assertThat(code(command("upload", files(call, file))))
                    .as("%s", file)
                    .isEqualTo("path_denied");
        }
        assertThat(first.waiting()).isZero();
    }

    @Test
    void contentsAreUploadedWithoutAnyFileAndSizesAreBounded() throws IOException {
        ObjectNode call = uploading();
        JsonNode session = command("launch", Json.object()).path("data");
        first.request();
        assertThat(command("upload", call).path("error").path("message").asString())
                .isEqualTo("Missing files");
        ObjectNode small = call.deepCopy();
        small.putArray("contents").addObject().put("name", "a.txt").put("base64", "aGk=");
        assertThat(command("upload", small).path("ok").asBoolean()).isTrue();
        assertThat(
                        first.request()
                                .path("payload")
                                .path("contents")
                                .path(0)
                                .path("base64")
                                .asString())
                .isEqualTo("aGk=");

        Path own =
                hub.stateDir().resolve("artifacts").resolve(session.path("sessionId").asString());
        Files.createDirectories(own);
        Path large = Files.write(own.resolve("large.bin"), new byte[10 * 1024 * 1024]);
        JsonNode refused = command("upload", files(call, large));
        assertThat(code(refused)).isEqualTo("not_supported");
        assertThat(refused.path("error").path("details").path("reason").asString())
                .isEqualTo("payload_too_large");
    }
}
