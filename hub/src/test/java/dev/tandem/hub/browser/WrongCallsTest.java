package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Programs and browsers that mix something up, and are told so. */
class WrongCallsTest extends OpsDoorBench {
    private static String message(ObjectNode answer) {
        return answer.path("error").path("message").asString("");
    }

    @Test
    void aProgramThatMixesUpTheProtocolIsToldSo() throws Exception {
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        assertThat(message(client.hello("1"))).isEqualTo("ops_hello was sent already.");
        client.wire()
                .send(
                        Json.object()
                                .put("type", "ops_pong")
                                .put("id", "1")
                                .put("clientId", client.clientId()));
        assertThat(message(client.answer())).isEqualTo("A client cannot send ops_pong.");
        ObjectNode until = Json.object().put("until", "load");
        client.ask("w", "nav.wait", session, until);
        extension.request();
        assertThat(message(client.call("w", "nav.wait", session, until)))
                .isEqualTo("A request with this requestId is still running.");
        // an older name of the lease
        ObjectNode again = Json.object();
        again.set("sessionId", session.path("opsSessionId"));
        again.set("sessionLeaseId", session.path("leaseId"));
        assertThat(client.call("c", "session.connect", again).path("type").asString())
                .isEqualTo("ops_response");
        assertThat(extension.request().path("payload").path("leaseId"))
                .isEqualTo(session.path("leaseId"));
    }

    @Test
    void anExtensionThatRefusesTheGreetingIsQuoted() throws Exception {
        extension.greets(false);
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        client.wire().send(Json.object().put("type", "ops_hello").put("version", "1"));
        ObjectNode hello = extension.wire().next("ops_hello");
        ObjectNode refusal = Json.object().put("type", "ops_error").put("requestId", "ops_hello");
        refusal.set("clientId", hello.path("clientId"));
        refusal.putObject("error")
                .put("code", "not_supported")
                .put("message", "Too new for me")
                .put("retryable", false);
        extension.wire().send(refusal);
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("not_supported");
        assertThat(message(answer)).isEqualTo("Too new for me");
    }

    private Wire browser() {
        return keep(
                Wire.open(
                        http,
                        hub.port(),
                        "/browser/ops",
                        "Origin",
                        "chrome-extension://" + FakeExtension.ID,
                        "subprotocols",
                        "tandem.v1,bearer." + hub.extensionToken("browser-two", "Two")));
    }

    @Test
    void aBrowserThatDoesNotIntroduceItselfStaysOut() throws Exception {
        Wire nonsense = browser().sendText("{");
        assertThat(nonsense.closed()).isEqualTo("1007 Not JSON");
        Wire hasty = browser().send(Json.object().put("type", "ping").put("id", "1"));
        assertThat(hasty.closed()).isEqualTo("1008 Handshake first");
        ObjectNode nobody = Json.object().put("type", "handshake");
        nobody.putObject("payload");
        assertThat(browser().send(nobody).closed()).startsWith("1008 Bad handshake: ");
        extension.wire().send(Json.object().put("type", "fromTomorrow"));
        extension.wire().send(Json.object().put("type", "healthCheck").put("id", "h1"));
        ObjectNode health = extension.wire().next("healthCheckResult");
        assertThat(health.path("id").asString()).isEqualTo("h1");
        assertThat(health.path("payload").isObject()).isTrue();
    }

    private JsonNode command(String token, String tool, ObjectNode params) throws Exception {
        ObjectNode body = Json.object().put("name", tool);
        body.set("params", params);
        return new Door(hub.port(), token).post("/command", body).json();
    }

    @Test
    void aTokenHasTheToolsOfItsProfile() throws Exception {
        String token = hub.clientToken("small", "core", Caller.Mode.ACT);
        JsonNode refused = command(token, "pointer_move", Json.object().put("x", 1).put("y", 1));
        assertThat(refused.path("error").path("message").asString())
                .isEqualTo(
                        "The profile \"core\" of this token does not have the tool pointer_move.");
        assertThat(extension.waiting()).isZero();
    }

    @Test
    void stepsTakeWhatTheWholeRunWasGiven() throws Exception {
        extension.on(
                "interact.click",
                request ->
                        extension.answer(
                                request, Json.object().put("navigated", false).put("timingMs", 1)));
        ObjectNode run = Json.object().put("maxSnapshotChars", 500).put("targetId", "tab-101");
        ObjectNode click = run.putArray("steps").addObject().put("action", "click");
        click.putObject("args").put("ref", "r1");
        run.withArray("steps").addObject().put("action", "snapshot");
        assertThat(command(hub.hubToken(), "run", run).path("ok").asBoolean()).isTrue();
        assertThat(extension.request().path("command").asString()).isEqualTo("session.launch");
        JsonNode clicked = extension.request();
        assertThat(clicked.path("command").asString()).isEqualTo("interact.click");
        assertThat(clicked.at("/payload/targetId").asString()).isEqualTo("tab-101");
        assertThat(extension.request().at("/payload/maxChars").asInt()).isEqualTo(500);

        run.withArray("steps").remove(1);
        assertThat(command(hub.hubToken(), "run", run.put("diff", true)).path("ok").asBoolean())
                .isTrue();
        assertThat(extension.request().at("/payload/diff").asBoolean()).isTrue();
    }

    @Test
    void picturesAndGuidesThatCannotBe() throws Exception {
        JsonNode both =
                command(
                        hub.hubToken(),
                        "screenshot",
                        Json.object().put("ref", "r1").put("fullPage", true));
        assertThat(both.path("error").path("code").asString()).isEqualTo("invalid_request");
        ObjectNode topic = Json.object().put("name", "form-testing").put("topic", "cooking");
        assertThat(
                        command(hub.hubToken(), "skill_load", topic)
                                .path("error")
                                .path("message")
                                .asString())
                .startsWith("There is no topic \"cooking\". Topics: ");
    }

    @Test
    void whatABrowserAnswersWronglyIsNotPassedOn() throws Exception {
        extension.on(
                "page.screenshot",
                request ->
                        extension.answer(
                                request,
                                Json.object().put("mime", "image/png").put("base64", "%secret%")));
        JsonNode failed = command(hub.hubToken(), "screenshot", Json.object());
        assertThat(failed.path("error").path("code").asString()).isEqualTo("internal");
        assertThat(Json.write(failed)).doesNotContain("secret");
    }

    // SEC-3: the user's own shell may name any file of theirs, and is told what is wrong with it
    @Test
    void filesThatTheShellNames() throws Exception {
        extension.on(
                "interact.upload",
                request ->
                        extension.answer(
                                request,
                                Json.object()
                                        .put("targetId", "tab-101")
                                        .put("fileCount", 1)
                                        .put("mode", "direct_input")));
        CliDoor shell = new CliDoor(hub);
        Path none = folder.resolve("none.txt");
        assertThat(shell.run(false, "upload", "r1", "--files", none.toString()).text())
                .contains("[invalid_request] ", "There is no file " + none);
        assertThat(shell.run(false, "upload", "r1", "--files", folder.toString()).text())
                .contains("[path_denied] ", folder + " is not a file.");
        Path mine = Files.writeString(folder.resolve("mine.txt"), "mine");
        assertThat(shell.run(false, "upload", "r1", "--files", mine.toString()).exit()).isZero();
    }

    // SEC-3
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatCannotBeReadIsNamed() throws Exception {
        // it is there and its start can be read by nobody, root included
        CliDoor.Printed printed =
                new CliDoor(hub).run(false, "upload", "r1", "--files", "/proc/self/mem");
        assertThat(printed.text())
                .contains("The file /proc/self/mem cannot be read.", "Check its permissions.")
                .doesNotContain("[internal]");
        assertThat(printed.exit()).isEqualTo(2);
    }
}
