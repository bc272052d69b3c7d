package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** /mcp as one stream of lines, as the native bridge speaks to it. */
class McpLinesTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    /** A client with one connection; a line is a message. */
    private final class Lines implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port());
        private final BufferedReader in;
        final String status;

        Lines(String token) throws IOException {
            socket.setSoTimeout(20_000);
            in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            write(
                    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:"
                            + hub.port()
                            + "\r\nAuthorization: Bearer "
                            + token
                            + "\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n");
            status = in.readLine();
            while (!in.readLine().isEmpty()) {}
        }

        private void write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        void line(String line) throws IOException {
            int size = line.getBytes(StandardCharsets.UTF_8).length + 1;
            write(Integer.toHexString(size) + "\r\n" + line + "\n\r\n");
        }

        void say(JsonNode message) throws IOException {
            line(Json.write(message));
        }

        JsonNode hear() throws IOException {
            return Json.parse(in.readLine());
        }

        void greetAsWhenBatchesWere() throws IOException {
            ObjectNode hello = McpCaller.message(1, "initialize");
            ((ObjectNode) hello.get("params")).put("protocolVersion", "2025-03-26");
            say(hello);
            assertThat(hear().path("result").path("protocolVersion").asString())
                    .isEqualTo("2025-03-26");
        }

        /** The client has said all it wants to say. */
        void end() throws IOException {
            write("0\r\n\r\n");
        }

        boolean isOver() throws IOException {
            try {
                return in.readLine() == null;
            } catch (java.net.SocketException e) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static ObjectNode wait(int id) {
        return McpCaller.call(id, "wait", Json.object().put("until", "load"));
    }

    @Test
    void allThatWasAskedIsAnsweredBeforeTheStreamEnds() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            assertThat(client.status).startsWith("HTTP/1.1 200");
            client.say(wait(1));
            extension.request();
            ObjectNode waiting = extension.request();
            client.say(McpCaller.message(2, "ping"));
            assertThat(client.hear().path("id").asInt()).isEqualTo(2);
            client.end();
            extension.answer(waiting, Json.object().put("timingMs", 1));
            JsonNode answer = client.hear();
            assertThat(answer.path("id").asInt()).isEqualTo(1);
            assertThat(answer.path("result").path("isError").asBoolean(false)).isFalse();
            assertThat(client.isOver()).isTrue();
        }
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsCancelled() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.say(wait(1));
            extension.request();
            assertThat(extension.request().path("command").asString()).isEqualTo("nav.wait");
        }
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
    }

    // W17: who is gone here has closed standard input and output, not a connection of one call
    @Test
    void whatIsLeftOfABatchEndsWithItsClient() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.greetAsWhenBatchesWere();
            client.say(Json.array().add(wait(2)).add(wait(3)));
            extension.request();
            assertThat(extension.request().path("command").asString()).isEqualTo("nav.wait");
        }
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
        await().during(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(extension.waiting()).isZero());
    }

    // W17: notifications/cancelled
    @Test
    void aCallOfABatchIsCancelledByItsId() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.greetAsWhenBatchesWere();
            client.say(Json.array().add(wait(2)).add(McpCaller.message(3, "ping")));
            extension.request();
            extension.request();
            client.line(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                            + "\"params\":{\"requestId\":2}}");
            assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
            JsonNode answers = client.hear();
            assertThat(answers.path(0).path("result").path("isError").asBoolean()).isTrue();
            assertThat(answers.path(1).path("id").asInt()).isEqualTo(3);
        }
    }

    // W17: notifications/cancelled, however soon it follows
    @Test
    void aCallIsCancelledByTheVeryNextLine() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.say(McpCaller.call(0, "launch", Json.object()));
            client.hear();
            for (int id = 1; id <= 40; id++) {
                client.line(
                        Json.write(wait(id))
                                + "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                + "\"params\":{\"requestId\":"
                                + id
                                + "}}");
                JsonNode answer = client.hear();
                assertThat(answer.path("id").asInt()).isEqualTo(id);
                assertThat(answer.path("result").path("isError").asBoolean()).isTrue();
            }
        }
    }

    // W16: the id is left out only where it cannot be read
    @Test
    void aBrokenLineIsAnsweredUnderTheIdThatStandsBeforeItsFault() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            for (String[] line :
                    new String[][] {
                        {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",}", "7"},
                        {
                            "{\"params\":{\"id\":1,\"a\":[{}]},\"id\":\"a-1\",\"method\":pi",
                            "\"a-1\""
                        },
                        {"{\"id\":8,\"params\":{\"id\":9,", "8"},
                        {"{\"params\":{\"id\":9,", ""},
                        {"{\"id\":null,\"method\":", ""},
                        {"{\"id\":{\"id\":3},\"method\":", ""},
                        {"{\"method\":x,\"id\":4}", ""},
                        {"[{\"id\":5},", ""},
                        {"{nothing", ""}
                    }) {
                client.line(line[0]);
                JsonNode answer = client.hear();
                assertThat(answer.path("error").path("code").asInt()).isEqualTo(-32700);
                assertThat(answer.has("id") ? Json.write(answer.get("id")) : "")
                        .as(line[0])
                        .isEqualTo(line[1]);
            }
        }
    }

    // W16 steps 6 and 9
    @Test
    void aBatchWithSomethingElseInItIsRefusedBeforeAnythingIsDone() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.greetAsWhenBatchesWere();
            for (String wrong :
                    List.of("5", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}")) {
                client.line("[" + Json.write(wait(2)) + "," + wrong + "]");
                JsonNode refusal = client.hear();
                assertThat(refusal.path("error").path("code").asInt()).isEqualTo(-32600);
                assertThat(refusal.has("id")).isFalse();
            }
            assertThat(extension.waiting()).isZero();
        }
    }

    // SEC-25: nothing goes on for somebody who can be told nothing more
    @Test
    void aLineThatEndsTheStreamEndsItsCalls() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.say(wait(1));
            extension.request();
            extension.request();
            client.line("x".repeat(5 << 20));
            assertThat(client.hear().path("error").path("message").asString()).contains("4 MiB");
            assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
        }
    }

    @Test
    void batchesAreTakenInTheVersionThatHasThem() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            ArrayNode batch = Json.array();
            batch.add(McpCaller.message(1, "ping")).add(McpCaller.message(2, "nothing"));
            client.say(batch);
            assertThat(client.hear().path("error").path("message").asString())
                    .contains("Batches are not taken");
            client.greetAsWhenBatchesWere();
            client.say(batch);
            JsonNode answers = client.hear();
            assertThat(answers.path(0).path("id").asInt()).isEqualTo(1);
            assertThat(answers.path(1).path("error").path("code").asInt()).isEqualTo(-32601);
        }
    }

    @Test
    void linesThatAreNoMessagesAreToldSo() throws IOException {
        try (Lines client = new Lines(hub.hubToken())) {
            client.line("{nothing");
            assertThat(client.hear().path("error").path("code").asInt()).isEqualTo(-32700);
            client.line("{\"id\":1}");
            assertThat(client.hear().path("error").path("code").asInt()).isEqualTo(-32600);
            client.line("");
            client.say(McpCaller.message(1, "tools/call"));
            assertThat(client.hear().path("error").path("message").asString())
                    .isEqualTo("params.name must name a tool.");
            ObjectNode stateless = McpCaller.message(4, "tools/list");
            ObjectNode meta = ((ObjectNode) stateless.get("params")).putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
            client.say(stateless);
            assertThat(client.hear().path("error").path("message").asString())
                    .contains("clientCapabilities");
            meta.put("io.modelcontextprotocol/protocolVersion", "1999-01-01");
            client.say(stateless);
            assertThat(client.hear().path("error").path("data").path("requested").asString())
                    .isEqualTo("1999-01-01");
            client.line("{\"jsonrpc\":\"1.0\",\"id\":9,\"method\":\"ping\"}");
            assertThat(client.hear().path("id").asInt()).as("who asked waits for it").isEqualTo(9);
            client.line("x".repeat(5 << 20));
            assertThat(client.hear().path("error").path("message").asString()).contains("4 MiB");
            assertThat(client.isOver()).isTrue();
        }
    }

    @Test
    @DisplayName("SEC-24 a token that ended opens no stream, and ends the one it has")
    void aTokenThatEndsEndsItsStream() throws Exception {
        String token = hub.trustedToken("lines");
        try (Lines client = new Lines(token)) {
            client.say(McpCaller.message(1, "ping"));
            assertThat(client.hear().path("id").asInt()).isEqualTo(1);
            Inside.revoke(hub.app(), "lines");
            assertThat(client.isOver()).isTrue();
        }
        try (Lines again = new Lines(token)) {
            assertThat(again.status).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    @DisplayName("SEC-24 what a batch still has to do when its token ends is not done")
    void aBatchEndsWithItsToken() throws Exception {
        try (Lines client = new Lines(hub.trustedToken("batch"))) {
            client.greetAsWhenBatchesWere();
            ArrayNode batch = Json.array().add(wait(2));
            for (int id = 3; id < 6; id++) {
                batch.add(McpCaller.call(id, "snapshot", Json.object()));
            }
            client.say(batch);
            extension.request();
            ObjectNode waiting = extension.request();
            assertThat(waiting.path("command").asString()).isEqualTo("nav.wait");
            Inside.revoke(hub.app(), "batch");
            assertThat(client.isOver()).isTrue();
            extension.answer(waiting, Json.object().put("timingMs", 1));
        }
        List<String> came = new ArrayList<>();
        await().during(Duration.ofMillis(300))
                .untilAsserted(() -> {
                    while (extension.waiting() > 0) {
                        came.add(extension.request().path("command").asString());
                    }
                    assertThat(came).allMatch("session.disconnect"::equals);
                });
    }

    @Test
    @DisplayName("SEC-25 a batch is as many requests as it has messages")
    void aBatchIsNoWayAroundTheLimit() throws IOException {
        try (Lines client = new Lines(hub.trustedToken("fast"))) {
            client.greetAsWhenBatchesWere();
            ArrayNode batch = Json.array();
            for (int id = 0; id < 1200; id++) {
                batch.add(McpCaller.message(id, "ping"));
            }
            client.say(batch);
            JsonNode answers = client.hear();
            assertThat(answers.path(0).has("result")).isTrue();
            assertThat(answers.path(1199).path("error").path("message").asString())
                    .contains("more than 600 requests in a minute");
        }
    }
}
