package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The protocol of /mcp in every era: versions, sessions, headers, lists, progress. */
class McpDoorTest extends McpDoorBench {
    @Test
    void initializeAnswersTheAskedVersionOrTheLatest() {
        // ACP-124
        for (String asked :
                List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01")) {
            ObjectNode message = message("initialize");
            ((ObjectNode) message.get("params")).put("protocolVersion", asked);
            Answer answer = send("POST", Json.write(message));
            String expected = asked.startsWith("1999") ? "2025-11-25" : asked;
            assertThat(answer.json().path("result").path("protocolVersion").asString())
                    .isEqualTo(expected);
            assertThat(answer.raw().headers().firstValue("Mcp-Session-Id").orElse(""))
                    .matches("[\\x21-\\x7e]{32,}");
        }
    }

    @Test
    void sessionsEndAndUnknownOnesAreNotFound() {
        // ACP-126, ACP-127
        String id = legacy("initialize").raw().headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertThat(legacy("ping", "Mcp-Session-Id", id).json().path("result")).isEmpty();
        assertThat(legacy("ping").status()).isEqualTo(200);
        assertThat(send("DELETE", "").status()).isEqualTo(400);
        assertThat(send("DELETE", "", "Mcp-Session-Id", id).status()).isEqualTo(204);
        assertThat(legacy("ping", "Mcp-Session-Id", id).status()).isEqualTo(404);
        assertThat(send("DELETE", "", "Mcp-Session-Id", id).status()).isEqualTo(404);
        assertThat(legacy("ping", "Mcp-Session-Id", id.replace('a', 'b') + "0").status())
                .isEqualTo(404);
    }

    @Test
    void endedSessionsStayEndedAndOthersLiveOnInTheNextHub() throws Exception {
        // ACP-126 (W17: ended ids are remembered)
        String ended =
                legacy("initialize").raw().headers().firstValue("Mcp-Session-Id").orElseThrow();
        String kept =
                legacy("initialize").raw().headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertThat(send("DELETE", "", "Mcp-Session-Id", ended).status()).isEqualTo(204);
        stop();
        start();
        assertThat(legacy("ping", "Mcp-Session-Id", ended).status()).isEqualTo(404);
        assertThat(send("DELETE", "", "Mcp-Session-Id", ended).status()).isEqualTo(404);
        assertThat(legacy("ping", "Mcp-Session-Id", kept).status()).isEqualTo(200);
    }

    @Test
    void notificationsGetNoBody() {
        // ACP-123, ACP-140
        for (String method :
                List.of(
                        "notifications/initialized",
                        "notifications/cancelled",
                        "notifications/x")) {
            ObjectNode message = message(method);
            message.remove("id");
            Answer answer = send("POST", Json.write(message));
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void versionsAreChecked() {
        // ACP-128, ACP-133, ACP-131
        assertThat(legacy("ping", "MCP-Protocol-Version", "2025-06-18").status()).isEqualTo(200);
        Answer unknown = legacy("ping", "MCP-Protocol-Version", "v999.0.0");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.code()).isEqualTo(-32022);
        JsonNode data = unknown.json().path("error").path("data");
        assertThat(data.path("requested").asString()).isEqualTo("v999.0.0");
        // one list with server/discover; the older versions are found by initialize
        assertThat(Json.texts(data, "supported")).containsExactly(MODERN);
        Answer noHeader = send("POST", Json.write(modernMessage("tools/list")));
        assertThat(noHeader.status()).isEqualTo(400);
        assertThat(noHeader.code()).isEqualTo(-32020);
        assertThat(noHeader.json().path("id").asInt()).isEqualTo(7);
        Answer differs =
                send(
                        "POST",
                        Json.write(modernMessage("tools/list")),
                        "MCP-Protocol-Version",
                        "2025-11-25");
        assertThat(differs.code()).isEqualTo(-32020);
        ObjectNode noText = modernMessage("tools/list");
        ((ObjectNode) noText.at("/params/_meta")).put(META + "protocolVersion", 7);
        assertThat(modern(noText).code()).isEqualTo(-32020);
        assertThat(send("POST", Json.write(noText)).code()).isEqualTo(-32020);
    }

    @Test
    void headersAreComparedAsTheyAreMeant() {
        // ACP-131, ACP-132: names in any case, values letter by letter, none left out
        String list = Json.write(modernMessage("tools/list"));
        String[] names = {"MCP-PROTOCOL-VERSION", MODERN, "mcp-method", "tools/list"};
        assertThat(send("POST", list, names).status()).isEqualTo(200);
        assertThat(send("POST", list, "MCP-Protocol-Version", MODERN).code()).isEqualTo(-32020);
        assertThat(modern(modernMessage("tools/list"), "Mcp-Method", "Tools/List").code())
                .isEqualTo(-32020);
        ObjectNode call = modernMessage("tools/call");
        ((ObjectNode) call.get("params")).put("name", "skill_list");
        assertThat(modern(call, "MCP-NAME", "Skill_List").code()).isEqualTo(-32020);
        assertThat(modern(call, "MCP-NAME", " skill_list ").status()).isEqualTo(200);
    }

    @Test
    void onlyWhoHasATokenLearnsTheMethods() {
        // ACP-126; W16 steps 3 and 4
        for (String method : List.of("GET", "PUT", "PATCH")) {
            Answer answer = send(method, "");
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.raw().headers().firstValue("Allow")).contains("POST, DELETE");
            assertThat(answer.json().has("id")).isFalse();
            assertThat(send(method, "", "Authorization", "Bearer x").status()).isEqualTo(401);
        }
    }

    @Test
    void noPageIsInvited() {
        // W1: OPTIONS is answered without CORS headers, whoever asks
        String id = Json.resource("identity.json").get("extensionId").asString();
        Answer answer = send("OPTIONS", "", "Origin", "chrome-extension://" + id);
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.raw().headers().map().keySet())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    @Test
    void theStatelessEraChecksItsHeadersAndMeta() {
        // ACP-130, ACP-131, ACP-132, ACP-134
        ObjectNode bare = message("tools/list");
        Answer noMeta = modern(bare);
        assertThat(noMeta.status()).isEqualTo(400);
        assertThat(noMeta.code()).isEqualTo(-32602);
        ObjectNode list = modernMessage("tools/list");
        assertThat(modern(list, "Mcp-Method", "tools/call").code()).isEqualTo(-32020);
        assertThat(modern(list, "Mcp-Method", "  tools/list ").status()).isEqualTo(200);
        String coded =
                "=?base64?"
                        + java.util.Base64.getEncoder()
                                .encodeToString("tools/list".getBytes(StandardCharsets.UTF_8))
                        + "?=";
        assertThat(modern(list, "Mcp-Method", coded).status()).isEqualTo(200);
        ObjectNode call = modernMessage("tools/call");
        ((ObjectNode) call.get("params")).put("name", "skill_list");
        assertThat(modern(call).code()).isEqualTo(-32020);
        assertThat(modern(call, "Mcp-Name", "skill_load").code()).isEqualTo(-32020);
        for (String gone :
                List.of(
                        "initialize",
                        "ping",
                        "logging/setLevel",
                        "resources/subscribe",
                        "resources/unsubscribe",
                        "subscriptions/listen",
                        "x/y")) {
            Answer answer = modern(modernMessage(gone));
            assertThat(answer.status()).as(gone).isEqualTo(404);
            assertThat(answer.code()).isEqualTo(-32601);
        }
    }

    @Test
    void malformedBodiesHaveTheirCodesAndNoId() {
        // W16 steps 5 to 9
        Answer notJson = send("POST", "{");
        assertThat(notJson.status()).isEqualTo(400);
        assertThat(notJson.code()).isEqualTo(-32700);
        assertThat(notJson.json().has("id")).isFalse();
        assertThat(send("POST", "{\"id\":7,\"method\":").json().path("id").asInt())
                .as("one that stands before the fault")
                .isEqualTo(7);
        assertThat(send("POST", "{\"id\":1}").code()).isEqualTo(-32600);
        assertThat(send("POST", "[" + Json.write(message("ping")) + "]").status()).isEqualTo(400);
        for (String type : List.of("text/plain", "application/jsonp", "application/json-seq")) {
            assertThat(send("POST", "{}", "Content-Type", type).status()).isEqualTo(415);
        }
        assertThat(legacy("ping", "Accept", "image/png").status()).isEqualTo(406);
        ObjectNode nullId = message("ping");
        nullId.putNull("id");
        assertThat(send("POST", Json.write(nullId)).code()).isEqualTo(-32600);
    }

    @Test
    void batchesBelongToTheOneVersionThatHadThem() {
        // W16 step 7
        ObjectNode message = message("initialize");
        ((ObjectNode) message.get("params")).put("protocolVersion", "2025-03-26");
        String id =
                send("POST", Json.write(message))
                        .raw()
                        .headers()
                        .firstValue("Mcp-Session-Id")
                        .orElseThrow();
        String batch =
                "[" + Json.write(message("ping")) + "," + Json.write(message("tools/list")) + "]";
        Answer answer = send("POST", batch, "Mcp-Session-Id", id);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().size()).isEqualTo(2);
    }

    @Test
    void theListDependsOnTheTokenAloneAndIsSmall() {
        // ACP-136; tools/list budgets; OPS-B19
        String all = legacy("tools/list").body();
        assertThat(all.getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(Limits.of("toolsListAllBytes"));
        extension.close();
        assertThat(legacy("tools/list").body()).isEqualTo(all);
        token = hub.clientToken("small", "core", Caller.Mode.ASK);
        String core = legacy("tools/list").body();
        assertThat(core.getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(Limits.of("toolsListCoreBytes"));
        assertThat(core).contains("\"browser_tabs\"", "\"browser_read\"", "\"browser_execute\"");
        token = hub.clientToken("reader", "read-only", Caller.Mode.READ_ONLY);
        JsonNode tools = legacy("tools/list").json().path("result").path("tools");
        assertThat(tools.size()).isGreaterThan(5);
        for (JsonNode tool : tools) {
            assertThat(tool.path("annotations").path("readOnlyHint").asBoolean())
                    .as(tool.path("name").asString())
                    .isTrue();
        }
    }

    @Test
    void progressComesAsEventsThenTheAnswer() {
        // ACP-138
        ObjectNode message = modernMessage("tools/call");
        ObjectNode params = (ObjectNode) message.get("params");
        ((ObjectNode) params.get("_meta")).put("progressToken", "p");
        params.put("name", "run")
                .putObject("arguments")
                .putArray("steps")
                .addObject()
                .put("action", "snapshot");
        Answer answer = modern(message, "Mcp-Name", "run");
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/event-stream");
        assertThat(answer.body())
                .contains("notifications/progress", "\"progressToken\":\"p\"")
                .endsWith("}\n\n");
        // the connection carries the next request
        assertThat(legacy("ping").status()).isEqualTo(200);
        assertThat(answer.body().indexOf("\"result\""))
                .isGreaterThan(answer.body().indexOf("notifications/progress"));
    }

    @Test
    void aLongCallShowsThatItLives() {
        // ACP-138: many clients end a call that shows no progress
        extension.on("nav.wait", request -> {});
        CompletableFuture<Answer> old = CompletableFuture.supplyAsync(() -> longCall(true));
        for (Answer answer : List.of(longCall(false), old.join())) {
            assertThat(answer.body())
                    .contains("notifications/progress", "\"message\":\"Working\"", "[timeout]");
        }
    }

    private Answer longCall(boolean old) {
        ObjectNode message = old ? message("tools/call") : modernMessage("tools/call");
        ObjectNode params = (ObjectNode) message.get("params");
        ObjectNode meta = old ? params.putObject("_meta") : (ObjectNode) params.get("_meta");
        meta.put("progressToken", "p");
        params.put("name", "wait")
                .putObject("arguments")
                .put("until", "load")
                .put("timeoutMs", 9000);
        return old ? send("POST", Json.write(message)) : modern(message, "Mcp-Name", "wait");
    }

    @Test
    void aCancelledLegacyCallIsCancelledInTheBrowser() throws Exception {
        // ACP-139 (legacy half)
        ObjectNode message = message("tools/call");
        ObjectNode params = (ObjectNode) message.get("params");
        params.put("name", "wait").putObject("arguments").put("until", "load");
        Thread caller = Thread.startVirtualThread(() -> send("POST", Json.write(message)));
        extension.request();
        extension.request();
        ObjectNode cancel = message("notifications/cancelled");
        cancel.remove("id");
        ((ObjectNode) cancel.get("params")).put("requestId", 7);
        assertThat(send("POST", Json.write(cancel)).status()).isEqualTo(202);
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
        caller.join(10_000);
        assertThat(caller.isAlive()).isFalse();
    }
}
