package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** /mcp judged by the official Java client, and by what rude clients do. */
class McpJudgeTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private McpCaller user;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        user = new McpCaller(hub, hub.hubToken());
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    private McpSyncClient sdk(List<McpSchema.ProgressNotification> progress) throws IOException {
        String token = hub.hubToken();
        var transport =
                HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + hub.port())
                        .endpoint("/mcp")
                        .addHttpRequestCustomizer((request, method, uri, body, context) ->
                                request.setHeader("Authorization", "Bearer " + token))
                        .build();
        return McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(20))
                .progressConsumer(progress::add)
                .build();
    }

    @Test
    @DisplayName("ACP-66, ACP-67, ACP-68, ACP-72, ACP-77, ACP-119: the official client at work")
    void theOfficialClientIsServed() throws Exception {
        List<McpSchema.ProgressNotification> progress = new ArrayList<>();
        try (McpSyncClient client = sdk(progress)) {
            McpSchema.InitializeResult hello = client.initialize();
            assertThat(hello.serverInfo().name()).isEqualTo("tandem");
            assertThat(hello.capabilities().tools()).isNotNull();
            client.ping();
            List<McpSchema.Tool> tools = client.listTools().tools();
            assertThat(tools.stream().map(McpSchema.Tool::name))
                    .contains("browser_tabs", "browser_read", "browser_execute", "snapshot");
            assertThat(tools)
                    .allSatisfy(tool -> {
                        assertThat(tool.description()).isNotBlank();
                        assertThat(tool.inputSchema()).isNotNull();
                        assertThat(tool.annotations().readOnlyHint()).isNotNull();
                    });
            // a stateless request in between disturbs nothing
            ObjectNode modern = McpCaller.message(1, "server/discover");
            ObjectNode meta = ((ObjectNode) modern.get("params")).putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
            meta.putObject("io.modelcontextprotocol/clientCapabilities");
            HttpResponse<String> discover =
                    user.post(
                            modern,
                            "MCP-Protocol-Version",
                            "2026-07-28",
                            "Mcp-Method",
                            "server/discover");
            assertThat(discover.statusCode()).isEqualTo(200);
            McpSchema.CallToolResult snapshot =
                    client.callTool(McpSchema.CallToolRequest.builder("snapshot").build());
            assertThat(snapshot.isError()).isNotEqualTo(true);
            assertThat(snapshot.content().getFirst().toString()).contains("[r1] button");
            McpSchema.CallToolResult steps =
                    client.callTool(
                            McpSchema.CallToolRequest.builder("run")
                                    .arguments(
                                            Map.of(
                                                    "steps",
                                                    List.of(
                                                            Map.of("action", "snapshot"),
                                                            Map.of("action", "snapshot"))))
                                    .progressToken("p-1")
                                    .build());
            assertThat(steps.isError()).isNotEqualTo(true);
            await().untilAsserted(() -> assertThat(progress).hasSizeGreaterThanOrEqualTo(2));
        }
    }

    @Test
    @DisplayName("ACP-65 the first version is spoken too")
    void theFirstVersionIsSpoken() {
        ObjectNode hello = McpCaller.message(1, "initialize");
        ((ObjectNode) hello.get("params")).put("protocolVersion", "2024-11-05");
        JsonNode result = McpCaller.answer(user.post(hello)).path("result");
        assertThat(result.path("protocolVersion").asString()).isEqualTo("2024-11-05");
        assertThat(result.path("capabilities").has("tools")).isTrue();
    }

    @Test
    @DisplayName("ACP-120 no, a bad and a revoked token: 401 with WWW-Authenticate, no id")
    void withoutAValidTokenNothingIsServed() throws Exception {
        String revoked = hub.clientToken("gone", "all", Caller.Mode.ACT);
        assertThat(new McpCaller(hub, revoked).post(McpCaller.message(1, "ping")).statusCode())
                .isEqualTo(200);
        Inside.revoke(hub.app(), "gone");
        List<String> headers = List.of("", "Authorization: Bearer x", "Authorization: Basic eDp4");
        for (String header : headers) {
            RawHttp.Answer answer = raw(header.isEmpty() ? List.of() : List.of(header));
            assertThat(answer.status()).as(header).isEqualTo(401);
            assertThat(answer.rest()).contains("WWW-Authenticate: Bearer");
            JsonNode body = Json.parse(answer.body());
            assertThat(body.path("jsonrpc").asString()).isEqualTo("2.0");
            assertThat(body.has("id")).isFalse();
            assertThat(body.path("error").path("code").asInt()).isEqualTo(-32600);
        }
        assertThat(new McpCaller(hub, revoked).post(McpCaller.message(1, "ping")).statusCode())
                .isEqualTo(401);
    }

    private RawHttp.Answer raw(List<String> more) throws IOException {
        String body = Json.write(McpCaller.message(1, "tools/list"));
        List<String> lines = new ArrayList<>(more);
        if (more.stream().noneMatch(line -> line.startsWith("Host:"))) {
            lines.add("Host: 127.0.0.1:" + hub.port());
        }
        if (more.stream().noneMatch(line -> line.startsWith("Content-Type:"))) {
            lines.add("Content-Type: application/json");
        }
        lines.add("Content-Length: " + body.length());
        return RawHttp.send(hub.port(), "POST /mcp", body, lines.toArray(String[]::new));
    }

    @Test
    @DisplayName("ACP-L6 a page's simple POST and a rebound name get nothing, token or not")
    void pagesGetNothing() throws Exception {
        String token = "Authorization: Bearer " + hub.hubToken();
        assertThat(raw(List.of(token)).status()).isEqualTo(200);
        assertThat(raw(List.of("Content-Type: text/plain")).status()).isEqualTo(401);
        assertThat(raw(List.of(token, "Content-Type: text/plain")).status()).isEqualTo(415);
        RawHttp.Answer page = raw(List.of(token, "Origin: https://evil.example"));
        assertThat(page.status()).isEqualTo(403);
        assertThat(Json.parse(page.body()).has("id")).isFalse();
        assertThat(raw(List.of(token, "Origin: null")).status()).isEqualTo(403);
        assertThat(raw(List.of(token, "Host: evil.example:" + hub.port())).status()).isEqualTo(403);
    }

    @Test
    @DisplayName("ACP-L43, ACP-L7 what clients send before and after: probe, GET, late cancel")
    void knownSequencesAreTaken() {
        assertThat(
                        McpCaller.answer(user.post(McpCaller.message(1, "server/discover")))
                                .path("error")
                                .path("code")
                                .asInt())
                .isEqualTo(-32601);
        assertThat(user.result("snapshot", Json.object()).path("isError").asBoolean()).isFalse();
        ObjectNode late = McpCaller.message(0, "notifications/cancelled");
        late.remove("id");
        ((ObjectNode) late.get("params")).put("requestId", 7);
        HttpResponse<String> taken = user.post(late);
        assertThat(taken.statusCode()).isEqualTo(202);
        assertThat(taken.body()).isEmpty();
        assertThat(user.result("snapshot", Json.object()).path("isError").asBoolean()).isFalse();
    }

    @Test
    @DisplayName("ACP-139 (modern half) hanging up stops the call in the browser")
    void hangingUpCancels() throws Exception {
        ObjectNode call = McpCaller.call(3, "wait", Json.object().put("until", "load"));
        ObjectNode meta = ((ObjectNode) call.get("params")).putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        String body = Json.write(call);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
            String head =
                    String.join(
                            "\r\n",
                            "POST /mcp HTTP/1.1",
                            "Host: 127.0.0.1:" + hub.port(),
                            "Authorization: Bearer " + hub.hubToken(),
                            "Content-Type: application/json",
                            "MCP-Protocol-Version: 2026-07-28",
                            "Mcp-Method: tools/call",
                            "Mcp-Name: wait",
                            "Content-Length: " + body.length(),
                            "",
                            body);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            assertThat(extension.request().path("command").asString()).isEqualTo("session.launch");
            extension.request();
        }
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
    }

    @Test
    @DisplayName("ACP-141 twelve requests at once each get their own answer")
    void concurrentRequestsKeepTheirAnswers() {
        extension.on(
                "nav.snapshot",
                request -> {
                    ObjectNode page = FakeExtension.snapshot();
                    extension.answer(
                            request, page.put("title", request.path("requestId").asString()));
                });
        user.result("snapshot", Json.object());
        List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
        for (int id = 100; id < 112; id++) {
            ObjectNode call = McpCaller.call(id, "snapshot", Json.object());
            answers.add(
                    CompletableFuture.supplyAsync(
                            () -> McpCaller.answer(user.post(call)),
                            task -> Thread.startVirtualThread(task)));
        }
        List<Integer> ids = new ArrayList<>();
        List<String> titles = new ArrayList<>();
        for (CompletableFuture<JsonNode> answer : answers) {
            ids.add(answer.join().path("id").asInt());
            titles.add(
                    answer.join()
                            .path("result")
                            .path("structuredContent")
                            .path("title")
                            .asString());
        }
        for (int id = 100; id < 112; id++) {
            assertThat(ids).contains(id);
        }
        assertThat(titles).doesNotHaveDuplicates().hasSize(12);
    }

    @Test
    @DisplayName("ACP-142 a browser that never answers: the call ends in time and says so")
    void aSilentBrowserDoesNotHoldTheCall() {
        user.result("snapshot", Json.object());
        List<Integer> limits = new ArrayList<>();
        extension.on("nav.snapshot", request -> limits.add(request.path("timeoutMs").asInt()));
        long begun = System.nanoTime();
        JsonNode late = user.result("snapshot", Json.object().put("timeoutMs", 400));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
        assertThat(late.path("isError").asBoolean()).isTrue();
        assertThat(McpCaller.text(late)).contains("[timeout]");
        extension.on(
                "nav.snapshot",
                request -> {
                    limits.add(request.path("timeoutMs").asInt());
                    extension.answer(request, FakeExtension.snapshot());
                });
        user.result("snapshot", Json.object());
        assertThat(limits).as("what was asked for, and else 30 s").containsExactly(400, 30_000);
    }

    @Test
    @DisplayName("ACP-73 the caller's trace is in the hub's log")
    void theTraceIsLogged() throws IOException {
        ObjectNode call = McpCaller.call(4, "snapshot", Json.object());
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        ((ObjectNode) call.get("params"))
                .putObject("_meta")
                .put("traceparent", "00-" + trace + "-00f067aa0ba902b7-01");
        user.post(call);
        Path log = hub.stateDir().resolve("logs/hub.log");
        await().untilAsserted(() -> assertThat(Files.readString(log)).contains("snapshot", trace));
        ObjectNode forged = McpCaller.call(5, "snapshot", Json.object());
        ((ObjectNode) forged.get("params"))
                .putObject("_meta")
                .put("traceparent", "00-evil\nline-00f067aa0ba902b7-01");
        user.post(forged);
        assertThat(Files.readString(log)).doesNotContain("evil");
    }

    @Test
    @DisplayName("ACP-74 the session's browser gets the call, the other one nothing")
    void theCallGoesToTheSessionsBrowser() {
        try (FakeExtension second = hub.extension("browser-two", "Two")) {
            JsonNode launched = user.result("launch", Json.object().put("browser", "browser-two"));
            String session = launched.path("structuredContent").path("sessionId").asString("");
            assertThat(session).isNotEmpty();
            second.request();
            user.result("snapshot", Json.object().put("sessionId", session));
            assertThat(second.request().path("command").asString()).isEqualTo("nav.snapshot");
            assertThat(extension.waiting()).isZero();
        }
    }

    @Test
    @DisplayName("ACP-70 browser_read without tabId is an error that says so")
    void aMissingArgumentIsNamed() {
        JsonNode result = user.result("browser_read", Json.object());
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(McpCaller.text(result)).contains("Missing tabId");
    }

    @Test
    void theOfficialClientSeesTheRefusal() throws Exception {
        try (McpSyncClient client = sdk(new ArrayList<>())) {
            client.initialize();
            assertThatThrownBy(() ->
                            client.callTool(
                                    McpSchema.CallToolRequest.builder("no_such_tool").build()))
                    .hasMessageContaining("no_such_tool");
        }
    }
}
