package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A page of the user's disk is opened for the user's own callers, by where its path leads. */
class LocalFilesTest {
    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private TestHub hub;
    private FakeExtension extension;
    private OpsSocket user;
    private ObjectNode session;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        extension.on("nav.goto", this::go);
        user = OpsSocket.greeted(http, hub.port(), hub.hubToken());
        session =
                (ObjectNode)
                        user.ask("l", "session.launch", Json.object())
                                .wire()
                                .next()
                                .path("payload");
        extension.request();
    }

    @AfterEach
    void stop() throws IOException {
        user.close();
        extension.close();
        hub.close();
    }

    /** As the extension does: it asks about the file and opens it when the hub says so. */
    private void go(ObjectNode request) {
        String url = request.path("payload").path("url").asString("").replace("\t", "");
        if (Json.texts(request, "openFiles").contains(url)) {
            extension.answer(request, Json.object().put("finalUrl", url));
            return;
        }
        ObjectNode details = Json.object().put("reason", "file_access").put("file", url);
        extension.fail(request, "restricted_url", "ask", details.put("dispatched", false));
    }

    private JsonNode goTo(String url) {
        ObjectNode wish = Json.object().put("url", url);
        return user.ask("g", "nav.goto", session, wish).wire().next();
    }

    private void opened(String url) {
        assertThat(goTo(url).path("payload").path("finalUrl").asString("")).isEqualTo(url);
    }

    private void closed(String url, String why) {
        JsonNode error = goTo(url).path("error");
        assertThat(error.path("code").asString("")).as(url).isEqualTo("restricted_url");
        assertThat(error.path("details").path("reason").asString("")).isEqualTo("file_access");
        assertThat(error.path("message").asString("")).as(url).contains(why);
    }

    @Test
    @DisplayName(
            "SEC-9, SEC-10, OPS-119 a file opens by where its path leads, whatever it is called")
    void aPathIsJudgedByWhereItLeads() throws IOException {
        Path page = Files.writeString(folder.resolve("a page é.html"), "x");
        opened(page.toUri().toASCIIString());
        opened(folder.toUri().toASCIIString());
        Path secret = hub.stateDir().resolve("browse.json");
        closed(secret.toUri().toASCIIString(), "no tool opens");
        closed(hub.stateDir().toUri().toASCIIString(), "no tool opens");
        Path work = Files.createDirectories(hub.stateDir().resolve("work/default"));
        closed(work.toUri().toASCIIString(), "no tool opens");
        Files.createDirectories(folder.resolve("extension"));
        Path script = Files.writeString(folder.resolve("extension/background.js"), "x");
        closed(script.toUri().toASCIIString(), "no tool opens");

        String state = secret.toUri().toASCIIString().replace("file:///", "file:///%2e/");
        closed(state.replace("browse", "%62rowse"), "no tool opens");
        closed(state.replace("/state/", "/state/../state//"), "no tool opens");
        closed(state.replace("/state/", "/state%2F"), "finds no file");
        closed(page.toUri().toASCIIString().replace("file:///", "file://server/"), "finds no file");
        // Without that name's slash it would be a path of this machine.
        closed(page.toUri().toASCIIString().replace("file:///", "file://"), "finds no file");
        closed(folder.resolve("gone.html").toUri().toASCIIString(), "finds no file");

        Path link = Files.createSymbolicLink(folder.resolve("link.json"), secret);
        closed(link.toUri().toASCIIString(), "no tool opens");
        Files.createSymbolicLink(folder.resolve("up"), Path.of("state/../state"));
        closed(folder.toUri().toASCIIString() + "up/browse.json", "no tool opens");
        Files.createSymbolicLink(folder.resolve("self"), Path.of("/proc/self/root" + folder));
        closed(folder.toUri().toASCIIString() + "self/a%20page%20%C3%A9.html", "no tool opens");
        closed("file:///proc/self/environ", "no tool opens");
        Files.createSymbolicLink(folder.resolve("round"), Path.of("round"));
        closed(folder.toUri().toASCIIString() + "round", "finds no file");
    }

    @Test
    @DisplayName(
            "SEC-9 a file is looked at for each call, and what was opened for one opens no other")
    void eachCallIsLookedAt() throws IOException {
        Path page = Files.writeString(folder.resolve("page.html"), "x");
        String url = page.toUri().toASCIIString();
        opened(url);
        assertThat(sent()).isEqualTo(List.of());
        assertThat(sent()).isEqualTo(List.of(url));
        Files.delete(page);
        Files.createSymbolicLink(page, hub.stateDir().resolve("browse.json"));
        closed(url, "no tool opens");
        assertThat(sent()).isEqualTo(List.of());
    }

    @Test
    @DisplayName("SEC-9 the hub's folders are closed by whatever path they were given")
    void ownFoldersAreKnownByTheirRealPaths() throws IOException {
        Path real = Files.createDirectories(folder.resolve("real/state"));
        Files.createSymbolicLink(folder.resolve("by-name"), folder.resolve("real"));
        Path secret = Files.writeString(real.resolve("key"), "x");
        Path given = folder.resolve("by-name/state");
        Path elsewhere = folder.resolve("elsewhere");
        ForbiddenPlaces places = ForbiddenPlaces.of(elsewhere, elsewhere, List.of());
        LocalFiles files = new LocalFiles(places, List.of(given));
        assertThatThrownBy(() -> files.assertOpen(secret.toUri().toASCIIString()))
                .hasMessageContaining("no tool opens");
    }

    @Test
    @DisplayName("SEC-9 only a browser that has done nothing yet is sent the call again")
    void onlyAnUntouchedCallIsSentAgain() {
        ObjectNode asks = Json.object().put("file", "file:///a").put("dispatched", false);
        assertThat(refused(ErrorCode.RESTRICTED_URL, asks)).contains("file:///a");
        assertThat(refused(ErrorCode.EXECUTION_FAILED, asks)).isEmpty();
        assertThat(refused(ErrorCode.RESTRICTED_URL, asks.deepCopy().put("dispatched", true)))
                .isEmpty();
        asks.remove("dispatched");
        assertThat(refused(ErrorCode.RESTRICTED_URL, asks)).isEmpty();
    }

    private static Optional<String> refused(ErrorCode code, ObjectNode details) {
        return LocalFiles.refusedFor(new TandemException(code, "x", details));
    }

    private List<String> sent() {
        return Json.texts(extension.request(), "openFiles");
    }

    @Test
    @DisplayName(
            "SEC-10, OPS-119 tokens other than the user's open no file, and no card asks for one")
    void programsOpenNoFile() throws IOException {
        String url = Files.writeString(folder.resolve("page.html"), "x").toUri().toASCIIString();
        String token = hub.trustedToken("editor");
        try (OpsSocket program = OpsSocket.greeted(http, hub.port(), token)) {
            ObjectNode own =
                    (ObjectNode)
                            program.ask("l", "session.launch", Json.object())
                                    .wire()
                                    .next()
                                    .path("payload");
            assertThat(extension.request().has("openFiles")).isFalse();
            for (String written : List.of(url, " FILE:///etc/passwd")) {
                ObjectNode wish = Json.object().put("url", written);
                JsonNode error =
                        program.ask("g", "nav.goto", own, wish).wire().next().path("error");
                assertThat(error.path("code").asString("")).isEqualTo("restricted_url");
                assertThat(error.path("message").asString("")).contains("user's own commands only");
            }
            // one that only the browser recognises
            ObjectNode wish = Json.object().put("url", url.replace("file:", "fi\tle:"));
            JsonNode error = program.ask("g", "nav.goto", own, wish).wire().next().path("error");
            assertThat(error.path("code").asString("")).isEqualTo("restricted_url");
            assertThat(extension.request().has("openFiles")).isFalse();
        }
        McpCaller agent = new McpCaller(hub, hub.clientToken("Asking", "all", Caller.Mode.ASK));
        JsonNode answer = agent.result("goto", Json.object().put("url", url));
        assertThat(Json.write(answer)).contains("restricted_url");
    }
}
