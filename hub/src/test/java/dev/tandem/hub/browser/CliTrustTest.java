package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the command line prints and records, and which arguments no door takes. */
class CliTrustTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private CliDoor cli;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        cli = new CliDoor(hub);
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    @Test
    @DisplayName("SEC-21 a person at a terminal reads the plain words, escapes made visible")
    void aPersonSeesThePlainWords() throws IOException {
        extension.on(
                "nav.snapshot",
                request ->
                        extension.answer(
                                request,
                                FakeExtension.snapshot().put("content", "\u001b[2Jhello")));
        assertThat(cli.run(true, "snapshot").text()).isEqualTo("\\x1b[2Jhello\n");
        String json = cli.run(false, "snapshot", "--json").text();
        assertThat(Json.parse(json).path("data").path("content").asString())
                .isEqualTo("\u001b[2Jhello");
    }

    @Test
    void aFailureThatNobodyForesawIsSaidAndInTheLog() throws IOException {
        hub.loseRules();
        CliDoor.Printed printed = cli.run(true, "permissions", "rules");
        hub.findRules();
        assertThat(printed.text()).startsWith("[internal] ").contains("tandem doctor");
        assertThat(printed.exit()).isEqualTo(2);
        Path log = hub.stateDir().resolve("logs/hub.log");
        await().untilAsserted(() ->
                assertThat(Files.readString(log))
                        .contains("The command permissions failed", "RuleList"));
    }

    // OPS-150: as many words as a shell hands over
    @Test
    void aLineOfManyWordsIsRead() throws IOException {
        String[] words = "browsers word".repeat(5000).split("(?<=word)|(?<=browsers) ");
        assertThat(words).hasSize(10_000);
        CliDoor.Printed read = cli.run(false, words);
        assertThat(read.text()).startsWith("tandem: Unexpected argument: word\n");
        assertThat(read.exit()).isEqualTo(1);
        CliDoor.Printed more = cli.run(false, "session", "send", "x".repeat(3 * 1024 * 1024));
        assertThat(more.text()).startsWith("tandem: Too many words").contains("standard input: -");
        assertThat(more.exit()).isEqualTo(1);
    }

    @Test
    @DisplayName("DESIGN-7 tandem audit: every call and decision, with filters")
    void theAuditListsCalls() throws IOException {
        cli.run(false, "snapshot");
        String token = hub.clientToken("Reader", "all", Caller.Mode.READ_ONLY);
        new McpCaller(hub, token).result("click", Json.object().put("ref", "r1"));
        String all = cli.run(true, "audit").text();
        assertThat(all).contains("snapshot", "cli", "Reader", "permission_denied");
        JsonNode failed =
                Json.parse(cli.run(false, "audit", "--outcome", "failed", "--json").text());
        assertThat(failed.path("data").size()).isEqualTo(1);
        assertThat(failed.path("data").path(0).path("client").asString()).isEqualTo("Reader");
        assertThat(cli.run(true, "audit", "--tool", "snapshot", "--door", "mcp").text())
                .isEqualTo("Nothing was recorded.\n");
        assertThat(cli.run(true, "audit", "--since", "2030-01-01T00:00:00Z").text())
                .isEqualTo("Nothing was recorded.\n");
    }

    @Test
    @DisplayName("SEC-3 SEC-4 each argument that names a program or a path, on each door")
    void programsAndPathsAreRefusedOnEveryDoor() throws Exception {
        String token = hub.clientToken("Script", "all", Caller.Mode.ACT);
        McpCaller mcp = new McpCaller(hub, hub.hubToken());
        McpCaller client = new McpCaller(hub, token);
        int tried = 0;
        try (OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            for (Tool tool : Catalogue.load().tools()) {
                for (String argument : tool.arguments().userOnly()) {
                    ObjectNode given = Json.object();
                    given.set(
                            argument,
                            PageWordsTest.filled(tool.input().path("properties").path(argument)));
                    String what = tool.name() + " " + argument;
                    assertThat(McpCaller.text(mcp.result(tool.name(), given)))
                            .as(what)
                            .contains("user's own shell");
                    assertThat(McpCaller.text(client.result(tool.name(), given)))
                            .as(what)
                            .contains("user's own shell");
                    for (String each : List.of(hub.hubToken(), token)) {
                        assertThat(command(each, tool, given))
                                .as(what)
                                .contains("not_allowed_here", "\"" + argument + "\"");
                        assertThat(inBatch(each, tool, "--" + argument + "=" + word(given)))
                                .as(what)
                                .contains("user's own shell");
                    }
                    if (tool.command().isPresent()) {
                        ObjectNode answer = ops.call("r" + tried, tool.command().get(), given);
                        JsonNode details = answer.at("/error/details");
                        // what the hub alone takes from the user is no word of this door at all
                        assertThat(details.path("reason").asString(""))
                                .as("%s: %s", what, answer)
                                .isIn("not_allowed_here", "unknown_argument");
                        assertThat(details.path("argument").asString(""))
                                .as(what)
                                .isEqualTo(argument);
                    }
                    tried++;
                }
            }
        }
        assertThat(tried).isGreaterThanOrEqualTo(6);
        assertThat(extension.waiting()).isZero();
        givesScreenshots();
        for (String bad :
                List.of(
                        "/etc/x.png",
                        "../x.png",
                        "a/../../x.png",
                        "../../extension/x.png",
                        hub.stateDir().resolve("profiles/x.png").toString())) {
            ObjectNode given = Json.object().put("path", bad);
            assertThat(McpCaller.text(client.result("screenshot", given)))
                    .as(bad)
                    .contains("[path_denied]");
            Tool screenshot = Catalogue.load().byName("screenshot").orElseThrow();
            assertThat(command(token, screenshot, given)).as(bad).contains("path_denied");
            assertThat(inBatch(token, screenshot, "--path=" + bad)).contains("plain file name");
        }
    }

    private void givesScreenshots() {
        extension.on(
                "page.screenshot",
                request ->
                        extension.answer(
                                request,
                                Json.object()
                                        .put("base64", "AAEC")
                                        .put("mime", "image/png")
                                        .put("width", 3)
                                        .put("height", 1)));
    }

    // SEC-3: who may write into a folder of screenshots could have left a way out of it there
    @Test
    void aLinkAmongTheScreenshotsLeadsNowhere() throws Exception {
        McpCaller client = new McpCaller(hub, hub.trustedToken("Script"));
        givesScreenshots();
        JsonNode first =
                client.result("screenshot", Json.object().put("path", "first.png"))
                        .path("structuredContent");
        Path saved = Path.of(first.path("path").asString());
        assertThat(saved).hasBinaryContent(new byte[] {0, 1, 2});
        Path target = Files.writeString(folder.resolve("target"), "untouched");
        Files.createSymbolicLink(saved.resolveSibling("x.png"), target);
        JsonNode refused = client.result("screenshot", Json.object().put("path", "x.png"));
        assertThat(McpCaller.text(refused)).contains("[path_denied]");
        assertThat(target).hasContent("untouched");
    }

    /** The one value given, as a word of a command line. */
    private static String word(ObjectNode given) {
        JsonNode value = given.iterator().next();
        return (value.isArray() ? value.path(0) : value).asString();
    }

    /** What the one command of a batch is told, which must not have run. */
    private String inBatch(String token, Tool tool, String flag) throws Exception {
        ObjectNode batch = Json.object();
        ObjectNode line = batch.putArray("commands").addObject().put("command", tool.name());
        line.putArray("args").add(flag);
        JsonNode answer = new Door(hub.port(), token).post("/batch", batch).json();
        assertThat(answer.path("succeeded").asInt(-1)).as("%s", answer).isZero();
        return answer.at("/results/0/result/error").asString();
    }

    private String command(String token, Tool tool, ObjectNode params) throws Exception {
        ObjectNode body = Json.object().put("name", tool.name());
        body.set("params", params);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + "/command"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
