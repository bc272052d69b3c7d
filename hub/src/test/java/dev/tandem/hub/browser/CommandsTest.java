package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands in words, the panel's screenshot, and the look at text before it enters a terminal. */
class CommandsTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        door = new Door(hub.port(), hub.hubToken());
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    private static ObjectNode words(String command, String... args) {
        ObjectNode body = Json.object().put("command", command);
        var list = body.putArray("args");
        for (String arg : args) {
            list.add(arg);
        }
        return body;
    }

    @Test
    @DisplayName("TRM-075: the panel's screenshot needs no terminal, and shows the tab in front")
    void screenshotOfTheFrontTab() throws Exception {
        byte[] picture = {1, 2, 3};
        extension.on(
                "debug.screenshot",
                request -> {
                    ObjectNode answer = Json.object().put("mime", "image/png");
                    answer.put("base64", Base64.getEncoder().encodeToString(picture));
                    answer.put("warning", "visible_only_fallback");
                    extension.answer(request, answer.put("width", 10).put("height", 20));
                });
        Door panel = new Door(hub.port(), hub.extensionToken("browser-one", "One"));
        Door.Answer answer = panel.post("/command", words("screenshot"));
        assertThat(answer.status()).isEqualTo(200);
        JsonNode shot = answer.json();
        assertThat(Files.readAllBytes(Path.of(shot.path("path").asString()))).isEqualTo(picture);
        assertThat(shot.path("warning").asString()).isEqualTo("visible_only_fallback");
        assertThat(shot.path("base64").asString()).isNotEmpty();
        assertThat(extension.request().path("command").asString()).isEqualTo("debug.screenshot");
        assertThat(door.get("/activity/history").body()).contains("command_end", "screenshot");
        extension.on(
                "debug.screenshot",
                request ->
                        extension.fail(request, "restricted_url", "Not this page", Json.object()));
        Door.Answer refused = panel.post("/command", words("screenshot"));
        assertThat(refused.json().path("code").asString()).isEqualTo("restricted_url");
        assertThat(refused.json().path("error").asString()).isEqualTo("Not this page");
    }

    @Test
    void anExtensionTokenDrivesNoOtherTool() throws Exception {
        Door panel = new Door(hub.port(), hub.extensionToken("browser-one", "One"));
        Door.Answer answer = panel.post("/command", words("goto", "https://a.test"));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(extension.waiting()).isZero();
    }

    @Test
    void aliasesAndWords() throws Exception {
        extension.on(
                "dom.getText",
                request ->
                        extension.answer(
                                request,
                                Json.object()
                                        .put("ref", "r3")
                                        .put("text", "hello")
                                        .put("truncated", false)));
        Door.Answer answer = door.post("/command", words("text", "@r3", "--max-chars", "50"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.raw().headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/plain");
        assertThat(answer.body()).contains("hello");
        extension.request();
        JsonNode sent = extension.request().path("payload");
        assertThat(sent.path("ref").asString()).isEqualTo("r3");
        assertThat(sent.path("maxChars").asInt()).isEqualTo(50);

        Door.Answer unknown = door.post("/command", words("snapshto"));
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.json().path("error").asString()).contains("Did you mean snapshot?");
        assertThat(unknown.json().path("hint").asString()).contains("dom_get_text", "closetab");
        assertThat(door.post("/command", Json.object()).status()).isEqualTo(400);
    }

    // SETTLED-13: nothing of a command is passed over
    @Test
    void aCommandOfAnotherShapeIsRefusedForWhatIsWrongWithIt() throws Exception {
        for (String[] wrong :
                new String[][] {
                    {"\"tabId\":\"abc\"", "tabId must be an integer"},
                    {"\"tabId\":1.5", "tabId must be an integer"},
                    {"\"args\":\"r1\"", "args must be an array of strings"},
                    {"\"args\":[\"r1\",5]", "args must be an array of strings"},
                    {"\"args\":[\"r1\"],\"name\":\"click\"", "not both"}
                }) {
            ObjectNode body = Json.parseObject("{\"command\":\"click\"," + wrong[0] + "}");
            Door.Answer answer = door.post("/command", body);
            assertThat(answer.status()).as(wrong[0]).isEqualTo(400);
            assertThat(answer.json().path("error").asString()).contains(wrong[1]);
        }
        assertThat(extension.waiting()).isZero();
    }

    @Test
    void aBatchGoesOnInOrder() throws Exception {
        ObjectNode batch = Json.object();
        var commands = batch.putArray("commands");
        commands.add(words("skill"));
        commands.add(words("nonsense-command"));
        commands.add(words("snapshot"));
        JsonNode answer = door.post("/batch", batch).json();
        assertThat(answer.path("total").asInt()).isEqualTo(3);
        assertThat(answer.path("succeeded").asInt()).isEqualTo(2);
        assertThat(answer.path("results").path(1).path("status").asInt()).isEqualTo(400);
        assertThat(answer.path("results").path(2).path("result").asString()).contains("button");
        ObjectNode large = Json.object();
        var many = large.putArray("commands");
        for (int i = 0; i < 51; i++) {
            many.add(words("skill"));
        }
        assertThat(door.post("/batch", large).status()).isEqualTo(400);
    }

    @Test
    void readOnlyTokensDoNotWriteInWordsEither() throws Exception {
        Door reader = new Door(hub.port(), hub.clientToken("r", "all", Caller.Mode.READ_ONLY));
        Door.Answer answer = reader.post("/command", words("click", "r1"));
        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    @DisplayName("TRM-L18 (hub half): pages' text is judged, real bytes are counted")
    void scan() throws Exception {
        ObjectNode plain = Json.object().put("text", "Hello there").put("origin", "https://a.test");
        JsonNode verdict = door.post("/pty-inject-scan", plain).json();
        assertThat(verdict.path("verdict").asString()).isEqualTo("WARN");
        assertThat(verdict.path("l4").path("available").asBoolean()).isFalse();
        assertThat(verdict.path("datamark").asString()).isEqualTo("<untrusted-page-content>");
        for (String text :
                new String[] {
                    "see BIT.ly/x",
                    "https://a.tinyurl.com/",
                    "bit\u200b.ly/x",
                    "a.".repeat(30_000) + "bit.ly"
                }) {
            ObjectNode asked = Json.object().put("text", text).put("origin", "https://a.test");
            assertThat(door.post("/pty-inject-scan", asked).json().path("verdict").asString())
                    .as("%.40s", text)
                    .isEqualTo("BLOCK");
        }
        ObjectNode fine = Json.object().put("text", "orbit.lyon and notbit.ly.example");
        assertThat(door.post("/pty-inject-scan", fine).json().path("verdict").asString())
                .isEqualTo("WARN");
        ObjectNode driving = Json.object().put("text", "a\u001b[2Jb");
        assertThat(door.post("/pty-inject-scan", driving).body()).contains("control-bytes");
        assertThat(door.post("/pty-inject-scan", Json.object()).body()).contains("missing-text");

        String chunk = "x".repeat(70_000);
        RawHttp.Answer large =
                RawHttp.send(
                        hub.port(),
                        "POST /pty-inject-scan",
                        Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n0\r\n\r\n",
                        "Host: 127.0.0.1:" + hub.port(),
                        "Authorization: Bearer " + hub.hubToken(),
                        "Transfer-Encoding: chunked");
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.body()).contains("payload-too-large").contains("65536");
        RawHttp.Answer broken =
                RawHttp.send(
                        hub.port(),
                        "POST /pty-inject-scan",
                        "{\"text",
                        "Host: 127.0.0.1:" + hub.port(),
                        "Authorization: Bearer " + hub.hubToken(),
                        "Content-Length: 6");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(broken.body()).contains("malformed-json");
    }
}
