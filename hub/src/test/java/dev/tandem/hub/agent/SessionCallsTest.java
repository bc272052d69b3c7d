package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static dev.tandem.hub.agent.AgentFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Sessions from their opening to their end, and what can be set in them. */
class SessionCallsTest {
    private AgentFixture fixture;
    private Path directory;
    private final RecordingHost host = new RecordingHost();

    @BeforeEach
    void prepare(@TempDir Path temporary) throws Exception {
        directory = temporary.toRealPath();
        fixture = new AgentFixture(directory);
    }

    @AfterEach
    void endAll() {
        fixture.close();
    }

    @Test
    @DisplayName("ACP-87 ACP-L9 session/new: absolute cwd, our MCP door with its token, more roots")
    void newSession() {
        Path other = directory.resolve("other");
        assertThat(other.toFile().mkdir()).isTrue();
        fixture.start().newSession(fixture.setup(List.of(other)), host);
        var params = fixture.sent("session/new").getFirst().path("params");
        assertThat(params.path("cwd").asString()).isEqualTo(directory.toString());
        assertThat(params.path("additionalDirectories").path(0).asString())
                .isEqualTo(other.toString());
        assertThat(params.path("mcpServers").toString())
                .isEqualTo(
                        "[{\"type\":\"http\",\"name\":\"browser\",\"url\":\"http://127.0.0.1:1/mcp/s\","
                                + "\"headers\":[{\"name\":\"Authorization\",\"value\":\"Bearer secret-token\"}]}]");
        assertThatThrownBy(() ->
                        new SessionSetup(
                                Path.of("relative"),
                                List.of(),
                                fixture.setup().door(),
                                AcpJson.array(),
                                fixture.setup().fence()))
                .isInstanceOf(AgentException.class);
        assertThat(fixture.setup().door().toString()).doesNotContain("secret-token");
    }

    @Test
    @DisplayName("ACP-87 (W9) of the user's own MCP servers an agent gets those it can reach")
    void ownServers() throws Exception {
        var own = AcpJson.array();
        own.addObject().put("name", "files").put("command", "files").putArray("args");
        ((ObjectNode) own.get(0)).putArray("env");
        for (String type : List.of("http", "sse")) {
            own.addObject()
                    .put("type", type)
                    .put("name", type)
                    .put("url", "http://127.0.0.1:9/" + type)
                    .putArray("headers");
        }
        SessionSetup usual = fixture.setup();
        SessionSetup setup =
                new SessionSetup(
                        usual.cwd(),
                        usual.additionalDirectories(),
                        usual.door(),
                        own,
                        usual.fence());
        fixture.start().newSession(setup, host);
        fixture.start("--caps={\"mcpCapabilities\":{\"sse\":true}}").newSession(setup, host);
        fixture.start("--caps={}").newSession(setup, host);
        assertThat(fixture.sent("session/new"))
                .extracting(sent ->
                        sent.at("/params/mcpServers")
                                .valueStream()
                                .map(server -> server.path("name").asString())
                                .toList())
                .containsExactly(
                        List.of("browser", "files", "http", "sse"),
                        List.of("browser", "files", "sse"),
                        List.of("browser", "files"));
    }

    @Test
    @DisplayName("ACP-110 ACP-L32 what is said before the session is known is not lost")
    void earlyUpdates() {
        AgentSession session = fixture.start("--early").newSession(fixture.setup(), host);
        assertThat(host.updates("available_commands_update")).hasSize(1);
        assertThat(session.state().path("commands").path(0).path("name").asString())
                .isEqualTo("early");
    }

    @Test
    @DisplayName(
            "ACP-88 ACP-L36 load repeats 500 updates before it returns; a failed load is clean")
    void load() throws Exception {
        Agent agent = fixture.start("--replay=500");
        AgentSession session = agent.load("s-old", fixture.setup(), host, AcpJson.object());
        assertThat(host.updates()).hasSize(500);
        assertThat(host.updates("user_message_chunk")).hasSize(250);
        assertThat(play(session, "say on").stopReason()).isEqualTo("end_turn");
        assertThatThrownBy(() -> agent.load("unknown", fixture.setup(), host, AcpJson.object()))
                .hasMessageContaining("Invalid session identifier");
    }

    @Test
    @DisplayName("ACP-89 resume repeats nothing and keeps the options that were known")
    void resume() throws Exception {
        Agent agent = fixture.start();
        var known = agent.newSession(fixture.setup(), new RecordingHost()).options();
        AgentSession session = agent.resume("s-old", fixture.setup(), host, known);
        assertThat(host.updates()).isEmpty();
        assertThat(session.models().orElseThrow().currentId()).isEqualTo("small");
        play(session, "say on");
        assertThat(host.text()).isEqualTo("on");
    }

    @Test
    @DisplayName("ACP-90 ACP-91 ACP-86 list has three pages; close, delete and logout are sent")
    void listCloseDelete() {
        Agent agent = fixture.start();
        List<String> ids = new ArrayList<>();
        String cursor = "";
        do {
            Agent.SessionPage page = agent.list(directory.toString(), cursor);
            page.sessions().forEach(s -> ids.add(s.path("sessionId").asString()));
            cursor = page.nextCursor();
        } while (!cursor.isEmpty());
        assertThat(ids).containsExactly("old0", "old1", "old2");
        agent.newSession(fixture.setup(), host).close();
        assertThat(fixture.sent("session/close")).hasSize(1);
        assertThat(fixture.sent("session/delete")).isEmpty();
        agent.delete("old1");
        agent.logout();
        assertThat(fixture.sent("session/delete")).hasSize(1);
        assertThat(fixture.sent("logout")).hasSize(1);
    }

    @Test
    @DisplayName("ACP-55 ACP-58 ACP-60 ACP-107 ACP-108 models as a config option")
    void modelsAsOption() {
        AgentSession session = fixture.start("--options=all").newSession(fixture.setup(), host);
        ModelState models = session.models().orElseThrow();
        assertThat(models.source()).isEqualTo("config_option");
        assertThat(models.models())
                .extracting(ModelState.Model::id, ModelState.Model::provider)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("small", "Acme"),
                        org.assertj.core.groups.Tuple.tuple("large", "Acme"),
                        org.assertj.core.groups.Tuple.tuple("broken", "Zeta"));
        assertThat(session.setModel("large").currentId()).isEqualTo("large");
        assertThat(session.options().path("configOptions").path(2).path("currentValue").asString())
                .isEqualTo("high");
        assertThatThrownBy(() -> session.setModel("broken")).hasMessageContaining("broken");
        assertThat(session.models().orElseThrow().currentId()).isEqualTo("large");
        assertThat(session.setOption("fast", true).path(1).path("currentValue").asBoolean())
                .isTrue();
        assertThat(fixture.sent("session/set_model")).isEmpty();
    }

    @Test
    @DisplayName("ACP-58 ACP-60 ACP-109 models and modes in the older spelling")
    void modelsOfTheirOwn() throws Exception {
        AgentSession session = fixture.start("--options=models").newSession(fixture.setup(), host);
        assertThat(session.models().orElseThrow().models()).hasSize(3);
        assertThat(session.setModel("large").currentId()).isEqualTo("large");
        assertThatThrownBy(() -> session.setModel("broken")).hasMessageContaining("broken");
        assertThat(session.models().orElseThrow().currentId()).isEqualTo("large");
        session.setMode("code");
        assertThat(session.options().path("modes").path("currentModeId").asString())
                .isEqualTo("code");
        play(
                session,
                "update {\"sessionUpdate\":\"current_mode_update\",\"currentModeId\":\"ask\"}");
        assertThat(session.options().path("modes").path("currentModeId").asString())
                .isEqualTo("ask");
        AgentSession none = fixture.start("--options=none").newSession(fixture.setup(), host);
        assertThatThrownBy(() -> none.setModel("large"))
                .hasMessage("Model selection not supported by this agent");
    }

    @Test
    @DisplayName("ACP-85 a JSON-RPC error of a prompt is kept whole; a second prompt is busy")
    void promptErrors() {
        AgentSession session = fixture.start().newSession(fixture.setup(), host);
        assertThatThrownBy(() -> play(session, "fail -32000 please sign in"))
                .cause()
                .isInstanceOfSatisfying(
                        AgentException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo("auth_required");
                            assertThat(e.details().path("rpc").path("code").asInt())
                                    .isEqualTo(-32000);
                        });
        CompletableFuture<TurnEnd> running = session.prompt(text("wait"));
        assertThatThrownBy(() -> session.prompt(text("me too")))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("busy"));
        session.cancel();
        assertThat(running.join().stopReason()).isEqualTo("cancelled");
    }

    @Test
    @DisplayName("an agent that fails inside is quoted with its details and its last error output")
    void failureInside() {
        Agent agent = fixture.start("--broken=not-as-root");
        assertThatThrownBy(() -> agent.newSession(fixture.setup(), host))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("agent_error"))
                .hasMessageStartingWith("Internal error: It closed. Its last error output:")
                .hasMessageContaining("not-as-root");
    }

    @Test
    @DisplayName("a flooding agent is held back, nothing is lost, another session goes on")
    void floodIsHeldBack() throws Exception {
        Agent agent = fixture.start();
        host.keepUpdates = false;
        AgentSession flooding = agent.newSession(fixture.setup(), host);
        CompletableFuture<TurnEnd> turn = flooding.prompt(text("flood 60000\nsay end"));
        RecordingHost calm = new RecordingHost();
        play(agent.newSession(fixture.setup(), calm), "say calm");
        assertThat(calm.text()).isEqualTo("calm");
        turn.join();
        await().until(() -> host.text().endsWith("59999 end"));
    }
}
