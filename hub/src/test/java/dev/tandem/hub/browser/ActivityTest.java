package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What happens in the browsers, streamed, with the browser's end played by the test. */
class ActivityTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        door = new Door(hub.port(), hub.hubToken());
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    private static ObjectNode named(String tool) {
        return Json.object().put("name", tool);
    }

    private static ObjectNode words(String command, String... args) {
        ObjectNode body = Json.object().put("command", command);
        var list = body.putArray("args");
        for (String arg : args) {
            list.add(arg);
        }
        return body;
    }

    private static List<String> shapes(List<Door.Event> events) {
        return events.stream()
                .map(e ->
                        e.data().path("type").asString()
                                + " "
                                + e.data().path("command").asString())
                .toList();
    }

    @Test
    @DisplayName("TRM-079 (three doors; the fourth is /cli): one start and one end for each call")
    void everyDoorIsSeen() throws Exception {
        try (Door.Events stream = door.events("/activity/stream")) {
            door.post("/command", named("snapshot"));
            List<Door.Event> command = stream.next(2);
            door.post("/command", words("snapshot"));
            List<Door.Event> inWords = stream.next(2);
            callOverMcp();
            List<Door.Event> mcp = stream.next(2);
            List<Door.Event> ops;
            try (OpsSocket socket =
                    OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), hub.hubToken())) {
                ObjectNode session =
                        (ObjectNode)
                                socket.call("a", "session.launch", Json.object()).get("payload");
                stream.next(2);
                socket.call("b", "nav.snapshot", session, Json.object());
                ops = stream.next(2);
            }
            for (List<Door.Event> seen : List.of(command, inWords, mcp, ops)) {
                assertThat(shapes(seen))
                        .containsExactly("command_start snapshot", "command_end snapshot");
                assertThat(seen.get(1).data().path("requestId"))
                        .isEqualTo(seen.get(0).data().path("requestId"));
                assertThat(seen.get(1).data().path("status").asString()).isEqualTo("ok");
                assertThat(seen.get(1).data().path("browser").asString()).isEqualTo("Test");
                assertThat(seen.get(0).id()).isEqualTo(seen.get(0).data().path("id").asString());
            }
            assertThat(
                            List.of(command, inWords, mcp, ops).stream()
                                    .map(seen -> seen.getFirst().data().path("door").asString()))
                    .containsExactly("command", "command", "mcp", "ops");
            assertThat(stream.quiet(200)).isTrue();
        }
    }

    private void callOverMcp() throws Exception {
        ObjectNode call = Json.object().put("jsonrpc", "2.0").put("id", 1);
        call.put("method", "tools/call");
        ObjectNode params = call.putObject("params").put("name", "snapshot");
        params.putObject("arguments");
        ObjectNode meta = params.putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        Door.Answer answer =
                door.post(
                        "/mcp",
                        call,
                        "Content-Type",
                        "application/json",
                        "MCP-Protocol-Version",
                        "2026-07-28",
                        "Mcp-Method",
                        "tools/call",
                        "Mcp-Name",
                        "snapshot");
        assertThat(answer.body()).contains("button");
    }

    @Test
    @DisplayName("TRM-L22: typed text is in no stream, history or log, nor in an error about it")
    void typedTextIsHidden() throws Exception {
        extension.on(
                "interact.type",
                request ->
                        extension.fail(
                                request,
                                "execution_failed",
                                "The field did not take hunter2-secret.",
                                Json.object().put("reason", "verify_failed")));
        extension.on(
                "nav.goto",
                request -> {
                    ObjectNode answer = Json.object();
                    answer.put("finalUrl", "https://shop.test/?token=abc-secret&page=2");
                    answer.put("title", "Shop").put("timingMs", 3).put("status", 200);
                    extension.answer(request, answer);
                });
        door.post("/command", words("fill", "@r3", "hunter2-secret"));
        door.post(
                "/command", words("goto", "https://me:pw-secret@shop.test/?api_key=k-secret&q=1"));
        String history = door.get("/activity/history").body();
        assertThat(history).contains("[REDACTED]").contains("\"ref\":\"r3\"").contains("q=1");
        assertThat(history).contains("page=2").doesNotContain("-secret");
        try (Door.Events stream = door.events("/activity/stream")) {
            assertThat(stream.next(4).toString())
                    .doesNotContain("-secret")
                    .contains("did not take");
        }
        try (var logs = Files.walk(hub.stateDir().resolve("logs"))) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(log)).doesNotContain("hunter2-secret");
            }
        }
    }

    @Test
    @DisplayName("TRM-L20: dropped twice, each entry arrives once and none is missing")
    void goesOnWhereItWas() throws Exception {
        List<String> ids = new ArrayList<>();
        String last = "0";
        for (int round = 0; round < 3; round++) {
            try (Door.Events stream =
                    door.events("/activity/stream?after=0", "Last-Event-ID", last)) {
                door.post("/command", words("skill"));
                for (Door.Event event : stream.next(2)) {
                    ids.add(event.id());
                }
                last = ids.getLast();
            }
            door.post("/command", words("skill"));
        }
        try (Door.Events stream = door.events("/activity/stream?after=" + last)) {
            stream.next(6).forEach(event -> ids.add(event.id()));
            assertThat(stream.quiet(200)).isTrue();
        }
        long first = Long.parseLong(ids.getFirst());
        List<String> expected = new ArrayList<>();
        for (long id = first; id < first + 12; id++) {
            expected.add(Long.toString(id));
        }
        assertThat(ids).isEqualTo(expected);
    }

    @Test
    @DisplayName("TRM-L21 (hub half): two calls at once have their own ends; the ring has 1000")
    void pairsAndBound() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        extension.on(
                "nav.goto",
                request -> {
                    both.countDown();
                    Thread.startVirtualThread(() -> answerLate(request, both));
                });
        String one = hub.trustedToken("one");
        String two = hub.trustedToken("two");
        List<Thread> calls = new ArrayList<>();
        for (String token : List.of(one, two)) {
            calls.add(
                    Thread.startVirtualThread(() -> {
                        try {
                            new Door(hub.port(), token)
                                    .post(
                                            "/command",
                                            words("goto", "https://" + token.length() + ".test"));
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    }));
        }
        for (Thread call : calls) {
            call.join(20_000);
        }
        List<JsonNode> entries = new ArrayList<>();
        door.get("/activity/history").json().path("entries").forEach(entries::add);
        assertThat(entries).hasSize(4);
        Set<String> pairs = new HashSet<>();
        for (JsonNode entry : entries) {
            pairs.add(entry.path("requestId").asString() + entry.path("clientId").asString());
        }
        assertThat(pairs).as("each end carries the id and client of its start").hasSize(2);

        long first = entries.getFirst().path("id").asLong();
        for (int i = 0; i < 505; i++) {
            door.post("/command", words("skill"));
        }
        JsonNode history = door.get("/activity/history?limit=5000").json();
        assertThat(history.path("entries").size()).isEqualTo(1000);
        assertThat(history.path("totalAdded").asInt()).isEqualTo(4 + 1010);
        try (Door.Events stream = door.events("/activity/stream?after=" + first)) {
            Door.Event gap = stream.next();
            assertThat(gap.name()).isEqualTo("gap");
            assertThat(gap.data().path("gapFrom").asLong()).isEqualTo(first + 1);
            Door.Event next = stream.next();
            assertThat(next.data().path("id")).isEqualTo(gap.data().path("availableFrom"));
        }
    }

    private void answerLate(ObjectNode request, CountDownLatch both) {
        try {
            assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        ObjectNode answer = Json.object().put("finalUrl", "https://a.test/").put("timingMs", 1);
        extension.answer(request, answer.put("title", "").put("status", 200));
    }

    @Test
    @DisplayName("TRM-050: a view token opens the streams, not a shell, a command or the history")
    void viewTokensOnlyLook() throws Exception {
        String access = hub.extensionToken("browser-one", "One");
        Door panel = new Door(hub.port(), access);
        var minted = panel.post("/sse-session", Json.object());
        assertThat(minted.raw().headers().firstValue("Set-Cookie")).isEmpty();
        Door view = new Door(hub.port(), minted.json().path("token").asString());
        try (Door.Events stream = view.events("/activity/stream")) {
            assertThat(stream.status()).isEqualTo(200);
            door.post("/command", words("skill"));
            assertThat(stream.next(2)).hasSize(2);
        }
        assertThat(view.get("/memory").json().path("hub").path("rss").asLong()).isPositive();
        for (String path : List.of("/pty-session", "/command", "/batch", "/pty-inject-scan")) {
            assertThat(view.post(path, Json.object()).status()).as(path).isEqualTo(401);
        }
        for (String path : List.of("/sse-session", "/mcp")) {
            assertThat(view.post(path, Json.object()).status()).as(path).isIn(401, 403);
        }
        assertThat(view.get("/activity/history").status()).isEqualTo(403);
        assertThat(view.get("/refs").status()).isEqualTo(403);
        assertThat(new Door(hub.port(), "").get("/activity/stream?token=" + view.token()).status())
                .isEqualTo(401);
        Door other = new Door(hub.port(), access);
        other.post("/sse-session", Json.object());
        logOut(access);
        assertThat(view.get("/memory").status()).as("a view ends with its login").isEqualTo(401);
    }

    private void logOut(String access) throws Exception {
        var request =
                java.net.http.HttpRequest.newBuilder(
                                java.net.URI.create(
                                        "http://127.0.0.1:" + hub.port() + "/api/v1/auth/session"))
                        .DELETE()
                        .header("Authorization", "Bearer " + access)
                        .build();
        HttpClient.newHttpClient()
                .send(request, java.net.http.HttpResponse.BodyHandlers.discarding());
    }

    @Test
    void aProgramSeesOnlyItself() throws Exception {
        Door mine = new Door(hub.port(), hub.clientToken("mine", "all", Caller.Mode.ACT));
        door.post("/command", words("skill"));
        mine.post("/command", words("prompting_guide"));
        assertThat(mine.get("/activity/history").body())
                .contains("prompting_guide")
                .doesNotContain("skill_list");
        assertThat(door.get("/activity/history").json().path("entries").size()).isEqualTo(4);
    }

    @Test
    @DisplayName("SEC-6 SEC-13 SEC-21 a program has refs of a page as it has a snapshot of it")
    void refsOfAProgramPassTheGate() throws Exception {
        extension.on("debug.refs", request -> extension.answer(request, refs()));
        Door program = new Door(hub.port(), hub.clientToken("p", "all", Caller.Mode.ASK));
        String site = "https://example.test";
        PermissionRules rules = Inside.desk(hub.app()).rules();
        rules.put(new PermissionRules.Wish("", "tab_read:*", site, true));
        Door.Answer allowed = program.get("/refs");
        assertThat(allowed.json().path("refs").size()).as("no frame was allowed").isEqualTo(1);
        assertThat(allowed.json().at("/refs/0/ref").asString()).isEqualTo("r1");
        assertThat(allowed.json().at("/refs/0/name").asString()).startsWith("⟦page ");
        rules.put(new PermissionRules.Wish("", "tab_read:*", site, false));
        Door.Answer denied = program.get("/refs");
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.body()).doesNotContain("Buy", "Shop");
        JsonNode rows = door.get("/activity/history").json();
        assertThat(Json.write(rows)).contains("\"snapshot\"");
        assertThat(door.get("/refs").json().path("refs").size()).as("the user's own").isEqualTo(2);
    }

    private static ObjectNode refs() {
        ObjectNode found = Json.object().put("url", "https://example.test/").put("mode", "ops");
        found.put("title", "Shop").put("targetId", "tab-7").put("opsSessionId", "s-7");
        var refs = found.putArray("refs");
        refs.addObject().put("ref", "r1").put("role", "button").put("name", "Buy");
        refs.addObject().put("ref", "f1r2").put("role", "button").put("name", "Buy it there");
        return found;
    }
}
