package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The Ambient door of a real hub: lists, projects, life of sessions, errors. */
@Timeout(120)
class AmbientEndpointTest {
    private static final String BASE = "/api/ambient/v1";

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static EdgeHub.Answer get(String path) throws Exception {
        return hub.call("GET", BASE + path, null);
    }

    private static String project(String name) throws Exception {
        assertThat(hub.call("POST", BASE + "/projects", "{\"name\":\"" + name + "\"}").status())
                .isEqualTo(201);
        return name;
    }

    private static String session(String project, String more) throws Exception {
        EdgeHub.Answer made =
                hub.call(
                        "POST",
                        BASE + "/sessions",
                        "{\"name\":\"one\",\"project_id\":\"%s\",\"annotations\":\"{\\\"tandem/agent\\\":"
                                        .formatted(project)
                                + "\\\"scripted\\\"}\""
                                + more
                                + "}");
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        return made.body().get("id").asString();
    }

    private static void assertError(EdgeHub.Answer answer, int status, int id) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().propertyNames())
                .containsExactlyInAnyOrder("id", "kind", "href", "code", "reason", "operation_id");
        assertThat(answer.body().get("id").asString()).isEqualTo(Integer.toString(id));
        assertThat(answer.body().get("operation_id").asString())
                .hasSize(27)
                .isEqualTo(answer.response().headers().firstValue("X-Operation-ID").orElseThrow());
        assertThat(answer.body().get("reason").asString()).isNotBlank();
    }

    // AMB-186
    @Test
    void versionNeedsNoToken() throws Exception {
        EdgeHub.Answer answer = hub.call("GET", BASE + "/version", null, "Authorization", "");
        assertThat(answer.status()).isEqualTo(200);
        String version = answer.body().get("version").asString();
        assertThat(version).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(answer.body().get("git_tag").asString()).isEqualTo("v" + version);
        assertThat(Instant.parse(answer.body().get("build_time").asString()))
                .isBefore(Instant.now());
    }

    // AMB-187, AMB-188, AMB-L51, AMB-C18
    @Test
    void everyErrorHasTheSameBody() throws Exception {
        String id = session(project("errors"), "");
        assertError(hub.call("GET", BASE + "/sessions", null, "Authorization", ""), 401, 15);
        assertError(
                hub.call("GET", BASE + "/none", null, "Authorization", "Bearer " + "x".repeat(40)),
                401,
                15);
        assertError(get("/nowhere"), 404, 404);
        assertError(get("/sessions/none"), 404, 7);
        assertError(get("/sessions/none/messages"), 404, 7);
        assertError(get("/sessions/none/events"), 404, 7);
        EdgeHub.Answer put = hub.call("PUT", BASE + "/sessions", "{}");
        assertError(put, 405, 10);
        assertThat(put.response().headers().firstValue("Allow")).contains("GET, POST");
        assertError(get("/credentials"), 405, 10);
        assertError(hub.call("POST", BASE + "/sessions", "{"), 400, 17);
        assertError(hub.call("POST", BASE + "/sessions/" + id + "/stop", null), 409, 6);
        assertError(
                hub.call(
                        "POST",
                        BASE + "/sessions/" + id + "/messages",
                        "{\"payload\":\"" + "x".repeat(1024 * 1024) + "\"}"),
                413,
                17);
        assertError(hub.call("POST", BASE + "/sessions/" + id + "/agui/interrupt", "{}"), 503, 9);
    }

    // AMB-189, AMB-190, AMB-L52, AMB-L65, AMB-C22
    @Test
    void listsArePagedSearchedAndOrdered() throws Exception {
        String project = project("lists");
        for (String name : List.of("alpha", "beta", "gamma")) {
            hub.call(
                    "POST",
                    BASE + "/sessions",
                    "{\"name\":\"%s\",\"project_id\":\"lists\",\"timeout\":%d}"
                            .formatted(name, name.length()));
        }
        String list = "/sessions?project_id=" + project;
        JsonNode all = get(list + "&orderBy=name%20desc").body();
        assertThat(all.propertyNames())
                .containsExactlyInAnyOrder("kind", "page", "size", "total", "items");
        assertThat(names(all)).containsExactly("gamma", "beta", "alpha");
        JsonNode second = get(list + "&orderBy=name&size=2&page=2").body();
        assertThat(names(second)).containsExactly("gamma");
        assertThat(second.get("size").asInt()).isEqualTo(1);
        assertThat(second.get("total").asInt()).isEqualTo(3);
        JsonNode count = get(list + "&size=0").body();
        assertThat(count.get("items")).isEmpty();
        assertThat(count.get("total").asInt()).isEqualTo(3);
        assertThat(names(get(list + "&size=-1").body())).hasSize(3);
        assertThat(names(found(list, "name like 'be%' or name = 'gamma'")))
                .containsExactlyInAnyOrder("beta", "gamma");
        assertThat(names(found(list, "not (name in ('beta', 'gamma')) and phase is null")))
                .containsExactly("alpha");
        assertThat(names(found(list, "timeout between 5 and 9 and name ilike 'G%'")))
                .containsExactly("gamma");
        JsonNode cut = get(list + "&fields=name").body().get("items").get(0);
        assertThat(cut.propertyNames()).containsExactlyInAnyOrder("id", "name");
        assertError(get(list + "&search=name%20like"), 400, 23);
        assertError(get(list + "&search=1%3D1%3B--"), 400, 23);
        assertError(get(list + "&search=nothing%20%3D%20%271%27"), 400, 21);
        assertError(get(list + "&orderBy=name%20up"), 400, 21);
        assertError(get(list + "&orderBy=nothing"), 400, 21);
    }

    private static JsonNode found(String list, String search) throws Exception {
        return get(list + "&search=" + URLEncoder.encode(search, StandardCharsets.UTF_8)).body();
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.get("items").forEach(item -> names.add(item.get("name").asString()));
        return names;
    }

    // AMB-191, AMB-L60, AMB-L61
    @Test
    void projectsFollowTheirRules() throws Exception {
        assertThat(hub.call("POST", BASE + "/projects", "{\"name\":\"ab\"}").status())
                .isEqualTo(201);
        assertError(hub.call("POST", BASE + "/projects", "{\"name\":\"a\"}"), 400, 8);
        assertError(hub.call("POST", BASE + "/projects", "{\"name\":\"A_b\"}"), 400, 8);
        assertError(hub.call("POST", BASE + "/projects", "{\"name\":\"ab\"}"), 409, 6);
        assertError(hub.call("PATCH", BASE + "/projects/ab", "{\"name\":\"cd\"}"), 400, 8);
        JsonNode named =
                hub.call("PATCH", BASE + "/projects/ab", "{\"displayName\":\"Mine\"}").body();
        assertThat(named.get("displayName").asString()).isEqualTo("Mine");
        assertThat(named.get("id").asString()).isEqualTo("ab");
        String inside = session("ab", "");
        assertThat(hub.call("DELETE", BASE + "/projects/ab", null).status()).isEqualTo(204);
        assertError(hub.call("DELETE", BASE + "/projects/ab", null), 404, 7);
        assertError(get("/sessions/" + inside), 404, 7);
    }

    // AMB-192
    @Test
    void theProjectHeaderFiltersAndFills() throws Exception {
        project("headed");
        project("other");
        EdgeHub.Answer made =
                hub.call(
                        "POST",
                        BASE + "/sessions",
                        "{\"name\":\"by header\"}",
                        "X-Ambient-Project",
                        "headed");
        assertThat(made.body().get("project_id").asString()).isEqualTo("headed");
        session("other", "");
        JsonNode mine =
                hub.call("GET", BASE + "/sessions", null, "X-Ambient-Project", "headed").body();
        assertThat(names(mine)).containsExactly("by header");
        JsonNode wins =
                hub.call(
                                "GET",
                                BASE + "/sessions?project_id=other",
                                null,
                                "X-Ambient-Project",
                                "headed")
                        .body();
        assertThat(names(wins)).containsExactly("one");
        assertThat(get("/sessions?project_id=").body().get("total").asInt()).isGreaterThan(1);
        assertError(hub.call("GET", BASE + "/sessions", null, "X-Ambient-Project", "a'b"), 400, 8);
    }

    // AMB-193, AMB-194, AMB-199, AMB-207, AMB-L57
    @Test
    void aNewSessionHasDefaultsAndItsPrompt() throws Exception {
        project("fresh");
        EdgeHub.Answer made =
                hub.call(
                        "POST",
                        BASE + "/sessions",
                        "{\"name\":\"n\",\"project_id\":\"fresh\",\"max_turns\":5,"
                                + "\"prompt\":\"say hello\"}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body().has("phase")).isFalse();
        assertThat(made.body().has("max_turns")).isFalse();
        assertThat(made.body().get("llm_model").asString()).isEqualTo("claude-sonnet-4-6");
        assertThat(made.body().get("llm_temperature").asDouble()).isEqualTo(0.7);
        assertThat(made.body().get("llm_max_tokens").asInt()).isEqualTo(4000);
        String id = made.body().get("id").asString();
        JsonNode messages = get("/sessions/" + id + "/messages?after_seq=0").body();
        assertThat(messages.get(0).get("event_type").asString()).isEqualTo("user");
        assertThat(messages.get(0).get("payload").asString()).isEqualTo("say hello");
        long last = messages.get(messages.size() - 1).get("seq").asLong();
        assertThat(get("/sessions/" + id + "/messages?after_seq=" + last).response().body())
                .isEqualTo("[]");
        assertError(hub.call("POST", BASE + "/sessions", "{}"), 400, 17);
        assertError(hub.call("POST", BASE + "/sessions", "{\"name\":\"x\",\"id\":\"1\"}"), 400, 8);
        JsonNode patched =
                hub.call(
                                "PATCH",
                                BASE + "/sessions/" + id,
                                "{\"labels\":\"{\\\"a\\\":\\\"b\\\"}\",\"phase\":\"Running\","
                                        + "\"agent_id\":\"x\",\"nonsense\":1}")
                        .body();
        assertThat(patched.get("labels").asString()).isEqualTo("{\"a\":\"b\"}");
        assertThat(patched.has("phase")).isFalse();
        assertThat(patched.has("agent_id")).isFalse();
        assertError(hub.call("PATCH", BASE + "/sessions/" + id, "{\"labels\":\"{\"}"), 400, 8);
    }

    // AMB-195, AMB-196, AMB-197, AMB-198, AMB-L55, AMB-L63
    @Test
    void aSessionStartsOnceStopsResumesAndEnds() throws Exception {
        project("living");
        String id = session("living", ",\"prompt\":\"pid\"");
        String path = BASE + "/sessions/" + id;
        List<Callable<Integer>> starts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            starts.add(() -> hub.call("POST", path + "/start", null).status());
        }
        ConcurrentHashMap<Integer, Integer> seen = new ConcurrentHashMap<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var one : threads.invokeAll(starts)) {
                seen.merge(one.get(), 1, Integer::sum);
            }
        }
        assertThat(seen).containsOnly(java.util.Map.entry(200, 1), java.util.Map.entry(409, 49));
        hub.awaitPhase(id, "Running");
        EdgeHub.Answer again = hub.call("POST", path + "/start", null);
        assertError(again, 409, 6);
        assertThat(again.body().get("reason").asString())
                .isEqualTo(
                        "cannot start session in phase \"Running\"; must be empty, Stopped,"
                                + " Failed, or Completed");
        long pid = Long.parseLong(awaitAssistant(id, 1).strip());
        assertThat(ProcessHandle.of(pid).isPresent()).isTrue();

        EdgeHub.Answer stopping = hub.call("POST", path + "/stop", null);
        assertThat(stopping.body().get("phase").asString()).isEqualTo("Stopping");
        hub.awaitPhase(id, "Stopped");
        assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
        EdgeHub.Answer late = hub.call("POST", path + "/stop", null);
        assertThat(late.body().get("reason").asString())
                .isEqualTo(
                        "cannot stop session in phase \"Stopped\"; must be Running, Creating, or"
                                + " Pending");
        EdgeHub.Answer resumed = hub.call("POST", path + "/start", null);
        assertThat(resumed.body().get("phase").asString()).isEqualTo("Pending");
        hub.awaitPhase(id, "Running");
        hub.call("POST", path + "/messages", "{\"payload\":\"pid\"}");
        long second = Long.parseLong(awaitAssistant(id, 2).strip());
        JsonNode exported = get("/sessions/" + id + "/export").body();
        assertThat(exported.get("version").asString()).isEqualTo("1");
        assertThat(exported.get("messages").size()).isGreaterThan(4);

        assertThat(hub.call("DELETE", path, null).status()).isEqualTo(204);
        assertThat(ProcessHandle.of(second).map(ProcessHandle::isAlive).orElse(false)).isFalse();
        assertError(hub.call("DELETE", path, null), 404, 7);
        assertError(hub.call("GET", path, null), 404, 7);
    }

    private static String awaitAssistant(String id, int count) {
        return await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            List<String> said = new ArrayList<>();
                            for (JsonNode one : get("/sessions/" + id + "/messages").body()) {
                                if (one.get("event_type").asString().equals("assistant")) {
                                    said.add(one.get("payload").asString());
                                }
                            }
                            return said;
                        },
                        said -> said.size() >= count)
                .get(count - 1);
    }

    // AMB-208
    @Test
    void preflightAllowsTheHeadersOfClients() throws Exception {
        String origin =
                "chrome-extension://"
                        + Json.resource("identity.json").get("extensionId").asString();
        EdgeHub.Answer answer =
                hub.call(
                        "OPTIONS", BASE + "/sessions", null, "Origin", origin, "Authorization", "");
        String allowed =
                answer.response().headers().firstValue("Access-Control-Allow-Headers").orElse("");
        assertThat(List.of(allowed.split(", ")))
                .contains(
                        "authorization",
                        "content-type",
                        "x-ambient-project",
                        "accept",
                        "cache-control",
                        "last-event-id",
                        "user-agent");
        assertThat(answer.response().headers().firstValue("Access-Control-Allow-Origin"))
                .contains(origin);
        EdgeHub.Answer read = hub.call("GET", BASE + "/sessions", null, "Origin", origin);
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.response().headers().allValues("Vary"))
                .containsExactlyInAnyOrder("Authorization", "Origin");
    }
}
