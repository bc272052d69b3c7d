package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.App;
import dev.tandem.hub.Inside;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A real hub, a real agent program, and a browser played by the test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionGateTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private String usersHome;
    private TestHub hub;
    private FakeExtension extension;
    private SessionEngine engine;
    private PermissionDesk desk;
    private App app;
    private String id;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        usersHome = System.getProperty("user.home");
        System.setProperty("user.home", folder.resolve("home").toString());
        configure(folder.resolve("home/.config/tandem"));
        hub = new TestHub(folder);
        app = hub.app();
        engine = Inside.engine(app);
        desk = Inside.desk(app);
        extension = hub.extension("b-1", "Test");
        extension.on(
                "targets.list",
                request -> {
                    ObjectNode payload = Json.object().put("activeTargetId", "tab-101");
                    ArrayNode targets = payload.putArray("targets");
                    for (int tab = 101; tab < 110; tab++) {
                        targets.addObject()
                                .put("targetId", "tab-" + tab)
                                .put("type", "page")
                                .put("title", "Shop")
                                .put("url", "https://shop.example/list")
                                .put("tabId", tab);
                    }
                    extension.answer(request, payload);
                });
        extension.on(
                "interact.click",
                request -> extension.answer(request, Json.object().put("timingMs", 1)));
    }

    @BeforeEach
    void startSession() {
        ObjectNode fields = Json.object().put("name", "Gate");
        fields.put("annotations", "{\"tandem/agent\":\"scripted\",\"tandem/profile\":\"all\"}");
        id = engine.create("default", fields).id();
        engine.start(id);
        commands();
    }

    @AfterEach
    void deleteSession() {
        engine.delete(id);
    }

    @AfterAll
    void close() throws Exception {
        extension.close();
        hub.close();
        System.setProperty("user.home", usersHome);
    }

    private static void configure(Path folder) throws Exception {
        Files.createDirectories(folder);
        List<String> argv = ScriptedAgentCommand.argv();
        ObjectNode agent = Json.object().put("id", "scripted").put("command", argv.getFirst());
        ArrayNode args = agent.putArray("args");
        argv.stream().skip(1).forEach(args::add);
        ObjectNode config = Json.object();
        config.putArray("agents").add(agent);
        Files.writeString(folder.resolve("config.json"), Json.write(config));
    }

    private Card card(long sent) {
        await().atMost(PATIENCE)
                .until(() -> !desk.open(id).isEmpty() || said(sent).contains("mcp "));
        assertThat(desk.open(id)).as(said(sent)).hasSize(1);
        return desk.open(id).getFirst();
    }

    private String said(long after) {
        StringBuilder said = new StringBuilder();
        Inside.log(app).after(id, after, 1000).stream()
                .filter(entry -> entry.kind() == Entry.Kind.ASSISTANT)
                .forEach(entry -> said.append(entry.text("text").orElse("")));
        return said.toString();
    }

    private long send(String script) {
        return engine.send(id, Prompt.of(script)).entry().seq();
    }

    private void awaitSaid(long after, String words) {
        await().atMost(PATIENCE).until(() -> said(after).contains(words));
        await().atMost(PATIENCE).until(() -> !engine.turnRuns(id));
    }

    private List<String> commands() {
        java.util.ArrayList<String> commands = new java.util.ArrayList<>();
        while (extension.waiting() > 0) {
            commands.add(extension.request().path("command").asString());
        }
        return commands;
    }

    @Test
    @DisplayName("ACP-L39 SEC-5 no agent acts unasked: the card names tool and site; then it runs")
    void anAgentAsksBeforeItReads() {
        long sent = send("mcp tools/call {\"name\":\"snapshot\",\"arguments\":{}}");
        Card card = card(sent);
        assertThat(card.ask().what().tool()).isEqualTo("snapshot");
        assertThat(card.ask().where().origin()).isEqualTo("https://shop.example");
        assertThat(commands()).doesNotContain("nav.snapshot");
        desk.answer(card.requestId(), "allow_site", Caller.USER);
        awaitSaid(sent, "mcp ");
        assertThat(said(sent)).contains("Go").doesNotContain("isError\":true");
        assertThat(commands()).contains("nav.snapshot");

        long again = send("mcp tools/call {\"name\":\"snapshot\",\"arguments\":{}}");
        awaitSaid(again, "mcp ");
        assertThat(desk.open(id)).isEmpty();

        long refused =
                send(
                        "mcp tools/call {\"name\":\"goto\",\"arguments\":{\"url\":\"https://other.example/\"}}");
        Card other = card(refused);
        assertThat(other.ask().where().origin()).isEqualTo("https://other.example");
        desk.answer(other.requestId(), "reject_once", Caller.USER);
        awaitSaid(refused, "mcp ");
        assertThat(said(refused)).contains("isError\":true");
        assertThat(commands()).doesNotContain("nav.goto");
    }

    @Test
    @DisplayName("SEC-8 ACP-C12 a yes to the agent's own request covers exactly that call")
    void anAgentsOwnRequestGrantsOneCall() {
        String call = "mcp tools/call {\"name\":\"click\",\"arguments\":{\"ref\":\"%s\"}}";
        String warmUp = "mcp tools/call {\"name\":\"targets_list\",\"arguments\":{}}";
        long first = send(warmUp);
        awaitSaid(first, "mcp ");
        long sent =
                send(
                        "ask allow_once,reject_once {\"toolCallId\":\"c\",\"name\":"
                                + "\"mcp__browser__click\",\"title\":\"Look around\","
                                + "\"rawInput\":{\"ref\":\"r1\"}}\n"
                                + call.formatted("r1"));
        Card card = card(sent);
        assertThat(card.ask().what().tool()).isEqualTo("click");
        assertThat(card.ask().where().origin()).isEqualTo("https://shop.example");
        desk.answer(card.requestId(), "choice-1", Caller.USER);
        awaitSaid(sent, "mcp ");
        assertThat(commands()).contains("interact.click");
        long other = send(call.formatted("r2"));
        desk.answer(card(other).requestId(), "reject_once", Caller.USER);
        awaitSaid(other, "mcp ");
        assertThat(commands()).doesNotContain("interact.click");
    }

    @Test
    @DisplayName("SEC-28 a chat client's own tool is listed beside the others and resumes the turn")
    void localToolsResumeTheTurn() {
        ObjectNode parameters = Json.object().put("type", "object");
        engine.localTools()
                .declare(
                        id,
                        "overlay",
                        List.of(new LocalTools.Definition("pick", "Pick", parameters)));
        long listed = send("mcp tools/list");
        awaitSaid(listed, "mcp ");
        assertThat(said(listed)).contains("\"pick\"").contains("\"snapshot\"");
        long sent = send("mcp tools/call {\"name\":\"pick\",\"arguments\":{\"n\":1}}");
        desk.answer(card(sent).requestId(), "allow_once", Caller.USER);
        LocalTools.Call call =
                await().atMost(PATIENCE)
                        .until(() -> engine.localTools().waiting(id), calls -> !calls.isEmpty())
                        .getFirst();
        LocalTools.Lease lease = engine.localTools().claim(id, call.toolCallId(), "overlay");
        engine.localTools()
                .result(
                        id,
                        call.toolCallId(),
                        Json.object().put("picked", "the red one"),
                        Optional.of(lease.leaseId()));
        awaitSaid(sent, "the red one");
    }
}
