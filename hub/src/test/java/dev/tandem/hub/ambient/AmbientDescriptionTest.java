package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Walks our own description of the API against a real hub. */
@Timeout(120)
class AmbientDescriptionTest {
    private static final String BASE = "/api/ambient/v1";

    @TempDir static Path folder;
    private static EdgeHub hub;
    private static final Description DESCRIPTION = new Description();

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // AMB-187, AMB-188, SETTLED 17, AMB-C34
    @Test
    void everyOperationNeedsATokenAndOthersAreNotServed() throws Exception {
        for (Description.Operation operation : DESCRIPTION.operations()) {
            String path = BASE + operation.path().replaceAll("\\{[a-z]+}", "x");
            if (!operation.path().equals("/version")) {
                EdgeHub.Answer shut = hub.call(operation.method(), path, null, "Authorization", "");
                assertThat(shut.status()).as(path).isEqualTo(401);
                assertThat(shut.body().get("id").asString()).as(path).isEqualTo("15");
            }
            if (!operation.served()) {
                EdgeHub.Answer refused = hub.call(operation.method(), path, null);
                assertThat(refused.status()).as(path).isEqualTo(405);
                assertThat(refused.body().get("id").asString()).isEqualTo("10");
            } else if (operation.path().contains("{") && !operation.path().startsWith("/users")) {
                EdgeHub.Answer missing = hub.call(operation.method(), path, "{}");
                assertThat(missing.status()).as(operation.id()).isEqualTo(404);
                assertThat(missing.body().get("id").asString()).as(operation.id()).isEqualTo("7");
            }
        }
    }

    // AMB-189, SETTLED 17
    @Test
    void answersHoldOnlyDescribedFields() throws Exception {
        hub.call("POST", BASE + "/projects", "{\"name\":\"walk\",\"prompt\":\"Be kind.\"}");
        String in = BASE + "/projects/walk";
        String agent =
                id(hub.call("POST", in + "/agents", "{\"name\":\"ann\",\"prompt\":\"Read.\"}"));
        String other = id(hub.call("POST", in + "/agents", "{\"name\":\"bob\"}"));
        assertThat(hub.call("POST", in + "/agents", "{\"name\":\"ann\"}").status()).isEqualTo(409);
        String message =
                id(
                        hub.call(
                                "POST",
                                in + "/agents/" + agent + "/inbox",
                                "{\"body\":\"Look here\",\"from_name\":\"Eve\"}"));
        String schedule =
                id(
                        hub.call(
                                "POST",
                                in + "/scheduled-sessions",
                                "{\"name\":\"nightly\",\"schedule\":\"30 3 * * mon-fri\","
                                        + "\"timezone\":\"Europe/Paris\"}"));
        String session =
                id(
                        hub.call(
                                "POST",
                                BASE + "/sessions",
                                "{\"name\":\"s\",\"project_id\":\"walk\",\"prompt\":\"hi\"}"));
        assertThat(hub.call("PUT", BASE + "/sessions/" + session + "/files/a/b.md", "# B").status())
                .isEqualTo(200);
        Map<String, String> ids =
                Map.of(
                        "agent", agent,
                        "message", message,
                        "schedule", schedule,
                        "path", "a/b.md");
        assertThat(other).isNotEqualTo(agent);
        for (Description.Operation operation : DESCRIPTION.operations()) {
            boolean readable =
                    operation.served()
                            && operation.method().equals("GET")
                            && !operation.answer().equals("events")
                            && !operation.answer().equals("text");
            if (!readable) {
                continue;
            }
            String path = operation.path();
            String first =
                    path.startsWith("/sessions")
                            ? session
                            : path.startsWith("/projects") ? "walk" : "owner";
            path = path.replace("{id}", first);
            for (var part : ids.entrySet()) {
                path = path.replace("{" + part.getKey() + "}", part.getValue());
            }
            String query =
                    operation.id().equals("searchMessages")
                            ? "?search=session_id%3D%27" + session + "%27&orderBy=seq%20desc&size=1"
                            : "";
            EdgeHub.Answer answer = hub.call("GET", BASE + path + query, null);
            assertThat(answer.status()).as(operation.id()).isEqualTo(operation.status());
            check(operation, answer.body());
        }
        String prompt = hub.call("GET", in + "/agents/" + agent + "/start", null).response().body();
        assertThat(prompt)
                .containsSubsequence("Agent Start", "ann", "Be kind.", "Read.", "bob", "Eve");
    }

    private static String id(EdgeHub.Answer made) {
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        return made.body().get("id").asString();
    }

    private static void check(Description.Operation operation, JsonNode body) {
        String answer = operation.answer();
        if (answer.endsWith("List")) {
            assertThat(body.get("kind").asString()).as(operation.id()).isEqualTo(answer);
            for (JsonNode item : body.get("items")) {
                checkFields(answer.substring(0, answer.length() - 4), item);
            }
        } else if (answer.equals("array")) {
            assertThat(body.isArray()).as(operation.id()).isTrue();
        } else if (!answer.equals("object") && !answer.equals("text")) {
            checkFields(answer, body);
        }
    }

    private static void checkFields(String resource, JsonNode item) {
        JsonNode fields = fields(resource);
        for (var entry : item.properties()) {
            JsonNode described = fields.path(entry.getKey());
            JsonNode value = entry.getValue();
            assertThat(described.isObject()).as(resource + "." + entry.getKey()).isTrue();
            boolean fits =
                    switch (described.get("type").asString()) {
                        case "string" -> value.isString();
                        case "integer" -> value.isIntegralNumber();
                        case "number" -> value.isNumber();
                        default -> value.isBoolean();
                    };
            assertThat(fits).as(resource + "." + entry.getKey() + " = " + value).isTrue();
        }
        if (!resource.equals("SessionMessage")) {
            assertThat(item.get("kind").asString()).isEqualTo(resource);
            assertThat(item.get("href").asString()).startsWith(BASE);
        }
    }

    private static JsonNode fields(String resource) {
        for (String group : Description.GROUPS) {
            JsonNode found =
                    Json.resource("ambient/" + group + ".json").path("resources").path(resource);
            if (found.isObject()) {
                return found;
            }
        }
        throw new AssertionError("No resource " + resource);
    }
}
