package dev.tandem.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentCatalogueTest {
    private Path directory;
    private Path bin;
    private Path config;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws Exception {
        directory = temporary;
        bin = Files.createDirectory(directory.resolve("bin"));
        config = directory.resolve("config.json");
    }

    private AgentCatalogue catalogue() {
        return new AgentCatalogue(
                config, directory, Map.of("PATH", bin.toString()), List.of("tandem", "agent"));
    }

    /** A program that leaves a trace when somebody runs it. */
    private void stub(String name) throws Exception {
        Path file =
                Files.writeString(
                        bin.resolve(name), "#!/bin/sh\ntouch " + directory.resolve("ran") + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    @DisplayName("ACP-168 known agents are found on PATH by looking, none is run")
    void findsWithoutRunning() throws Exception {
        stub("claude-code-acp");
        stub("gemini");
        Files.writeString(bin.resolve("codex-acp"), "not executable");
        AgentCatalogue catalogue = catalogue();
        AgentListing claude = catalogue.find("claude").orElseThrow();
        assertThat(claude.available()).isTrue();
        assertThat(claude.entry().argv()).containsExactly("claude-code-acp");
        assertThat(claude.path()).isEqualTo(bin.resolve("claude-code-acp").toString());
        assertThat(catalogue.find("gemini").orElseThrow().entry().argv())
                .containsExactly("gemini", "--acp");
        AgentListing codex = catalogue.find("codex").orElseThrow();
        assertThat(codex.available()).isFalse();
        assertThat(codex.reason()).contains("npm install");
        assertThat(catalogue.list().getLast().entry().agentId()).isEqualTo("tandem");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("ACP-L33 one known agent is started without client files")
    void geminiGetsNoFs() {
        assertThat(catalogue().find("gemini").orElseThrow().entry().offers())
                .isEqualTo(new AgentEntry.Offers(false, true, true));
        assertThat(catalogue().find("claude").orElseThrow().entry().offers())
                .isEqualTo(AgentEntry.Offers.all());
    }

    @Test
    @DisplayName("ACP-168 ACP-L5 own entries come first and may replace known ones")
    void ownEntries() throws Exception {
        stub("mine");
        Files.writeString(
                config,
                """
                {"agents":[{"id":"claude","command":"mine","args":["-x"],"env":{"A":"b"},
                  "capabilities":{"terminal":false},"sharedProcess":true}]}
                """);
        AgentListing own = catalogue().list().getFirst();
        assertThat(own.entry())
                .isEqualTo(
                        new AgentEntry(
                                "claude",
                                "claude",
                                List.of("mine", "-x"),
                                Map.of("A", "b"),
                                new AgentEntry.Offers(true, false, true),
                                true));
        assertThat(own.available()).isTrue();
        assertThat(catalogue().list().stream().skip(1))
                .as("no process is shared unless the user says so")
                .noneMatch(one -> one.entry().sharedProcess());
        assertThat(catalogue().list())
                .filteredOn(a -> a.entry().agentId().equals("claude"))
                .hasSize(1);
        Files.writeString(config, "{\"agents\":[{\"id\":\"x\"}]}");
        assertThatThrownBy(() -> catalogue().list()).hasMessageContaining("command");
        Files.writeString(config, "{nonsense");
        assertThatThrownBy(() -> catalogue().list()).hasMessageContaining("config.json");
    }

    @Test
    @DisplayName("ACP-168 an own entry's cwd is where its program starts, and must be absolute")
    void ownFolder() throws Exception {
        Path place = Files.createDirectory(directory.resolve("place"));
        Path session = Files.createDirectory(directory.resolve("session"));
        Path file = Files.writeString(bin.resolve("where"), "#!/bin/sh\npwd -P > here\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                config,
                "{\"agents\":[{\"id\":\"w\",\"command\":\"%s\",\"cwd\":\"%s\"}]}"
                        .formatted(file, place));
        AgentEntry own = catalogue().list().getFirst().entry();
        AgentRuntime runtime = new AgentRuntime(new ProcessTrees(), AgentFixture.QUICK, "0.1.0");
        assertThatThrownBy(() -> Agent.start(own, own.launch("x", session, Map.of()), runtime))
                .hasMessageContaining("ended by itself");
        assertThat(place.resolve("here")).hasContent(place.toRealPath().toString());
        assertThat(session.resolve("here")).doesNotExist();
        for (String bad : List.of("\"place\"", "7", "\"\"")) {
            Files.writeString(
                    config,
                    "{\"agents\":[{\"id\":\"w\",\"command\":\"%s\",\"cwd\":%s}]}"
                            .formatted(file, bad));
            assertThatThrownBy(() -> catalogue().list())
                    .hasMessageContaining("\"cwd\" of agent \"w\"")
                    .hasMessageContaining("whole path");
        }
        Files.writeString(
                config,
                "{\"agents\":[{\"id\":\"w\",\"command\":\"%s\",\"cwd\":\"/not/here\"}]}"
                        .formatted(file));
        AgentEntry gone = catalogue().list().getFirst().entry();
        assertThatThrownBy(() -> Agent.start(gone, gone.launch("x", session, Map.of()), runtime))
                .hasMessageContaining("The directory /not/here does not exist");
    }

    @Test
    @DisplayName("the preferred agent is installed and signed in, else the built-in one")
    void preferred() throws Exception {
        assertThat(catalogue().preferred().agentId()).isEqualTo("tandem");
        stub("codex-acp");
        assertThat(catalogue().find("codex").orElseThrow().login())
                .isEqualTo(AgentListing.Login.SIGNED_OUT);
        assertThat(catalogue().preferred().agentId()).isEqualTo("tandem");
        Files.createDirectory(directory.resolve(".codex"));
        Files.writeString(directory.resolve(".codex/auth.json"), "{}");
        assertThat(catalogue().preferred().agentId()).isEqualTo("codex");
    }

    @Test
    @DisplayName("a test turn shows version, capabilities and the answer, or the reason")
    void testTurn() throws Exception {
        try (AgentFixture fixture = new AgentFixture(directory.toRealPath())) {
            AgentCheck check =
                    new AgentCheck(new AgentRuntime(fixture.trees, AgentFixture.QUICK, "0.1.0"));
            AgentCheck.Report report =
                    check.testTurn(fixture.entry(), fixture.setup(), Duration.ofSeconds(20));
            assertThat(report.problem()).isEmpty();
            assertThat(report.version()).isEqualTo("1.2.3");
            assertThat(report.answer()).isEqualTo("Say hello in one word.");
            assertThat(report.greeting().path("agentCapabilities").path("loadSession").asBoolean())
                    .isTrue();
            assertThat(check.greet(fixture.entry("--exit=5"), fixture.setup()).problem())
                    .contains("exit code 5");
            AgentCheck.Report locked =
                    check.testTurn(
                            fixture.entry("--auth"), fixture.setup(), Duration.ofSeconds(20));
            assertThat(locked.problem()).isEqualTo("Sign in first");
            assertThat(locked.code()).isEqualTo("auth_required");
        }
    }

    @Test
    @DisplayName(
            "ACP-87 (W9) the user's own MCP servers, as other clients write them, in ACP's words")
    void ownServers() throws Exception {
        assertThat(catalogue().mcpServers()).isEmpty();
        stub("files");
        Files.writeString(
                config,
                """
                {"mcpServers":{
                  "files":{"command":"files","args":["--all"],"env":{"A":"b"}},
                  "away":{"command":"not-there"},
                  "notes":{"type":"http","url":"https://notes.example/mcp","headers":{"X":"y"}},
                  "old":{"type":"sse","url":"http://old.example/sse"}}}
                """);
        assertThat(catalogue().mcpServers())
                .isEqualTo(
                        AcpJson.parse(
                                """
                                [{"name":"files","command":"%s","args":["--all"],"env":[{"name":"A","value":"b"}]},
                                 {"name":"away","command":"not-there","args":[],"env":[]},
                                 {"type":"http","name":"notes","url":"https://notes.example/mcp",
                                  "headers":[{"name":"X","value":"y"}]},
                                 {"type":"sse","name":"old","url":"http://old.example/sse","headers":[]}]
                                """
                                        .formatted(bin.resolve("files"))
                                        .getBytes(StandardCharsets.UTF_8)));
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @ParameterizedTest
    @DisplayName("ACP-87 (W9) a server that cannot be meant is named with what it lacks")
    @ValueSource(
            strings = {
                "[]",
                "{\"browser\":{\"command\":\"x\"}}",
                "{\"a\":{}}",
                "{\"a\":\"x\"}",
                "{\"a\":{\"command\":\"x\",\"url\":\"http://x\"}}",
                "{\"a\":{\"type\":\"http\",\"command\":\"x\"}}",
                "{\"a\":{\"type\":\"ftp\",\"url\":\"http://x\"}}",
                "{\"a\":{\"url\":\"file:///x\"}}",
                "{\"a\":{\"command\":\"x\",\"args\":[1]}}",
                "{\"a\":{\"command\":\"x\",\"env\":{\"A\":1}}}"
            })
    void wrongServers(String servers) throws Exception {
        Files.writeString(config, "{\"mcpServers\":" + servers + "}");
        assertThatThrownBy(() -> catalogue().mcpServers())
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("bad_config"))
                .hasMessageContaining(config.toString());
    }
}
