package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Who may do what in a session at /ops: its owner with the lease, readers where it is shared. */
class OpsLeasesTest extends OpsDoorBench {
    @Test
    void aSessionBelongsToItsTokenAndLease() throws IOException {
        // OPS-97, OPS-101, OPS-118, OPS-166, OPS-167 (hub side)
        OpsSocket owner = client();
        ObjectNode session = launch(owner);
        OpsSocket other = other("other");
        ObjectNode refused = other.call("1", "nav.snapshot", session, Json.object());
        assertThat(code(refused)).isEqualTo("not_owner");
        assertThat(reason(refused)).isEqualTo("other_client");
        ObjectNode wrong = session.deepCopy().put("leaseId", "guess");
        assertThat(reason(owner.call("2", "nav.snapshot", wrong, Json.object())))
                .isEqualTo("wrong_lease");
        assertThat(owner.call("3", "nav.snapshot", session, Json.object()).path("type").asString())
                .isEqualTo("ops_response");
    }

    @Test
    void aSharedSessionCanBeReadAndNothingElse() throws IOException {
        // OPS-98 (hub side)
        OpsSocket owner = client();
        ObjectNode session =
                (ObjectNode)
                        owner.call("l", "session.launch", Json.object().put("shareMode", "read"))
                                .get("payload");
        OpsSocket reader = other("reader");
        ObjectNode noLease = Json.object();
        noLease.set("opsSessionId", session.get("opsSessionId"));
        assertThat(reader.call("1", "nav.snapshot", noLease, Json.object()).path("type").asString())
                .isEqualTo("ops_response");
        // the lease that joining answers with
        ObjectNode empty = noLease.deepCopy().put("leaseId", "");
        assertThat(reader.call("e", "nav.snapshot", empty, Json.object()).path("type").asString())
                .isEqualTo("ops_response");
        ObjectNode click = Json.object().put("ref", "r1");
        assertThat(reason(reader.call("2", "interact.click", noLease, click)))
                .isEqualTo("read_only_share");
    }

    @Test
    void anotherProgramOfTheSameTokenReadsASharedSessionWithoutTakingIt() throws IOException {
        // OPS-98, OPS-118, OPS-167: without the lease it is a reader like any other
        String token = hub.trustedToken("twice");
        OpsSocket owner = keep(OpsSocket.greeted(http, hub.port(), token));
        ObjectNode session =
                (ObjectNode)
                        owner.call("l", "session.launch", Json.object().put("shareMode", "read"))
                                .get("payload");
        extension.request();
        OpsSocket reader = keep(OpsSocket.greeted(http, hub.port(), token));
        extension.on(
                "targets.list",
                request ->
                        extension.answer(
                                request,
                                Json.object()
                                        .put("activeTargetId", "tab-101")
                                        .set("targets", Json.array())));
        extension.on("session.status", request -> extension.answer(request, Json.object()));
        ObjectNode none = Json.object();
        none.set("opsSessionId", session.get("opsSessionId"));
        ObjectNode wrong = none.deepCopy().put("leaseId", "guess");
        for (ObjectNode key : List.of(none, wrong)) {
            reader.call("1", "nav.snapshot", key, Json.object());
            reader.call("2", "session.status", key, Json.object());
        }
        assertThat(extension.waiting()).isGreaterThanOrEqualTo(4);
        while (extension.waiting() > 0) {
            ObjectNode asked = extension.request();
            assertThat(asked.path("clientId").asString()).isEqualTo(reader.clientId());
            assertThat(asked.path("leaseId").asString("")).isEmpty();
        }
        ObjectNode click = Json.object().put("ref", "r1");
        assertThat(reason(reader.call("3", "interact.click", none, click)))
                .isEqualTo("wrong_lease");

        reader.close();
        assertThat(extension.other().path("clientId").asString()).isEqualTo(reader.clientId());
        extension.close();
        FakeExtension again = keep(hub.extension("browser-one", "One"));
        assertThat(again.request().path("clientId").asString()).isEqualTo(owner.clientId());
    }
}
