package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static dev.tandem.hub.agent.AgentFixture.text;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What an agent may ask of the hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostRequestsTest {
    private AgentFixture fixture;
    private Agent agent;
    private Path directory;
    private RecordingHost host;
    private AgentSession session;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary.toRealPath();
        fixture = new AgentFixture(directory);
        agent = fixture.start();
    }

    @AfterAll
    void stopAgent() {
        fixture.close();
    }

    @BeforeEach
    void openSession() {
        host = new RecordingHost();
        session = agent.newSession(fixture.setup(), host);
    }

    @Test
    @DisplayName("ACP-50 ACP-54 ACP-97 ACP-L30 options come as given, the chosen id goes back")
    void permissionIsAnsweredWithAnOption() throws Exception {
        host.onPermission = r -> completedFuture(r.firstOfKind("allow_always").orElseThrow());
        play(session, "ask reject_once,allow_always,allow_always,strange {\"toolCallId\":\"x\"}");
        assertThat(host.text()).isEqualTo("permission choice-2");
        assertThat(host.permissions.getFirst().options().size()).isEqualTo(4);
        assertThat(host.permissions.getFirst().options().get(3).path("kind").asString())
                .isEqualTo("strange");
    }

    @Test
    @DisplayName("ACP-97 an id that was not offered is never sent")
    void inventedOptionBecomesCancelled() throws Exception {
        host.onPermission = r -> completedFuture(PermissionAnswer.selected("made-up"));
        play(session, "ask allow_once");
        assertThat(host.text()).isEqualTo("permission cancelled");
    }

    @Test
    @DisplayName("ACP-94 cancel answers the pending permission and still takes late updates")
    void cancelAnswersPendingPermission() throws Exception {
        CompletableFuture<TurnEnd> turn =
                session.prompt(
                        text(
                                "update {\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t9\","
                                        + "\"title\":\"Long\",\"status\":\"in_progress\"}\n"
                                        + "ask allow_once\nlate afterwards"));
        await().until(() -> host.permissions.size() == 1);
        assertThat(session.cancel()).isTrue();
        TurnEnd end = turn.get(10, TimeUnit.SECONDS);
        assertThat(end.stopReason()).isEqualTo("cancelled");
        assertThat(end.forced()).isFalse();
        assertThat(end.openToolCalls()).contains("t9");
        assertThat(host.text()).isEqualTo("permission cancelledafterwards");
        await().until(() -> !host.withdrawn.isEmpty());
        assertThat(host.withdrawn).containsExactly(host.permissions.getFirst().requestId());
        assertThat(session.cancel()).isFalse();
    }

    @Test
    @DisplayName("ACP-96 the agent takes back a permission, a form and a wait")
    void agentCancelsItsRequest() throws Exception {
        play(
                session,
                "take-back session/request_permission {\"toolCall\":{\"toolCallId\":\"t\"},"
                        + "\"options\":[{\"optionId\":\"a\",\"name\":\"A\",\"kind\":\"allow_once\"}]}",
                "take-back elicitation/create {\"mode\":\"form\",\"message\":\"?\","
                        + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}",
                "open sleep 600",
                "take-back terminal/wait_for_exit {\"terminalId\":\"TERMINAL\"}",
                "release");
        List<String> answers = host.text().lines().toList();
        assertThat(answers.get(0)).isIn("--32800", "{\"outcome\":{\"outcome\":\"cancelled\"}}");
        assertThat(answers.get(1)).isIn("--32800", "{\"action\":\"cancel\"}");
        assertThat(answers.get(2)).isEqualTo("--32800");
    }

    @Test
    @DisplayName("ACP-95 ACP-B2 an agent that ignores cancel is reminded, then the turn ends")
    void ignoredCancelIsForced() throws Exception {
        CompletableFuture<TurnEnd> turn = session.prompt(text("say here\nhang"));
        await().until(() -> host.text().equals("here"));
        session.cancel();
        TurnEnd end = turn.get(10, TimeUnit.SECONDS);
        assertThat(end.forced()).isTrue();
        assertThat(end.stopReason()).isEqualTo("cancelled");
        await().until(() -> !fixture.sent("$/cancel_request").isEmpty());
        assertThat(session.isPrompting()).isFalse();
        assertThat(play(session, "say free").stopReason()).isEqualTo("end_turn");
    }

    @Test
    @DisplayName("ACP-98 read honours line and limit, says what is missing or not text")
    void reads() throws Exception {
        Files.writeString(directory.resolve("poem.txt"), "one\ntwo\nthree\nfour");
        Files.write(directory.resolve("noise.bin"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        String poem = directory.resolve("poem.txt").toString();
        play(
                session,
                "read " + poem,
                "read " + poem + " 2 2",
                "read " + poem + " 9 1",
                "read " + directory.resolve("none.txt"),
                "read " + directory.resolve("noise.bin"),
                "read /etc/hostname");
        assertThat(host.updates("agent_message_chunk"))
                .extracting(u -> u.path("content").path("text").asString())
                .satisfiesExactly(
                        all ->
                                assertThat(all)
                                        .isEqualTo("{\"content\":\"one\\ntwo\\nthree\\nfour\"}"),
                        part -> assertThat(part).isEqualTo("{\"content\":\"two\\nthree\\n\"}"),
                        past -> assertThat(past).isEqualTo("{\"content\":\"\"}"),
                        missing -> assertThat(missing).startsWith("error -32002"),
                        noise -> assertThat(noise).startsWith("error -32603"),
                        outside ->
                                assertThat(outside).startsWith("error -32602").contains("outside"));
        assertThat(host.accesses).extracting(AccessRequest::permission).containsOnly("file:read");
    }

    @Test
    @DisplayName("ACP-99 ACP-L10 write makes files and folders, keeps the mode, asks the desk")
    void writes() throws Exception {
        Path script = Files.writeString(directory.resolve("run.sh"), "old");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
        play(session, "write " + script + " new", "write " + directory + "/a/b/c.txt deep é");
        assertThat(script).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(script)))
                .isEqualTo("rwxr-x---");
        assertThat(directory.resolve("a/b/c.txt")).hasContent("deep é");
        assertThat(directory.resolve("a/b").toFile().list()).containsExactly("c.txt");
        assertThat(host.accesses)
                .extracting(AccessRequest::permission, AccessRequest::target)
                .contains(org.assertj.core.groups.Tuple.tuple("file:write", script.toString()));
    }

    @Test
    @DisplayName("SEC-4 a refused write and a refused command touch nothing")
    void refusalTouchesNothing() throws Exception {
        host.onAccess = request -> AccessAnswer.refused("The session is read-only.");
        play(
                session,
                "write " + directory.resolve("no.txt") + " x",
                "open touch " + directory.resolve("no-either.txt"));
        assertThat(host.text()).contains("error -32602 The session is read-only.");
        assertThat(directory.resolve("no.txt")).doesNotExist();
        assertThat(directory.resolve("no-either.txt")).doesNotExist();
        assertThat(host.accesses)
                .extracting(AccessRequest::permission)
                .containsExactly("file:write", "bash:touch " + directory.resolve("no-either.txt"));
    }

    @Test
    @DisplayName("SEC-4 SEC-10 state dir, extension, profiles, secrets and git hooks are closed")
    void closedPlaces() throws Exception {
        Path state = directory.resolve("state");
        List<Path> closed =
                List.of(
                        directory.resolve("home/.ssh/id"),
                        state.resolve("browse.json"),
                        state.resolve("profiles/default/Cookies"),
                        state.resolve("extension/background.js"),
                        directory.resolve("extension/background.js"),
                        directory.resolve(".git/hooks/pre-commit"),
                        directory.resolve(".git/modules/sub/hooks/pre-commit"));
        List<String> attempts = new ArrayList<>();
        for (Path file : closed) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "kept");
            Path link = directory.resolve("link-" + closed.indexOf(file));
            Files.createSymbolicLink(link, file);
            attempts.addAll(
                    List.of(
                            "read " + file,
                            "read " + link,
                            "write " + file + " x",
                            "write " + link + " x",
                            "write " + file + ".new x"));
        }
        for (Path folder : List.of(state, closed.get(2).getParent(), closed.get(4).getParent())) {
            attempts.add(
                    "request terminal/create {\"command\":\"touch\",\"args\":[\"made\"],\"cwd\":\""
                            + folder
                            + "\"}");
        }
        // what leads git to a config and hooks that lie elsewhere
        for (String name : List.of(".git/config", ".git/commondir", "sub/.git", "sub/.GIT")) {
            attempts.add("write " + directory.resolve(name) + " x");
        }
        play(session, attempts.toArray(String[]::new));
        assertThat(host.updates("agent_message_chunk"))
                .extracting(u -> u.path("content").path("text").asString())
                .hasSize(attempts.size())
                .allSatisfy(answer -> assertThat(answer).startsWith("error -32602"));
        assertThat(host.accesses).as("nobody was even asked").isEmpty();
        assertThat(closed).allSatisfy(file -> assertThat(file).hasContent("kept"));
        assertThat(directory.resolve("extension").toFile().list()).containsExactly("background.js");

        Files.createDirectories(state.resolve("work/p"));
        play(session, "write " + state.resolve("work/p/ok.txt") + " x");
        assertThat(state.resolve("work/p/ok.txt")).hasContent("x");
    }

    @Test
    @DisplayName("ACP-102 ACP-104 forms are accepted, declined, cancelled; unknown ends ignored")
    void elicitation() throws Exception {
        String form =
                "request elicitation/create {\"mode\":\"form\",\"message\":\"Who?\","
                        + "\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                        + "{\"name\":{\"type\":\"string\"}}}}";
        host.onElicitation =
                r ->
                        completedFuture(
                                new ElicitationAnswer.Accept(AcpJson.object().put("name", "Ada")));
        play(session, form);
        host.onElicitation = r -> completedFuture(new ElicitationAnswer.Decline());
        play(session, form);
        host.onElicitation = r -> completedFuture(new ElicitationAnswer.Cancel());
        play(session, form, "notify elicitation/complete {\"elicitationId\":\"nobody\"}");
        assertThat(host.text())
                .isEqualTo(
                        "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}"
                                + "{\"action\":\"decline\"}{\"action\":\"cancel\"}");
        await().until(() -> host.done.contains("nobody"));
    }

    @Test
    @DisplayName("ACP-112 unknown requests get -32601, unknown notifications and noise nothing")
    void unknownThings() throws Exception {
        play(
                session,
                "request _vendor/thing {}",
                "notify _vendor/event {\"a\":1}",
                "garbage",
                "raw {\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"nobody/knows\"}",
                "say still here");
        assertThat(host.text()).startsWith("error -32601").endsWith("still here");
    }

    @Test
    @DisplayName("ACP-105 ACP-L41 unknown updates and fields reach the host as they were")
    void unknownUpdatesPass() throws Exception {
        String odd =
                "{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"q\",\"kind\":\"dance\","
                        + "\"x\":{\"deep\":[1,2.50,null,1e3]},\"_meta\":{\"k\":true}}";
        String future = "{\"sessionUpdate\":\"from_the_future\",\"a\":[{\"b\":\"\\u2028\"}]}";
        play(session, "update " + odd, "update " + future);
        assertThat(host.updates())
                .containsExactly(
                        (tools.jackson.databind.node.ObjectNode)
                                AcpJson.parse(
                                        odd.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                        (tools.jackson.databind.node.ObjectNode)
                                AcpJson.parse(
                                        future.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        assertThat(host.updates().getFirst().path("x").toString()).contains("2.50");
    }

    @Test
    @DisplayName("ACP-L34 a line of 20 MB passes")
    void hugeLinePasses() throws Exception {
        play(session, "huge 20000000");
        assertThat(host.text()).hasSize(20_000_000);
    }

    @Test
    @DisplayName("ACP-45 ACP-46 ACP-47 ACP-92 blocks arrive as sent, a link gets a name")
    void blocksArrive() throws Exception {
        var content = text("blocks");
        content.addObject()
                .put("type", "image")
                .put("mimeType", "image/png")
                .put("data", "iVBORw==");
        content.addObject().put("type", "resource_link").put("uri", "file:///a/notes.md?x");
        session.prompt(content).get(10, TimeUnit.SECONDS);
        assertThat(host.text()).contains("\"data\":\"iVBORw==\"").contains("\"name\":\"notes.md\"");
    }

    @Test
    @DisplayName("ACP-106 plans, commands and usage replace what was there")
    void stateReplaces() throws Exception {
        play(
                session,
                "update {\"sessionUpdate\":\"plan\",\"entries\":[{\"content\":\"a\"},{\"content\":\"b\"}]}",
                "update {\"sessionUpdate\":\"plan\",\"entries\":[{\"content\":\"c\"}]}",
                "update {\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":[{\"name\":\"x\"}]}",
                "update {\"sessionUpdate\":\"usage_update\",\"used\":5,\"size\":9}",
                "update {\"sessionUpdate\":\"session_info_update\",\"title\":\"T\"}");
        assertThat(session.state().path("plan").toString()).isEqualTo("[{\"content\":\"c\"}]");
        assertThat(session.state().path("commands").path(0).path("name").asString()).isEqualTo("x");
        assertThat(session.state().path("usage").path("used").asInt()).isEqualTo(5);
        assertThat(session.state().path("title").asString()).isEqualTo("T");
        play(session, "update {\"sessionUpdate\":\"session_info_update\",\"title\":null}");
        assertThat(session.state().has("title")).isFalse();
    }
}
