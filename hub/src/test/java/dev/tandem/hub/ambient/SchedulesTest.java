package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Agent profiles, their inbox, and sessions that start by the clock. */
@Timeout(120)
class SchedulesTest {
    private static final String PROJECT = "/api/ambient/v1/projects/default";
    private static final String SCHEDULES = PROJECT + "/scheduled-sessions";

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub =
                new EdgeHub(
                        folder,
                        Timings.standard(),
                        Map.of("scripted", ScriptedAgentCommand.argv()),
                        "scripted");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    /** A clock that stands where it was put. */
    private static final class Hands extends Clock {
        private Instant now;

        Hands(String now) {
            this.now = Instant.parse(now);
        }

        void to(String later) {
            now = Instant.parse(later);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static Schedules schedules(Clock clock) {
        var inside = hub.sessions();
        Documents documents = new Documents(inside.store(), clock);
        SessionStore store = new SessionStore(inside.store(), inside.log(), clock);
        Profiles profiles = new Profiles(documents, inside.engine(), store, clock);
        return new Schedules(documents, profiles, inside.engine(), clock);
    }

    private static String made(String path, ObjectNode body) throws Exception {
        EdgeHub.Answer answer = hub.call("POST", path, body);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
        return answer.body().get("id").asString();
    }

    private static JsonNode get(String path) throws Exception {
        return hub.call("GET", path, null).body();
    }

    // AMB-B19: a leap day, so that no real clock is in the way
    @Test
    void aSessionStartsWhenItsTimeHasCome() throws Exception {
        ObjectNode wish = Json.object().put("name", "nightly").put("schedule", "30 3 29 2 *");
        wish.put("timezone", "Europe/Paris").put("session_prompt", "say good morning");
        String one = SCHEDULES + "/" + made(SCHEDULES, wish);
        assertThat(get(one).get("next_run_at").asString()).contains("-02-29T02:30:00");
        Hands hands = new Hands("2028-02-29T02:29:50Z");
        try (Schedules schedules = schedules(hands)) {
            schedules.look();
            assertThat(get(one + "/runs").get("total").asInt()).as("too early").isZero();
            hands.to("2028-02-29T02:30:05Z");
            schedules.look();
            schedules.look();
            JsonNode runs = get(one + "/runs");
            assertThat(runs.get("total").asInt()).as("once").isEqualTo(1);
            String session = runs.at("/items/0/id").asString();
            assertThat(runs.at("/items/0/name").asString()).startsWith("nightly-");
            assertThat(get(one).get("last_run_at").asString()).startsWith("2028-02-29T02:30:05");
            hub.awaitPhase(session, "Running");
            assertThat(get("/api/ambient/v1/sessions/" + session + "/messages").at("/0/payload"))
                    .hasToString("\"say good morning\"");
            assertThat(hub.call("POST", one + "/suspend", null).body().has("next_run_at"))
                    .isFalse();
            hands.to("2032-02-29T02:30:05Z");
            schedules.look();
            assertThat(get(one + "/runs").get("total").asInt()).as("suspended").isEqualTo(1);
            assertThat(hub.call("POST", one + "/resume", null).body().has("next_run_at")).isTrue();
            assertThat(hub.call("POST", one + "/trigger", null).body().toString())
                    .isEqualTo("{\"status\":\"triggered\"}");
            assertThat(get(one + "/runs").get("total").asInt()).isEqualTo(2);
        }
        assertThat(hub.call("DELETE", one, null).status()).isEqualTo(204);
    }

    // AMB-B19, AMB-B20: unread messages go with the start and are read then; one run at a time
    @Test
    void anAgentStartsOnceWithItsInbox() throws Exception {
        String agent = made(PROJECT + "/agents", Json.object().put("name", "ann"));
        String one = PROJECT + "/agents/" + agent;
        ObjectNode letter = Json.object().put("body", "Look here").put("from_name", "Eve");
        made(one + "/inbox", letter);
        assertThat(get(PROJECT + "/home").toString()).contains("\"inbox_unread_count\":1");
        EdgeHub.Answer first =
                hub.call("POST", one + "/start", Json.object().put("prompt", "wait"));
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body().get("start_prompt").asString())
                .containsSubsequence("ann", "Eve: Look here", "wait");
        String session = first.body().at("/session/id").asString();
        assertThat(get(one).get("current_session_id").asString()).isEqualTo(session);
        assertThat(get(one + "/inbox").at("/items/0/read").asBoolean()).isTrue();
        assertThat(get(PROJECT + "/home").toString()).contains("\"inbox_unread_count\":0");
        EdgeHub.Answer again = hub.call("POST", one + "/start", Json.object());
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().at("/session/id").asString()).isEqualTo(session);
        ObjectNode wish = Json.object().put("name", "busy").put("schedule", "0 0 29 2 *");
        String schedule = SCHEDULES + "/" + made(SCHEDULES, wish.put("agent_id", agent));
        assertThat(hub.call("POST", schedule + "/trigger", null).body().toString())
                .isEqualTo("{\"status\":\"skipped\"}");
        assertThat(get(one + "/sessions").get("total").asInt()).isEqualTo(1);
        hub.call("DELETE", "/api/ambient/v1/sessions/" + session, null);
    }

    // AMB-L60: nothing of a deleted project is left to start, or to come back with its name
    @Test
    void aDeletedProjectTakesItsAgentsAndSchedulesAlong() throws Exception {
        String projects = "/api/ambient/v1/projects";
        String project = projects + "/" + made(projects, Json.object().put("name", "brief"));
        String agent = made(project + "/agents", Json.object().put("name", "ann"));
        made(project + "/agents/" + agent + "/inbox", Json.object().put("body", "Hello"));
        ObjectNode wish = Json.object().put("name", "often").put("schedule", "* * * * *");
        made(project + "/scheduled-sessions", wish);
        assertThat(hub.call("DELETE", project, null).status()).isEqualTo(204);
        made(projects, Json.object().put("name", "brief"));
        assertThat(get(project + "/agents").get("total").asInt()).isZero();
        assertThat(get(project + "/scheduled-sessions").get("total").asInt()).isZero();
        assertThat(
                        hub.sessions()
                                .store()
                                .<Integer>read(sql ->
                                        sql.first(
                                                        "SELECT COUNT(*) FROM ambient_documents"
                                                                + " WHERE parent = ?",
                                                        row -> row.getInt(1),
                                                        agent)
                                                .orElseThrow()))
                .as("the inbox")
                .isZero();
        hub.call("DELETE", project, null);
    }

    // What must be there cannot be taken away
    @Test
    void aNameStays() throws Exception {
        String agent =
                PROJECT + "/agents/" + made(PROJECT + "/agents", Json.object().put("name", "zoe"));
        String wish =
                SCHEDULES
                        + "/"
                        + made(
                                SCHEDULES,
                                Json.object().put("name", "leap").put("schedule", "0 0 29 2 *"));
        for (String path : List.of(agent, wish)) {
            for (ObjectNode bad :
                    List.of(Json.object().put("name", " "), Json.object().putNull("name"))) {
                EdgeHub.Answer refused = hub.call("PATCH", path, bad);
                assertThat(refused.status()).as(path + bad).isEqualTo(400);
                assertThat(refused.body().get("reason").asString()).isEqualTo("name is required");
            }
            assertThat(get(path).has("name")).isTrue();
        }
    }

    @Test
    void whatCannotBeATimeIsRefused() throws Exception {
        for (String bad : List.of("", "* * * *", "60 * * * *", "0 0 0 * *", "5-1 * * * *", "x")) {
            assertRefused(Json.object().put("schedule", bad), "schedule");
        }
        assertRefused(Json.object().put("schedule", "0 0 31 2 *"), "never");
        assertRefused(
                Json.object().put("schedule", "@daily").put("timezone", "Mars/Base"), "timezone");
    }

    private static void assertRefused(ObjectNode wish, String word) throws Exception {
        EdgeHub.Answer answer = hub.call("POST", SCHEDULES, wish.put("name", "bad"));
        assertThat(answer.status()).as(wish.toString()).isEqualTo(400);
        assertThat(answer.body().get("reason").asString()).contains(word);
    }

    @ParameterizedTest
    @CsvSource({
        "*/15 * * * *, 2026-11-16T10:07, 2026-11-16T10:15",
        "0 9 * * mon-fri, 2026-11-13T09:00, 2026-11-16T09:00",
        "0 0 1 jan *, 2026-01-01T00:00, 2027-01-01T00:00",
        "0 0 13 * 5, 2026-11-14T00:00, 2026-11-20T00:00",
        "30 23 * * 7, 2026-11-16T00:00, 2026-11-22T23:30",
        "@hourly, 2026-11-16T10:00, 2026-11-16T11:00",
        "30 2 * * *, 2026-10-25T02:30, 2026-10-26T02:30"
    })
    void theNextTimeIsFound(String schedule, String after, String next) {
        ZoneId paris = ZoneId.of("Europe/Paris");
        ZonedDateTime from = java.time.LocalDateTime.parse(after).atZone(paris);
        assertThat(Cron.parse(schedule).next(from).orElseThrow().toLocalDateTime()).isEqualTo(next);
    }
}
