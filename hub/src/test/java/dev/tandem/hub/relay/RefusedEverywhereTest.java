package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.CliDoor;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.store.FullDisk;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests that cannot be done: every door says why, and nothing of them is applied. */
@Timeout(180)
class RefusedEverywhereTest {
    private static final String SESSIONS = "/api/ambient/v1/sessions";
    private static final String CHAT = "/api/v1/chat/messages";

    @TempDir static Path folder;
    private static EdgeHub hub;
    private static CliDoor cli;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
        cli = new CliDoor(hub.port(), hub.token);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String session() throws Exception {
        ObjectNode body = Json.object().put("name", "one");
        body.put("annotations", "{\"tandem/agent\":\"scripted\"}");
        return hub.call("POST", SESSIONS, body).body().get("id").asString();
    }

    private static int sessions() {
        return hub.sessions().engine().summaries().size();
    }

    private static List<Entry> log(String id) {
        return hub.sessions().log().after(id, 0, 100);
    }

    // ACP-33: disk full; refused whole, with what to do, and taken once there is room
    @Test
    void theDiskIsFull() throws Exception {
        String id = session();
        String words = "say " + "x".repeat(400_000);
        int before = sessions();
        FullDisk.fill(hub.sessions().store());
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode error = chat.ask("p", ChatSocket.prompt(id, "p", words));
            assertThat(error.path("code").asString()).isEqualTo("store_full");
            assertThat(error.path("retryable").asBoolean()).isTrue();
            assertThat(error.path("message").asString()).contains("is full", "free some space");
            EdgeHub.Answer ambient =
                    hub.call("POST", SESSIONS + "/" + id + "/messages", message(words));
            assertThat(ambient.status()).isEqualTo(507);
            assertThat(ambient.body().path("reason").asString()).contains("free some space");
            EdgeHub.Answer first = hub.call("POST", CHAT, Json.object().put("content", words));
            assertThat(first.status()).isEqualTo(507);
            assertThat(first.body().path("code").asString()).isEqualTo("store_full");
            assertThat(first.body().path("hint").asString()).contains("try again");
            CliDoor.Printed printed =
                    cli.run(false, "session", "send", words, "--session", id, "--no-wait");
            assertThat(printed.exit()).isEqualTo(2);
            assertThat(printed.text()).contains("is full");
        } finally {
            FullDisk.free(hub.sessions().store());
        }
        assertThat(log(id)).as("nothing of what was refused").isEmpty();
        assertThat(sessions()).as("no session without its message").isEqualTo(before);
        assertThat(hub.call("POST", SESSIONS + "/" + id + "/messages", message(words)).status())
                .isEqualTo(201);
    }

    // ACP-33: a question that cannot be stored is asked all the same, and can be answered
    @Test
    void aCardIsShownOnAFullDisk() throws Exception {
        String id = session();
        PermissionDesk desk = hub.sessions().desk();
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            chat.ask("a", "{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
            FullDisk.fill(hub.sessions().store());
            for (int size : new int[] {100_000, 3000, 700, 100, 1}) {
                stuff(id, size);
            }
            Ask.Who who = new Ask.Who("acp", id, "Agent", "default", Caller.Mode.ASK, "");
            PermissionDesk.Asked asked = desk.ask(Asks.access(who, "bash:make all", "make all"));
            JsonNode shown = chat.hear("permission_request");
            assertThat(shown.get("requestId").asString()).isEqualTo(asked.requestId());
            assertThat(shown.has("seq")).as("it has no place in the log").isFalse();
            desk.answer(asked.requestId(), "allow_once", Caller.USER);
            assertThat(asked.outcome().get(20, TimeUnit.SECONDS).allowed()).isTrue();
            assertThat(chat.hear("permission_resolved").get("requestId").asString())
                    .isEqualTo(asked.requestId());
        } finally {
            FullDisk.free(hub.sessions().store());
        }
    }

    /** Takes the room that the file still has inside. */
    private static void stuff(String id, int size) {
        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 5000; i++) {
                                ObjectNode body = Json.object().put("text", "x".repeat(size));
                                hub.sessions().log().append(id, Entry.Kind.ASSISTANT, body);
                            }
                        })
                .isInstanceOf(TandemException.class);
    }

    private static ObjectNode message(String words) {
        return Json.object().put("event_type", "user").put("payload", words);
    }

    // ACP-102: what breaks a form is refused with the limit, and the form stays open
    @Test
    void whatDoesNotFitAForm() throws Exception {
        String id = session();
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            chat.ask("a", "{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
            String form =
                    "{\"mode\":\"form\",\"message\":\"How old?\",\"requestedSchema\":{\"properties\":"
                            + "{\"age\":{\"type\":\"integer\",\"minimum\":0}},\"required\":[\"age\"]}}";
            chat.say(ChatSocket.prompt(id, "p", "request elicitation/create " + form));
            String request = chat.hear("elicitation_request").get("requestId").asString();
            assertThat(cli.run(false, "sessions").text()).contains("NEEDS YOU", "How old?");
            CliDoor.Printed printed = cli.run(false, "permissions", "answer", request, "age=-1");
            assertThat(printed.exit()).isEqualTo(2);
            assertThat(printed.text())
                    .contains("The field age must be at least 0.", "still open")
                    .doesNotContain("tool's definition");
            ObjectNode answer = Json.object().put("type", "elicitation_response").put("id", "e");
            answer.put("sessionId", id).put("requestId", request).put("action", "accept");
            answer.putObject("content").put("age", 1.5);
            JsonNode error = chat.ask("e", Json.write(answer));
            assertThat(error.path("code").asString()).isEqualTo("bad_message");
            assertThat(error.path("message").asString())
                    .isEqualTo("The field age must be a whole number.");
            assertThat(cli.run(false, "permissions").text()).contains("How old?");
            printed = cli.run(false, "permissions", "answer", request, "age=36");
            assertThat(printed.text()).contains("Answered.");
            assertThat(chat.hear("elicitation_resolved").path("action").asString())
                    .isEqualTo("accept");
        }
    }

    // AMB-L56, AMB-203: too large is said with the limit, not called broken JSON
    @Test
    void tooLarge() throws Exception {
        String id = session();
        RawHttp.Answer answer =
                hub.announce("POST", SESSIONS + "/" + id + "/messages", (1 << 20) + 1);
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body()).contains("1048576").doesNotContain("JSON");
        RawHttp.Answer chat = hub.announce("POST", CHAT, 17 << 20);
        assertThat(chat.status()).isEqualTo(413);
        assertThat(chat.body()).contains("too large");
        assertThat(log(id)).isEmpty();
    }

    // ACP-33, AMB-195, AMB-196: unknown sessions and wrong phases, named on every door
    @Test
    void unknownSessionsAndWrongPhases() throws Exception {
        String id = session();
        EdgeHub.Answer stopped = hub.call("POST", SESSIONS + "/" + id + "/stop", null);
        assertThat(stopped.status()).isEqualTo(409);
        assertThat(stopped.body().path("reason").asString())
                .contains("must be Running, Creating, or Pending");
        CliDoor.Printed printed = cli.run(false, "session", "stop", "--session", id);
        assertThat(printed.exit()).isEqualTo(2);
        assertThat(printed.text()).contains("must be Running, Creating, or Pending");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode error =
                    chat.ask(
                            "s",
                            "{\"type\":\"stop_session\",\"id\":\"s\",\"sessionId\":\"%s\"}"
                                    .formatted(id));
            assertThat(error.path("code").asString()).isEqualTo("conflict");
            assertThat(error.path("message").asString()).contains("must be Running");
            JsonNode unknown = chat.ask("u", ChatSocket.prompt("nobody", "u", "hello"));
            assertThat(unknown.path("code").asString()).isEqualTo("unknown_session");
        }
        assertThat(hub.call("GET", SESSIONS + "/nobody", null).status()).isEqualTo(404);
        EdgeHub.Answer chat =
                hub.call(
                        "POST",
                        CHAT,
                        Json.object().put("content", "hello").put("sessionId", "nobody"));
        assertThat(chat.status()).isEqualTo(404);
        assertThat(chat.body().path("error").asString()).contains("nobody");
        CliDoor.Printed missing = cli.run(false, "session", "send", "hi", "--session", "nobody");
        assertThat(missing.exit()).isNotZero();
        assertThat(missing.text()).contains("nobody");
    }

    // SEC-10: folders outside the registered roots, a home, the state dir: refused, nothing made
    @Test
    void pathsOutsideTheRoots() throws Exception {
        int before = sessions();
        for (Path outside :
                List.of(
                        Path.of("/"),
                        Path.of("/etc"),
                        folder.resolve("home"),
                        folder.resolve("home/.ssh"),
                        folder.resolve("state"))) {
            String cwd = Json.write(Json.object().put("tandem/cwd", outside.toString()));
            EdgeHub.Answer ambient =
                    hub.call(
                            "POST",
                            SESSIONS,
                            Json.object().put("name", "x").put("annotations", cwd));
            assertThat(ambient.status()).as(outside.toString()).isEqualTo(403);
            assertThat(ambient.body().path("reason").asString()).contains(outside.toString());
            try (ChatSocket chat = ChatSocket.tandem(hub)) {
                ObjectNode wish = Json.object().put("type", "new_session").put("id", "n");
                JsonNode error = chat.ask("n", Json.write(wish.put("cwd", outside.toString())));
                assertThat(error.path("code").asString()).isEqualTo("path_denied");
                assertThat(error.path("message").asString()).contains(outside.toString());
            }
        }
        for (Path wide : List.of(Path.of("/"), folder.resolve("home"), folder.resolve("state"))) {
            CliDoor.Printed printed =
                    cli.run(false, "session", "new", "x", "--folder", wide.toString());
            assertThat(printed.exit()).as(wide.toString()).isEqualTo(2);
        }
        assertThat(sessions()).isEqualTo(before);
    }

    // SEC-4, SEC-10: the extension's folder, managed profiles and the hub's own files, on every
    // door, though the folder around them was registered
    @Test
    void theHubsOwnFoldersAreClosed() throws Exception {
        Path install = Files.createDirectories(folder.resolve("install")).toRealPath();
        Path source = Files.createDirectories(install.resolve("extension"));
        Path copy = Files.createDirectories(folder.resolve("state/extension"));
        Path profile = Files.createDirectories(folder.resolve("state/profiles/default"));
        for (Path closed : List.of(source, copy, profile)) {
            Files.writeString(closed.resolve("background.js"), "kept");
        }
        Files.createSymbolicLink(install.resolve("copy"), copy);
        Files.createSymbolicLink(install.resolve("profile"), profile);
        hub.sessions().engine().folders().register("default", install);
        int before = sessions();
        for (Path closed : List.of(source, copy, profile)) {
            assertNoSessionWorksIn(closed);
        }
        assertThat(sessions()).isEqualTo(before);
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String cwd = Json.write(Json.object().put("cwd", install.toString()));
            String id =
                    chat.newSession("scripted", cwd.substring(1, cwd.length() - 1))
                            .get("sessionId")
                            .asString();
            for (String inside : List.of("extension", "copy", "profile")) {
                assertNotExplored(chat, id, inside);
                String file = install.resolve(inside).resolve("background.js").toString();
                assertThat(chat.turn(id, "read " + file + "\nwrite " + file + " x"))
                        .as(inside)
                        .matches("error -32602.*error -32602.*");
            }
        }
        for (Path closed : List.of(source, copy, profile)) {
            assertThat(closed.resolve("background.js")).hasContent("kept");
        }
    }

    private static void assertNoSessionWorksIn(Path closed) throws Exception {
        String cwd = Json.write(Json.object().put("tandem/cwd", closed.toString()));
        ObjectNode session = Json.object().put("name", "x").put("annotations", cwd);
        assertThat(hub.call("POST", SESSIONS, session).status()).isEqualTo(403);
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            ObjectNode wish = Json.object().put("type", "new_session").put("id", "n");
            JsonNode error = chat.ask("n", Json.write(wish.put("cwd", closed.toString())));
            assertThat(error.path("code").asString()).isEqualTo("path_denied");
        }
        CliDoor.Printed printed =
                cli.run(false, "session", "new", "x", "--folder", closed.toString());
        assertThat(printed.exit()).as(closed.toString()).isEqualTo(2);
        assertThat(printed.text()).contains(closed.toString());
        ObjectNode terminal = Json.object().put("cwd", closed.toString());
        assertThat(hub.call("POST", "/pty-session", terminal).status()).isEqualTo(400);
    }

    private static void assertNotExplored(ChatSocket chat, String id, String inside)
            throws Exception {
        for (String type : List.of("list_dir", "read_file")) {
            ObjectNode ask = Json.object().put("type", type).put("id", "x").put("sessionId", id);
            String path = type.equals("list_dir") ? inside : inside + "/background.js";
            JsonNode error = chat.ask("x", Json.write(ask.put("path", path)));
            assertThat(error.path("code").asString()).as(path).isEqualTo("path_denied");
        }
        for (String method : List.of("GET", "PUT", "DELETE")) {
            String path = SESSIONS + "/" + id + "/workspace/" + inside + "/background.js";
            EdgeHub.Answer answer = hub.call(method, path, method.equals("PUT") ? "x" : null);
            assertThat(answer.status()).as(method + " " + inside).isIn(403, 404);
            assertThat(answer.response().body()).doesNotContain("kept");
        }
    }
}
