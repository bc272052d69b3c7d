package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** What a program in ask mode wants waits for a person, whichever real door it takes. */
class AskedAtEveryDoorTest {
    @TempDir Path folder;

    private TestHub hub;
    private PermissionDesk desk;
    private FakeExtension extension;
    private int programs;

    enum Way {
        MCP,
        OPS,
        COMMAND,
        WORDS,
        BATCH
    }

    @BeforeEach
    void start() throws Exception {
        hub = new TestHub(folder);
        desk = Inside.desk(hub.app());
        extension = hub.extension("browser-one", "One");
        extension.on(
                "targets.list",
                request -> {
                    ObjectNode open = Json.object();
                    var targets = open.putArray("targets");
                    for (int tab = 101; tab < 110; tab++) {
                        targets.addObject()
                                .put("targetId", "tab-" + tab)
                                .put("tabId", tab)
                                .put("url", "https://bank.test/");
                    }
                    extension.answer(request, open.put("activeTargetId", "tab-101"));
                });
        extension.on(
                "browser.tabs",
                request -> {
                    ObjectNode open = Json.object().put("action", "tabs");
                    open.putArray("tabs")
                            .addObject()
                            .put("id", 101)
                            .put("url", "https://bank.test/");
                    extension.answer(request, open);
                });
    }

    @AfterEach
    void stop() throws Exception {
        extension.close();
        hub.close();
    }

    private static ObjectNode arguments(Tool tool) {
        return switch (tool.name()) {
            case "snapshot" -> Json.object();
            case "click" -> Json.object().put("ref", "r1");
            default -> Json.object().put("tabId", 101).put("script", "1");
        };
    }

    private ObjectNode words(Tool tool) {
        ObjectNode words = Json.object().put("command", tool.cli());
        var list = words.putArray("args");
        arguments(tool).forEach(value -> list.add(value.asString()));
        return words;
    }

    /** Asks by a program of its own, since one that is refused often is told to pause. */
    private CompletableFuture<String> ask(Way way, Tool tool) {
        String token = hub.clientToken("Program " + programs++, "all", Caller.Mode.ASK);
        return CompletableFuture.supplyAsync(() -> {
            try {
                return answer(way, tool, token);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private String answer(Way way, Tool tool, String token) throws Exception {
        Door door = new Door(hub.port(), token);
        return switch (way) {
            case MCP -> Json.write(new McpCaller(hub, token).result(tool.name(), arguments(tool)));
            case COMMAND ->
                    door.post(
                                    "/command",
                                    Json.object()
                                            .put("name", tool.name())
                                            .set("params", arguments(tool)))
                            .body();
            case WORDS -> door.post("/command", words(tool)).body();
            case BATCH -> {
                ObjectNode batch = Json.object();
                batch.putArray("commands").add(words(tool));
                yield door.post("/batch", batch).body();
            }
            case OPS -> {
                try (OpsSocket ops =
                        OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
                    ObjectNode session =
                            (ObjectNode)
                                    ops.call("s", "session.launch", Json.object()).get("payload");
                    yield Json.write(
                            ops.call("r", tool.command().orElseThrow(), session, arguments(tool)));
                }
            }
        };
    }

    private void awaitCard(Tool tool) {
        await(tool.name()).atMost(Duration.ofSeconds(10)).until(() -> !desk.open().isEmpty());
    }

    private void answerCard(String choice) {
        desk.answer(desk.open().getFirst().requestId(), choice, Caller.USER);
    }

    private long sent(Tool tool) {
        long sent = 0;
        while (extension.waiting() > 0) {
            String command = extension.request().path("command").asString("");
            sent += command.equals(tool.command().orElseThrow()) ? 1 : 0;
        }
        return sent;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("SEC-6 one card, and nothing of it in the browser before or after a no")
    void aProgramInAskModeIsAskedAbout(Way way) throws Exception {
        for (String name : List.of("snapshot", "click", "browser_execute")) {
            Tool tool = Catalogue.load().byName(name).orElseThrow();
            String command = tool.command().orElseThrow();
            extension.on(command, request -> extension.answer(request, Json.object()));
            var refused = ask(way, tool);
            awaitCard(tool);
            assertThat(desk.open()).as(name).hasSize(1);
            assertThat(sent(tool)).as("%s before the answer", name).isZero();
            answerCard("reject_once");
            assertThat(refused.get(20, TimeUnit.SECONDS)).as(name).contains("permission_denied");
            assertThat(sent(tool)).as("%s after a no", name).isZero();
            assertThat(desk.open()).as(name).isEmpty();

            var allowed = ask(way, tool);
            awaitCard(tool);
            answerCard("allow_once");
            allowed.get(20, TimeUnit.SECONDS);
            assertThat(sent(tool)).as("%s after a yes", name).isEqualTo(1);
        }
    }
}
