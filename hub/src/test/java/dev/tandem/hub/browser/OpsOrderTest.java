package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Inside;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Which requests at /ops wait for which others. */
class OpsOrderTest extends OpsDoorBench {
    @Test
    void callsThatWaitForTheBrowserAreGivenUpTogether() throws IOException {
        // W5: each is held for one hold time, not for one after the other
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        client.wire().next("ops_event");
        long sent = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            client.ask("s" + i, "nav.snapshot", session, Json.object());
        }
        assertThat(code(client.answer())).isEqualTo("ops_unavailable");
        long first = System.nanoTime();
        for (int i = 1; i < 4; i++) {
            assertThat(code(client.answer())).isEqualTo("ops_unavailable");
        }
        assertThat(System.nanoTime() - first).isLessThan(first - sent);
    }

    @Test
    void anOpenCardHoldsNeitherDialogsNorStatusNorOtherTargets() throws IOException {
        // W8, OPS-11
        extension.on("targets.list", this::targets);
        for (String command :
                new String[] {"session.status", "page.dialog", "nav.snapshot", "interact.click"}) {
            extension.on(
                    command,
                    request -> extension.answer(request, FakeExtension.snapshot().put("ok", true)));
        }
        OpsSocket client = other("agent");
        ObjectNode session = launch(client);
        client.ask("asks", "interact.click", session, Json.object().put("ref", "r1"));
        assertThat(client.wire().next("ops_event").path("event").asString())
                .isEqualTo("permission_pending");
        ObjectNode elsewhere = Json.object().put("targetId", "tab-102");
        assertThat(answered(client, "session.status", session, Json.object())).isEmpty();
        assertThat(answered(client, "nav.snapshot", session, elsewhere)).isEmpty();
        assertThat(
                        answered(
                                client,
                                "page.dialog",
                                session,
                                elsewhere.deepCopy().put("action", "dismiss")))
                .isEmpty();
        client.wire().send(Json.object().put("type", "ops_cancel").put("requestId", "asks"));
        assertThat(reason(client.answer())).isEqualTo("cancelled");
    }

    @Test
    void aSessionIsClosedAtOnceAndItsCardsWithIt() throws IOException {
        // OPS-43, OPS-11: nobody is asked for what can no longer be done
        extension.on("targets.list", this::targets);
        OpsSocket client = other("agent");
        ObjectNode session = launch(client);
        client.ask("asks", "interact.click", session, Json.object().put("ref", "r1"));
        client.ask("behind", "nav.snapshot", session, Json.object());
        assertThat(client.wire().next("ops_event").path("event").asString())
                .isEqualTo("permission_pending");
        assertThat(Inside.desk(hub.app()).open()).hasSize(1);
        client.ask("closes", "session.disconnect", session, Json.object());
        Map<String, String> ends = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            ObjectNode answer = client.answer();
            ends.put(answer.path("requestId").asString(), reason(answer));
        }
        assertThat(ends).isEqualTo(Map.of("asks", "closed", "behind", "closed", "closes", ""));
        assertThat(Inside.desk(hub.app()).open()).isEmpty();
    }

    /** The error that a call ended with, or nothing where it was done. */
    private static String answered(
            OpsSocket client, String command, ObjectNode session, ObjectNode payload) {
        ObjectNode answer = client.call(command, command, session, payload);
        assertThat(answer.path("requestId").asString()).isEqualTo(command);
        return code(answer);
    }

    private void targets(ObjectNode request) {
        ObjectNode payload = Json.object().put("activeTargetId", "tab-101");
        payload.putArray("targets")
                .add(target("tab-101", "https://shop.example/list"))
                .add(target("tab-102", "about:blank"));
        extension.answer(request, payload);
    }

    private static ObjectNode target(String id, String url) {
        return Json.object().put("targetId", id).put("url", url);
    }
}
