package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.BareSocket;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Every request at /ops ends once, at the client that asked, whole. */
class OpsAnswersTest extends OpsDoorBench {
    @Test
    void everyRequestEndsExactlyOnce() throws IOException {
        // OPS-11: answered, failed, answered twice, dropped, late; in random order
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        Random random = new Random(20261116);
        extension.on(
                "nav.wait",
                request -> {
                    ObjectNode done = Json.object().put("timingMs", 1);
                    switch (random.nextInt(4)) {
                        case 0 -> extension.answer(request, done);
                        case 1 -> extension.fail(request, "timeout", "late", Json.object());
                        case 2 -> {
                            extension.answer(request, done);
                            extension.fail(request, "execution_failed", "again", Json.object());
                        }
                        default -> {
                            // never answered: the deadline ends it
                        }
                    }
                });
        int asked = 60;
        for (int i = 0; i < asked; i++) {
            ObjectNode request =
                    OpsSocket.request("f" + i, "nav.wait", Json.object().put("until", "load"));
            request.set("opsSessionId", session.path("opsSessionId"));
            request.set("leaseId", session.path("leaseId"));
            client.wire().send(request.put("timeoutMs", 50));
        }
        TreeMap<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < asked; i++) {
            outcomes.merge(client.answer().path("requestId").asString(), 1, Integer::sum);
        }
        assertThat(outcomes).hasSize(asked).allSatisfy((id, times) -> assertThat(times).isOne());
        client.wire().send(Json.object().put("type", "ops_ping").put("id", "p"));
        assertThat(client.answer().path("type").asString())
                .as("nothing more")
                .isEqualTo("ops_pong");
    }

    @Test
    void whatTheBrowserSaysIsCheckedBeforeAnythingFollowsFromIt() throws IOException {
        // OPS-132: an answer that is none ends its own call, and at once
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        List<ObjectNode> bad =
                List.of(
                        Json.object().put("payload", "a text"),
                        Json.object().put("payload", 7).put("opsSessionId", ""),
                        Json.object().put("chunked", true).put("totalChunks", "many"));
        for (ObjectNode content : bad) {
            extension.on(
                    "nav.wait",
                    request ->
                            extension
                                    .wire()
                                    .send(
                                            FakeExtension.head(request, "ops_response")
                                                    .setAll(content)));
            ObjectNode wish = Json.object().put("until", "load");
            ObjectNode answer = client.ask("w", "nav.wait", session, wish).answer();
            assertThat(code(answer)).isEqualTo("execution_failed");
            assertThat(reason(answer)).isEqualTo("bad_answer");
            assertThat(answer.at("/error/message").asString()).contains("cannot be read");
        }
        extension.wire().send(Json.object().put("type", "news").put("of", "a later version"));
        // what cannot be read otherwise ends the link, and nothing follows from it
        ObjectNode event =
                Json.object().put("type", "ops_event").put("event", "ops_session_closed");
        event.set("opsSessionId", session.get("opsSessionId"));
        extension.wire().send(event);
        assertThat(extension.wire().closed()).isEqualTo("1008 Bad ops_event: Missing clientId");
        extension = keep(hub.extension("browser-one", "One"));
        ObjectNode answer = client.ask("s", "nav.snapshot", session, Json.object()).answer();
        assertThat(answer.path("type").asString()).isEqualTo("ops_response");
    }

    @Test
    void everyClientGetsItsOwnAnswerToTheSameNumber() throws IOException {
        // OPS-35, OPS-156, OPS-157, OPS-169: 20 clients, all with requestId "1" in flight
        List<ObjectNode> held = new ArrayList<>();
        List<OpsSocket> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(client());
        }
        clients.forEach(client -> client.ask("1", "browser.tabs", Json.object()));
        for (int i = 0; i < 20; i++) {
            held.add(extension.request());
        }
        for (ObjectNode request : held.reversed()) {
            String clientId = request.path("clientId").asString();
            extension.answer(request, Json.object().put("for", clientId));
        }
        for (OpsSocket client : clients) {
            ObjectNode answer = client.answer();
            assertThat(answer.path("requestId").asString()).isEqualTo("1");
            assertThat(answer.path("payload").path("for").asString()).isEqualTo(client.clientId());
        }
    }

    @Test
    void requestsOfOneSessionKeepTheirOrder() throws IOException {
        // OPS-34 (hub side), OPS-99 (hub side)
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        for (int i = 0; i < 50; i++) {
            client.ask("w" + i, "interact.click", session, Json.object().put("ref", "r" + i));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(extension.request().path("requestId").asString()).isEqualTo("w" + i);
        }
    }

    @Test
    void cancelEndsARequestAndTellsTheBrowser() throws IOException {
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        ObjectNode until = Json.object().put("until", "load");
        client.ask("slow", "nav.wait", session, until);
        extension.request();
        client.wire().send(Json.object().put("type", "ops_cancel").put("requestId", "slow"));
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("execution_failed");
        assertThat(reason(answer)).isEqualTo("cancelled");
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
    }

    @Test
    void aFailureThatNobodyForesawIsAnsweredAndStopsNoOther() throws IOException {
        // OPS-11, OPS-126: the hub cannot read the rules for a moment
        OpsSocket client = other("other");
        hub.loseRules();
        ObjectNode answer = client.call("1", "browser.tabs", Json.object());
        assertThat(code(answer)).isEqualTo("execution_failed");
        assertThat(reason(answer)).isEqualTo("internal");
        hub.findRules();
        client.ask("1", "browser.tabs", Json.object());
        extension.answer(extension.request(), Json.object());
        assertThat(client.answer().path("type").asString()).isEqualTo("ops_response");
    }

    @Test
    void aDeadlineEndsARequestThatIsNeverAnswered() throws IOException {
        // OPS-11, OPS-120 (hub side)
        OpsSocket client = client();
        ObjectNode session = launch(client);
        ObjectNode request = OpsSocket.request("d", "nav.wait", Json.object().put("until", "load"));
        request.set("opsSessionId", session.path("opsSessionId"));
        request.set("leaseId", session.path("leaseId"));
        client.wire().send(request.put("timeoutMs", 50));
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("timeout");
        // wait is idempotent, so it may be sent again
        assertThat(answer.path("error").path("retryable").asBoolean()).isTrue();
    }

    @Test
    void aLargeAnswerArrivesInChunksThatFitTogether() throws IOException {
        // OPS-16, OPS-142, OPS-L30: 20 MiB of three-byte characters
        String text = "漢".repeat(7 * 1024 * 1024);
        extension.on("nav.snapshot", request -> chunked(request, text));
        OpsSocket client = client();
        ObjectNode session = launch(client);
        client.ask("c", "nav.snapshot", session, Json.object());
        ObjectNode head = client.answer();
        assertThat(head.path("chunked").asBoolean()).isTrue();
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < head.path("totalChunks").asInt(); i++) {
            ObjectNode chunk = client.wire().next("ops_chunk");
            assertThat(chunk.path("chunkIndex").asInt()).isEqualTo(i);
            String data = chunk.path("data").asString();
            assertThat(data.getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(Limits.CHUNK_BYTES);
            whole.append(data);
        }
        byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).isEqualTo(head.path("totalBytes").asInt());
        assertThat(ChunkBuffer.sha256(bytes)).isEqualTo(head.path("sha256").asString());
        assertThat(Json.parse(bytes).path("content").asString()).isEqualTo(text);
    }

    @Test
    void aLargeAnswerWaitsForAClientThatReadsLater() throws IOException {
        // OPS-142: more than may lie unread at once
        String text = "x".repeat(20 * 1024 * 1024);
        extension.on(
                "browser.tabs",
                request -> {
                    if (request.path("requestId").asString().equals("large")) {
                        chunked(request, text);
                    } else {
                        extension.answer(request, Json.object());
                    }
                });
        String token = "Authorization: Bearer " + hub.hubToken();
        try (BareSocket late = new BareSocket(hub.port(), "/ops", 4096, token)) {
            late.patience(20_000);
            late.say(
                    "{\"type\":\"ops_hello\",\"version\":\"1\",\"capabilities\":[],"
                            + "\"maxPayloadBytes\":9000000}");
            assertThat(late.frame()).contains("ops_hello_ack");
            late.say(
                    "{\"type\":\"ops_request\",\"requestId\":\"large\","
                            + "\"command\":\"browser.tabs\",\"payload\":{}}");
            extension.request();
            // The hub takes answers in their order: after this one it has all of the large one.
            client().call("small", "browser.tabs", Json.object());
            int chunks = Json.parse(late.frame()).path("totalChunks").asInt();
            StringBuilder whole = new StringBuilder();
            for (int i = 0; i < chunks; i++) {
                whole.append(Json.parse(late.frame()).path("data").asString());
            }
            assertThat(Json.parse(whole.toString()).path("content").asString()).isEqualTo(text);
        }
    }

    @Test
    void everyFrameKeepsToTheSizeOfTheGreeting() throws IOException {
        // OPS-139, W5: quotation marks and backslashes double inside a chunk
        int most = 4096;
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        String clientId = client.hello("1", most).path("clientId").asString();
        ObjectNode session = launch(client);
        String text = "\"漢\\".repeat(4000);
        extension.on(
                "nav.snapshot",
                request -> extension.answer(request, Json.object().put("content", text)));
        client.ask("whole", "nav.snapshot", session, Json.object());
        ObjectNode head = client.answer();
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < head.path("totalChunks").asInt(); i++) {
            ObjectNode chunk = client.wire().next("ops_chunk");
            assertThat(Json.bytes(chunk).length).isLessThanOrEqualTo(most);
            whole.append(chunk.path("data").asString());
        }
        assertThat(Json.parse(whole.toString()).path("content").asString()).isEqualTo(text);

        extension.on(
                "nav.snapshot",
                request -> {
                    ObjectNode details = Json.object().put("reason", "net_error").put("log", text);
                    extension.fail(request, "execution_failed", text, details);
                });
        ObjectNode failed = client.call("failed", "nav.snapshot", session, Json.object());
        assertThat(Json.bytes(failed).length).isLessThanOrEqualTo(most);
        assertThat(failed.path("requestId").asString()).isEqualTo("failed");
        assertThat(code(failed)).isEqualTo("execution_failed");
        assertThat(reason(failed)).isEqualTo("net_error");

        String id = session.path("opsSessionId").asString();
        ObjectNode news = Json.object().put("targetId", "tab-101").put("log", text);
        extension.event("ops_session_released", clientId, id, news);
        ObjectNode event = client.wire().next("ops_event");
        assertThat(Json.bytes(event).length).isLessThanOrEqualTo(most);
        assertThat(event.path("event").asString()).isEqualTo("ops_session_released");
        assertThat(event.at("/payload/targetId").asString()).isEqualTo("tab-101");

        ObjectNode endless = client.call("x".repeat(most), "nav.snapshot", session, Json.object());
        assertThat(code(endless)).isEqualTo("invalid_request");
        assertThat(Json.bytes(endless).length).isLessThanOrEqualTo(most);
    }

    /** Sends an answer cut into slices, the second before the first. */
    private void chunked(ObjectNode request, String text) {
        String json = Json.write(Json.object().put("content", text));
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        int size = Limits.CHUNK_BYTES / Utf8.length(text.substring(0, 1));
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < json.length(); i += size) {
            slices.add(json.substring(i, Math.min(json.length(), i + size)));
        }
        ObjectNode head = FakeExtension.head(request, "ops_response").put("chunked", true);
        head.put("payloadId", "p").put("totalChunks", slices.size());
        head.put("totalBytes", bytes.length).put("sha256", ChunkBuffer.sha256(bytes));
        extension.wire().send(head);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            order.add(i);
        }
        java.util.Collections.swap(order, 0, 1);
        for (int index : order) {
            ObjectNode chunk = FakeExtension.head(request, "ops_chunk").put("payloadId", "p");
            chunk.put("chunkIndex", index).put("totalChunks", slices.size());
            extension.wire().send(chunk.put("data", slices.get(index)));
        }
    }
}
