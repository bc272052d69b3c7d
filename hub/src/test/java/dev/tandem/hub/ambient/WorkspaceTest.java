package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Files and commands of a session, signs of life, and what its agent never learns. */
@Timeout(180)
class WorkspaceTest {
    private static final String BASE = "/api/ambient/v1/sessions";

    @TempDir static Path folder;
    private static EdgeHub hub;
    private static Path heard;

    @BeforeAll
    static void start() throws Exception {
        heard = folder.resolve("heard");
        assertThat(Timings.standard().streamKeepAlive()).isEqualTo(Duration.ofSeconds(15));
        hub =
                new EdgeHub(
                        folder,
                        new Timings(
                                Duration.ofSeconds(20),
                                AgentTimings.defaults(),
                                Duration.ofMillis(300)),
                        Map.of("scripted", ScriptedAgentCommand.argv("--record=" + heard)),
                        "");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String session() throws Exception {
        ObjectNode body = Json.object().put("name", "files");
        body.put("annotations", "{\"tandem/agent\":\"scripted\",\"tandem/mode\":\"act\"}");
        return hub.call("POST", BASE, body).body().get("id").asString();
    }

    private static EdgeHub.Answer ask(String method, String id, String path, @Nullable Object body)
            throws Exception {
        return hub.call(method, BASE + "/" + id + "/" + path, body);
    }

    private static void say(String id, String words) throws Exception {
        ObjectNode message = Json.object().put("payload", words);
        assertThat(ask("POST", id, "messages", message).status()).isEqualTo(201);
    }

    @Test
    void filesArePutReadListedAndRemovedAlsoBeforeTheStart() throws Exception {
        String id = session();
        assertThat(ask("PUT", id, "files/docs/plan.md", "# Plan\n").status()).isEqualTo(200);
        JsonNode read = ask("GET", id, "workspace/docs/plan.md", null).body();
        assertThat(read.get("content").asString()).isEqualTo("# Plan\n");
        assertThat(read.get("mimeType").asString()).isEqualTo("text/markdown");
        JsonNode root = ask("GET", id, "workspace", null).body();
        assertThat(root.at("/files/0/name").asString()).isEqualTo("docs");
        assertThat(root.at("/files/0/type").asString()).isEqualTo("directory");
        JsonNode docs = ask("GET", id, "workspace/docs", null).body();
        assertThat(docs.at("/files/0/path").asString()).isEqualTo("docs/plan.md");
        assertThat(docs.at("/files/0/size").asInt()).isEqualTo(7);
        assertThat(ask("PUT", id, "workspace/docs/plan.md", "new").status()).isEqualTo(200);
        assertThat(ask("GET", id, "workspace/docs/plan.md", null).body().get("content").asString())
                .isEqualTo("new");
        assertThat(ask("DELETE", id, "workspace/docs/plan.md", null).status()).isEqualTo(204);
        assertThat(ask("DELETE", id, "workspace/docs/plan.md", null).status()).isEqualTo(404);
        assertThat(ask("GET", id, "workspace/docs/plan.md", null).status()).isEqualTo(404);
    }

    @Test
    void aSessionWithoutAFolderHasNoFiles() throws Exception {
        hub.call("POST", "/api/ambient/v1/projects", Json.object().put("name", "empty"));
        ObjectNode body = Json.object().put("name", "none").put("project_id", "empty");
        String id = hub.call("POST", BASE, body).body().get("id").asString();
        for (String path : List.of("workspace", "files")) {
            EdgeHub.Answer answer = ask("GET", id, path, null);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.response().body()).isEqualTo("{\"files\":[]}");
        }
    }

    // SEC-10: no path leads out of the session's folder, and some places in it stay closed
    @Test
    void noPathLeadsOut() throws Exception {
        String id = session();
        Files.writeString(folder.resolve("state/secret.txt"), "secret");
        assertThat(ask("PUT", id, "files/a.txt", "a").status()).isEqualTo(200);
        for (String path :
                List.of(
                        "%2E%2E/%2E%2E/%2E%2E/secret.txt",
                        "a%2F..%2F..%2F..%2F..%2Fsecret.txt",
                        "%2Fetc%2Fpasswd",
                        ".git/hooks/pre-commit")) {
            for (String method : List.of("GET", "PUT", "DELETE")) {
                EdgeHub.Answer answer =
                        ask(method, id, "workspace/" + path, method.equals("PUT") ? "x" : null);
                assertThat(answer.status()).as(method + " " + path).isIn(400, 403, 404);
                assertThat(answer.response().body()).doesNotContain("root:", "\"secret\"");
            }
        }
        assertThat(Files.readString(folder.resolve("state/secret.txt"))).isEqualTo("secret");
        RawHttp.Answer large =
                hub.announce("PUT", BASE + "/" + id + "/files/large", (10 << 20) + 1);
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.body()).contains("10485760");
    }

    @Test
    void commandsOfTheAgentAreTasks() throws Exception {
        String id = session();
        assertThat(ask("GET", id, "agui/tasks", null).body().get("total").asInt()).isZero();
        ask("POST", id, "start", null);
        say(id, "open echo hello\nawait\nopen sleep 600\nwait");
        JsonNode tasks =
                await().atMost(Duration.ofSeconds(40))
                        .until(
                                () -> ask("GET", id, "tasks", null).body(),
                                body -> body.get("total").asInt() == 2);
        String running = "";
        for (JsonNode task : tasks.get("tasks")) {
            boolean echo = task.get("command").asString().equals("echo hello");
            assertThat(task.get("status").asString()).isEqualTo(echo ? "completed" : "running");
            String output = "tasks/" + task.get("id").asString() + "/output";
            String text = ask("GET", id, output, null).response().body();
            assertThat(text).isEqualTo(echo ? "hello\n" : "");
            running = echo ? running : task.get("id").asString();
        }
        String stop = "agui/tasks/" + running + "/stop";
        assertThat(ask("POST", id, stop, null).body().get("message").asString())
                .isEqualTo("stop signal sent");
        String ended = running;
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        ask("GET", id, "agui/tasks", null)
                                .body()
                                .toString()
                                .contains("\"status\":\"stopped\",\"id\":\"" + ended));
        assertThat(ask("POST", id, "tasks/none/stop", null).status()).isEqualTo(404);
        assertThat(ask("POST", id, "tasks/a%20b/stop", null).status()).isEqualTo(400);
        hub.call("DELETE", BASE + "/" + id, null);
    }

    // AMB-201 (keep-alive), AMB-L59: every stream gives a sign of life, 15 s in the product
    @Test
    void quietStreamsGiveASignOfLife() throws Exception {
        String id = session();
        for (String path :
                List.of(
                        BASE + "/" + id + "/messages?after_seq=0",
                        BASE + "/" + id + "/events",
                        BASE + "?watch=true")) {
            try (EdgeHub.Lines lines = hub.lines(path)) {
                int signs = 0;
                while (signs < 2) {
                    String line = lines.next().orElseThrow();
                    signs += line.startsWith(":") ? 1 : 0;
                }
            }
        }
    }

    // AMB-B17: the list tells what was made, changed and deleted
    @Test
    void theListIsWatched() throws Exception {
        try (EdgeHub.Lines lines = hub.lines(BASE + "?watch=true")) {
            lines.next();
            String id = session();
            JsonNode made = lines.data().orElseThrow();
            while (!made.at("/session/id").asString("").equals(id)) {
                made = lines.data().orElseThrow();
            }
            assertThat(made.get("type").asString()).isEqualTo("CREATED");
            hub.call("PATCH", BASE + "/" + id, Json.object().put("name", "other"));
            JsonNode changed = lines.data().orElseThrow();
            assertThat(changed.get("type").asString()).isEqualTo("UPDATED");
            assertThat(changed.at("/session/name").asString()).isEqualTo("other");
            hub.call("DELETE", BASE + "/" + id, null);
            JsonNode gone = lines.data().orElseThrow();
            while (!gone.get("type").asString().equals("DELETED")) {
                gone = lines.data().orElseThrow();
            }
            assertThat(gone.at("/session/id").asString()).isEqualTo(id);
        }
    }

    // AMB-L62: with its agent killed, run and interrupt say so instead of an empty 200
    @Test
    void withoutAnAgentRunAndInterruptAreRefused() throws Exception {
        String id = session();
        ask("POST", id, "start", null);
        hub.awaitPhase(id, "Running");
        long pid = hub.sessions().engine().agentSession(id).orElseThrow().agent().pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        hub.awaitPhase(id, "Failed");
        ObjectNode input = Json.object();
        input.putArray("messages").addObject().put("role", "user").put("content", "say hello");
        for (String path : List.of("agui/run", "agui/interrupt", "interrupt")) {
            EdgeHub.Answer answer = ask("POST", id, path, input);
            assertThat(answer.status()).as(path).isEqualTo(503);
            assertThat(answer.body().get("reason").asString())
                    .isEqualTo("session runner not available");
        }
        assertThat(hub.sessions().engine().queue().list(id)).as("nothing was taken").isEmpty();
    }

    // AMB-L64: neither the environment nor the words that an agent gets hold the caller's token
    @Test
    void theAgentNeverSeesTheCallersToken() throws Exception {
        String id = session();
        ask("POST", id, "start", null);
        say(id, "env");
        JsonNode messages =
                await().atMost(Duration.ofSeconds(40))
                        .until(
                                () -> ask("GET", id, "messages", null).body(),
                                body -> body.toString().contains("PATH="));
        assertThat(messages.toString()).doesNotContain(hub.token);
        assertThat(Files.readString(heard)).contains("session/prompt").doesNotContain(hub.token);
        hub.call("DELETE", BASE + "/" + id, null);
    }
}
