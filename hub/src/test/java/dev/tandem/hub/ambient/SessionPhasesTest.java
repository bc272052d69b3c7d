package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** What the API answers about a session in each phase, however it came there. */
class SessionPhasesTest {
    private static final String BASE = "/api/ambient/v1/sessions";
    private static final Set<Phase> STARTABLE =
            Set.of(Phase.NONE, Phase.STOPPED, Phase.FAILED, Phase.COMPLETED);

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

    private static String in(Phase phase) throws Exception {
        String annotations = Json.write(Json.object().put("tandem/agent", "scripted"));
        ObjectNode body = Json.object().put("name", "s").put("annotations", annotations);
        String id = hub.call("POST", BASE, body).body().get("id").asString();
        hub.sessions()
                .store()
                .write(sql ->
                        sql.update("UPDATE sessions SET phase = ? WHERE id = ?", phase.word(), id));
        return id;
    }

    // AMB-195
    @ParameterizedTest
    @EnumSource
    void startIsForThoseThatDoNotRun(Phase phase) throws Exception {
        String id = in(phase);
        EdgeHub.Answer answer = hub.call("POST", BASE + "/" + id + "/start", null);
        if (STARTABLE.contains(phase)) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body().get("phase").asString()).isEqualTo("Pending");
            hub.awaitPhase(id, "Running");
        } else {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.body().get("reason").asString())
                    .isEqualTo(
                            "cannot start session in phase \"%s\"; must be empty, Stopped, Failed, or Completed"
                                    .formatted(phase.word()));
        }
        hub.call("DELETE", BASE + "/" + id, null);
    }

    // AMB-196
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PENDING", "CREATING", "RUNNING"})
    void stopIsForThoseThatRun(Phase phase) throws Exception {
        String id = in(phase);
        EdgeHub.Answer answer = hub.call("POST", BASE + "/" + id + "/stop", null);
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().get("reason").asString())
                .isEqualTo(
                        "cannot stop session in phase \"%s\"; must be Running, Creating, or Pending"
                                .formatted(phase.word()));
        hub.call("DELETE", BASE + "/" + id, null);
    }
}
