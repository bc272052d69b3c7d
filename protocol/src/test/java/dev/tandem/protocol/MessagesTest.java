package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class MessagesTest {
    private static final List<Messages> ALL =
            List.of(
                    Messages.ops(),
                    Messages.link(),
                    Messages.annotation(),
                    Messages.cdp(),
                    Messages.relay());

    static Stream<Arguments> goldens() {
        return ALL.stream()
                .flatMap(family ->
                        Json.resourceTree("messages/golden/" + family.family() + ".json")
                                .valueStream()
                                .map(golden -> Arguments.of(family, golden)));
    }

    // OPS-133, OPS-134 (schema half), OPS-153 (Java half)
    @ParameterizedTest
    @MethodSource("goldens")
    void goldenMessagesAreJudgedAsTheySay(Messages family, JsonNode golden) {
        Optional<Schema.Problem> problem = family.check(golden.get("message"));
        String name = family.family() + ": " + golden.get("name").asString();
        assertThat(problem.isEmpty())
                .as(name + " " + problem)
                .isEqualTo(golden.get("valid").asBoolean());
        problem.ifPresent(found ->
                assertThat(found.message()).as(name).startsWith(golden.get("why").asString()));
    }

    @Test
    void everyMessageHasAGoldenOne() {
        for (Messages family : ALL) {
            Set<String> seen = new HashSet<>();
            for (JsonNode golden :
                    Json.resourceTree("messages/golden/" + family.family() + ".json")) {
                JsonNode message = golden.get("message");
                if (golden.get("valid").asBoolean()) {
                    seen.add(
                            message.path("type")
                                    .asString(message.path("method").asString("cdp_response")));
                }
            }
            assertThat(seen).isEqualTo(family.types());
        }
    }

    @Test
    @DisplayName("OPS-18: ops and annotation share no message type")
    void familiesAreDisjoint() {
        assertThat(Collections.disjoint(Messages.ops().types(), Messages.annotation().types()))
                .isTrue();
        assertThat(Collections.disjoint(Messages.ops().types(), Messages.link().types())).isTrue();
    }

    @Test
    @DisplayName("OPS-155: handshake and heartbeat exist together with payload caps")
    void handshakeAndHeartbeatExist() {
        assertThat(Messages.ops().types())
                .contains("ops_hello", "ops_hello_ack", "ops_ping", "ops_pong", "ops_chunk");
        assertThat(Messages.ops().version()).isEqualTo("1");
        JsonNode ack =
                Json.resource("messages/ops.json")
                        .path("messages")
                        .path("ops_hello_ack")
                        .path("schema");
        assertThat(Json.texts(ack, "required"))
                .contains("version", "capabilities", "maxPayloadBytes", "clientId");
        assertThat(Messages.ops().capabilities())
                .contains("share_read", "chunk_sha256", "cancel", "resume");
        assertThat(Messages.ops().events())
                .contains(
                        "ops_session_created",
                        "ops_session_closed",
                        "ops_tab_closed",
                        "ops_session_expired");
    }

    @Test
    void whatIsNoObjectIsNoMessage() {
        assertThat(Messages.ops().check(Json.array()).map(Schema.Problem::message))
                .contains("The message must be an object");
    }

    @Test
    void annotationCodesAreKnown() {
        for (String code : Json.texts(Json.resource("messages/annotation.json"), "codes")) {
            assertThat(ErrorCode.of(code)).as(code).isPresent();
        }
    }
}
