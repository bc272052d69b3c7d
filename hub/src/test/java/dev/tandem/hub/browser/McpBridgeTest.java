package dev.tandem.hub.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.protocol.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem mcp} as a real process between a client and a real hub. */
@ParameterizedClass
@MethodSource("dev.tandem.hub.browser.BridgeCommand#possible")
class McpBridgeTest {
    private final BridgeCommand command;
    @TempDir Path folder;
    private String usersHome;
    private TestHub hub;
    private FakeExtension extension;

    McpBridgeTest(BridgeCommand command) {
        this.command = command;
    }

    @BeforeEach
    void start() throws IOException {
        usersHome = System.getProperty("user.home");
        System.setProperty("user.home", folder.resolve("home").toString());
        command.launcherIn(folder);
        configureAgent();
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        extension.on(
                "targets.list",
                request -> {
                    ObjectNode payload = Json.object().put("activeTargetId", "tab-101");
                    payload.putArray("targets")
                            .addObject()
                            .put("targetId", "tab-101")
                            .put("url", "https://shop.example/");
                    extension.answer(request, payload);
                });
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
        System.setProperty("user.home", usersHome);
    }

    /** An agent that speaks MCP on stdio only. */
    private void configureAgent() throws IOException {
        Path config = Files.createDirectories(folder.resolve("home/.config/tandem"));
        List<String> argv =
                ScriptedAgentCommand.argv("--caps={\"mcpCapabilities\":{\"http\":false}}");
        ObjectNode agent = Json.object().put("id", "scripted").put("command", argv.getFirst());
        ArrayNode args = agent.putArray("args");
        argv.stream().skip(1).forEach(args::add);
        ObjectNode all = Json.object();
        all.putArray("agents").add(agent);
        Files.writeString(config.resolve("config.json"), Json.write(all));
    }

    private Map<String, String> environment(String token) {
        return Map.of("TANDEM_MCP_TOKEN", token, "TANDEM_STATE_DIR", hub.stateDir().toString());
    }

    @Test
    @DisplayName("ACP-144 (bridge) the official client lists, calls and hears progress over stdio")
    void theOfficialClientWorksOverStdio() {
        List<String> argv = command.argv(folder);
        String token = hub.trustedToken("bridge");
        ServerParameters program =
                ServerParameters.builder(argv.getFirst())
                        .args(argv.subList(1, argv.size()))
                        .env(environment(token))
                        .build();
        List<McpSchema.ProgressNotification> progress = new ArrayList<>();
        try (McpSyncClient client =
                McpClient.sync(new StdioClientTransport(program, McpJsonDefaults.getMapper()))
                        .requestTimeout(Duration.ofSeconds(30))
                        .progressConsumer(progress::add)
                        .build()) {
            assertThat(client.initialize().serverInfo().name()).isEqualTo("tandem");
            assertThat(client.listTools().tools().stream().map(McpSchema.Tool::name))
                    .contains("snapshot", "browser_tabs");
            McpSchema.CallToolResult steps =
                    client.callTool(
                            McpSchema.CallToolRequest.builder("run")
                                    .arguments(
                                            Map.of("steps", List.of(Map.of("action", "snapshot"))))
                                    .progressToken("p")
                                    .build());
            assertThat(steps.content().toString()).contains("[r1] button");
            await().untilAsserted(() -> assertThat(progress).isNotEmpty());
        }
    }

    private record Bridge(Process process, BufferedReader out) {
        void say(ObjectNode message) throws IOException {
            sayLine(Json.write(message));
        }

        void sayLine(String line) throws IOException {
            process.getOutputStream().write((line + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        }

        JsonNode hear() throws IOException {
            return Json.parse(out.readLine());
        }

        /** Ends it as clients do: they close its input and wait. */
        void end() throws Exception {
            process.getOutputStream().close();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
    }

    private Bridge bridge(Map<String, String> environment, String... more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command.argv(folder)));
        builder.command().addAll(List.of(more));
        builder.environment().keySet().removeIf(name -> name.startsWith("TANDEM_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new Bridge(
                process,
                new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)));
    }

    @Test
    void callsRunSideBySideAndCanBeCancelled() throws Exception {
        String token = hub.trustedToken("bridge");
        Bridge bridge = bridge(environment(token));
        ObjectNode hello = McpCaller.message(1, "initialize");
        ((ObjectNode) hello.get("params")).put("protocolVersion", "2025-11-25");
        bridge.say(hello);
        assertThat(bridge.hear().path("result").path("protocolVersion").asString())
                .isEqualTo("2025-11-25");
        bridge.say(McpCaller.call(2, "wait", Json.object().put("until", "load")));
        assertThat(extension.request().path("command").asString()).isEqualTo("session.launch");
        assertThat(extension.request().path("command").asString()).isEqualTo("nav.wait");
        bridge.say(McpCaller.message(3, "ping"));
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(3);
        ObjectNode cancel = McpCaller.message(0, "notifications/cancelled");
        cancel.remove("id");
        ((ObjectNode) cancel.get("params")).put("requestId", 2);
        bridge.say(cancel);
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(2);
        ObjectNode modern = McpCaller.message(4, "server/discover");
        ObjectNode meta = ((ObjectNode) modern.get("params")).putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        bridge.say(modern);
        assertThat(bridge.hear().path("result").path("resultType").asString())
                .isEqualTo("complete");
        ObjectNode call = McpCaller.call(5, "snäpshot", Json.object());
        ((ObjectNode) call.get("params")).set("_meta", meta.deepCopy());
        bridge.say(call);
        assertThat(bridge.hear().path("error").path("message").asString()).contains("snäpshot");
        bridge.sayLine("");
        bridge.sayLine("{not json");
        assertThat(bridge.hear().path("error").path("code").asInt()).isEqualTo(-32700);
        bridge.end();
    }

    @Test
    void refusalsAndAMissingHubAreAnswers() throws Exception {
        Bridge bridge = bridge(environment("tdc_this-token-is-not-known-here"));
        bridge.say(McpCaller.message(5, "tools/list"));
        JsonNode refused = bridge.hear();
        assertThat(refused.path("id").asInt()).isEqualTo(5);
        assertThat(refused.path("error").path("message").asString()).contains("token");
        // a notification that is refused has no answer
        ObjectNode unheard = McpCaller.message(0, "notifications/initialized");
        unheard.remove("id");
        bridge.say(unheard);
        bridge.end();
        Bridge nowhere =
                bridge(
                        Map.of(
                                "TANDEM_MCP_TOKEN",
                                "tdc_x",
                                "TANDEM_MCP_URL",
                                "http://127.0.0.1:9/mcp"));
        nowhere.say(McpCaller.message(6, "tools/list"));
        assertThat(nowhere.hear().path("error").path("message").asString()).contains("tandem up");
        nowhere.end();
    }

    @Test
    void withoutATokenItActsForNobodyUnlessTold() throws Exception {
        Map<String, String> state = Map.of("TANDEM_STATE_DIR", hub.stateDir().toString());
        Bridge nobody = bridge(state);
        assertThat(nobody.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(nobody.process().exitValue()).isEqualTo(1);
        Bridge user = bridge(state, "--as-user");
        user.say(McpCaller.message(7, "tools/list"));
        assertThat(user.hear().path("result").path("tools").size()).isGreaterThan(40);
        user.end();
    }

    @Test
    @DisplayName(
            "SEC-23 the user's own token goes to the hub that made it, whatever address is named")
    void theUsersTokenGoesNowhereElse() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            stranger.setSoTimeout(3000);
            Bridge user =
                    bridge(
                            Map.of(
                                    "TANDEM_STATE_DIR",
                                    hub.stateDir().toString(),
                                    "TANDEM_MCP_URL",
                                    "http://127.0.0.1:" + stranger.getLocalPort() + "/mcp"),
                            "--as-user");
            user.say(McpCaller.message(1, "tools/list"));
            assertThatThrownBy(stranger::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(user.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(user.process().exitValue()).isEqualTo(1);
        }
    }

    // clients keep the bridge for days; the hub comes back on another port meanwhile
    @Test
    void aHubThatMovedIsFoundAgain() throws Exception {
        Path state = Files.createDirectory(folder.resolve("elsewhere"));
        Path browse = state.resolve("browse.json");
        Files.writeString(browse, "{\"port\": 9, \"token\": \"old\"}");
        Bridge user = bridge(Map.of("TANDEM_STATE_DIR", state.toString()), "--as-user");
        user.say(McpCaller.message(1, "tools/list"));
        assertThat(user.hear().path("error").path("message").asString()).contains("tandem up");
        Files.copy(
                hub.stateDir().resolve("browse.json"),
                browse,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        user.say(McpCaller.message(2, "tools/list"));
        assertThat(user.hear().path("result").path("tools").size()).isGreaterThan(40);
        user.end();
    }

    @Test
    void whoeverWaitsForAHubThatEndsIsToldSo() throws Exception {
        Bridge bridge = bridge(environment(hub.trustedToken("bridge")));
        bridge.say(McpCaller.call(2, "wait", Json.object().put("until", "load")));
        assertThat(extension.request().path("command").asString()).isEqualTo("session.launch");
        assertThat(extension.request().path("command").asString()).isEqualTo("nav.wait");
        extension.close();
        hub.close();
        JsonNode told = bridge.hear();
        assertThat(told.path("id").asInt()).isEqualTo(2);
        assertThat(told.has("error") || told.path("result").path("isError").asBoolean()).isTrue();
        bridge.say(McpCaller.message(3, "ping"));
        assertThat(bridge.hear().path("error").path("message").asString()).contains("tandem up");
        // the same process finds the next hub
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        bridge.say(McpCaller.message(4, "ping"));
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(4);
        bridge.end();
    }

    // OPS-11: exactly one answer, also where the hub goes away afterwards
    @Test
    @Timeout(60)
    void whatWasAnsweredIsNotAnsweredAgainWhenTheHubEnds() throws Exception {
        Bridge bridge = bridge(environment(hub.trustedToken("bridge")));
        bridge.say(McpCaller.message(1, "ping"));
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(1);
        // no JSON after all, though its id can be read
        bridge.sayLine("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",}");
        assertThat(bridge.hear().path("error").path("code").asInt()).isEqualTo(-32700);
        // ids that come back in other letters
        bridge.sayLine("{\"jsonrpc\":\"2.0\",\"id\":\"\\u00e9\",\"method\":\"ping\"}");
        assertThat(bridge.hear().path("id").asString()).isEqualTo("é");
        bridge.sayLine("{\"jsonrpc\":\"2.0\",\"id\":\"a\\/b\",\"method\":\"ping\"}");
        assertThat(bridge.hear().path("id").asString()).isEqualTo("a/b");
        // refused as a whole
        bridge.sayLine("[" + Json.write(McpCaller.message(3, "ping")) + "]");
        assertThat(bridge.hear().path("error").path("code").asInt()).isEqualTo(-32600);
        extension.close();
        hub.close();
        bridge.say(McpCaller.message(9, "ping"));
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(9);
        bridge.end();
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
    }

    @Test
    @Timeout(60)
    void everyRequestOfABatchIsAnsweredWhereThereIsNoHub() throws Exception {
        Bridge bridge =
                bridge(
                        Map.of(
                                "TANDEM_MCP_TOKEN",
                                "tdc_x",
                                "TANDEM_MCP_URL",
                                "http://127.0.0.1:9/mcp"));
        ArrayNode batch = Json.array();
        batch.add(McpCaller.message(1, "ping")).add(McpCaller.message(2, "ping"));
        bridge.sayLine(Json.write(batch));
        List<JsonNode> answers = List.of(bridge.hear(), bridge.hear());
        assertThat(answers.stream().map(answer -> answer.path("id").asInt()))
                .containsExactlyInAnyOrder(1, 2);
        assertThat(answers).allMatch(answer -> answer.has("error"));
        bridge.end();
    }

    @Test
    void anAddressThatIsNoneIsAUsageError() throws Exception {
        for (String url :
                List.of("127.0.0.1:8787/mcp", "http:///mcp", "ftp://host/", "http://a b/")) {
            Bridge bridge = bridge(Map.of("TANDEM_MCP_TOKEN", "tdc_x", "TANDEM_MCP_URL", url));
            assertThat(bridge.process().waitFor(20, TimeUnit.SECONDS)).as(url).isTrue();
            assertThat(bridge.process().exitValue()).as(url).isEqualTo(1);
            assertThat(new String(bridge.process().getErrorStream().readAllBytes(), UTF_8))
                    .contains("Invalid TANDEM_MCP_URL: " + url)
                    .doesNotContain("Exception");
        }
    }

    @Test
    @Timeout(60)
    void whoeverAsksWhatIsNoHubIsToldSo() throws Exception {
        for (String said :
                List.of("text/html\r\n\r\n<p>Hello\n</p>\n", "application/json\r\n\r\n{}")) {
            try (ServerSocket stranger = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                Thread.startVirtualThread(() -> sayToAll(stranger, said));
                String url = "http://127.0.0.1:" + stranger.getLocalPort() + "/mcp";
                Bridge bridge = bridge(Map.of("TANDEM_MCP_TOKEN", "tdc_x", "TANDEM_MCP_URL", url));
                for (String method : List.of("initialize", "tools/list")) {
                    bridge.say(McpCaller.message(4, method));
                    JsonNode answer = bridge.hear();
                    assertThat(answer.path("id").asInt()).as(method).isEqualTo(4);
                    assertThat(answer.path("error").path("message").asString())
                            .contains("not the /mcp of a hub", "TANDEM_MCP_URL");
                }
                bridge.end();
            }
        }
    }

    private static void sayToAll(ServerSocket door, String typeAndBody) {
        String answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + typeAndBody;
        while (!door.isClosed()) {
            try (Socket socket = door.accept()) {
                socket.getOutputStream().write(answer.getBytes(UTF_8));
                socket.shutdownOutput();
                // what is left unread would break off the answer
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // it hung up, or the test is over
            }
        }
    }

    // W16: error bodies whose request id could not be read have no id member
    @Test
    void aLineThatNoMessageNeedsIsRefusedAndTheNextIsTaken() throws Exception {
        Bridge bridge = bridge(environment(hub.trustedToken("bridge")));
        for (int size : List.of(5 << 20, (4 << 20) + 10)) {
            bridge.sayLine("{\"jsonrpc\":\"2.0\",\"id\":1,\"x\":\"" + "x".repeat(size) + "\"}");
            JsonNode refusal = bridge.hear();
            assertThat(refusal.path("error").path("message").asString()).contains("4 MiB");
            assertThat(refusal.path("id").asInt()).as("%d", size).isEqualTo(1);
        }
        bridge.sayLine("{\"jsonrpc\":\"2.0\",\"id\":\"" + "x".repeat(5 << 20));
        JsonNode refusal = bridge.hear();
        assertThat(refusal.path("error").path("message").asString()).contains("4 MiB");
        assertThat(refusal.has("id")).isFalse();
        bridge.say(McpCaller.message(2, "ping"));
        assertThat(bridge.hear().path("id").asInt()).isEqualTo(2);
        bridge.end();
    }

    // W16 steps 6, 7 and 9
    @Test
    @Timeout(120)
    void whatIsNoMessageIsToldSo() throws Exception {
        Bridge bridge = bridge(environment(hub.trustedToken("bridge")));
        for (String line :
                List.of("[]", "null", "5", "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}")) {
            bridge.sayLine(line);
            JsonNode refusal = bridge.hear();
            assertThat(refusal.path("error").path("code").asInt()).as(line).isEqualTo(-32600);
            assertThat(refusal.has("id")).as(line).isFalse();
        }
        bridge.end();
    }

    @Test
    @DisplayName("SEC-23 whoever has the port of a hub that is gone gets no token")
    void aStrangerOnThePortGetsNothing() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            stranger.setSoTimeout(2000);
            Path state = Files.createDirectory(folder.resolve("left"));
            Files.writeString(
                    state.resolve("browse.json"),
                    Json.write(
                            Json.object()
                                    .put("port", stranger.getLocalPort())
                                    .put("pid", gone.pid())
                                    .put("token", "t")));
            Bridge user = bridge(Map.of("TANDEM_STATE_DIR", state.toString()), "--as-user");
            user.say(McpCaller.message(1, "tools/list"));
            assertThatThrownBy(stranger::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(user.hear().path("error").path("message").asString()).contains("tandem up");
            user.end();
        }
    }

    @Test
    @DisplayName(
            "ACP-144 an agent without http gets the bridge: it lists and calls, as its session")
    void anAgentWithoutHttpGetsTheBridge() {
        SessionEngine engine = Inside.engine(hub.app());
        PermissionDesk desk = Inside.desk(hub.app());
        ObjectNode fields = Json.object().put("name", "Stdio");
        fields.put("annotations", "{\"tandem/agent\":\"scripted\",\"tandem/profile\":\"all\"}");
        String id = engine.create("default", fields).id();
        engine.start(id);
        long listed = engine.send(id, Prompt.of("mcp tools/list")).entry().seq();
        await().atMost(Duration.ofSeconds(40)).until(() -> said(id, listed).contains("mcp "));
        assertThat(said(id, listed)).contains("\"snapshot\"", "\"browser_tabs\"");
        await().atMost(Duration.ofSeconds(20)).until(() -> !engine.turnRuns(id));
        long called =
                engine.send(
                                id,
                                Prompt.of(
                                        "mcp tools/call {\"name\":\"snapshot\",\"arguments\":{}}"))
                        .entry()
                        .seq();
        await().atMost(Duration.ofSeconds(40)).until(() -> !desk.open(id).isEmpty());
        desk.answer(desk.open(id).getFirst().requestId(), "allow_once", Caller.USER);
        await().atMost(Duration.ofSeconds(40)).until(() -> said(id, called).contains("mcp "));
        assertThat(said(id, called)).contains("[r1] button");
        engine.delete(id);
    }

    private String said(String id, long after) {
        StringBuilder said = new StringBuilder();
        Inside.log(hub.app()).after(id, after, 1000).stream()
                .filter(entry -> entry.kind() == Entry.Kind.ASSISTANT)
                .forEach(entry -> said.append(entry.text("text").orElse("")));
        return said.toString();
    }
}
