package dev.tandem.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentGuideTest {
    private static String sample(String language) throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "AGENTS.md"));
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide);
        assertThat(block.find()).as("a sample in " + language).isTrue();
        return block.group(1);
    }

    @Test
    @DisplayName("ACP-L26 the entry and the agent of the guide work as they are printed")
    void theGuidesAgentRuns(@TempDir Path given) throws Exception {
        Path directory = given.toRealPath();
        Files.writeString(directory.resolve("echo-agent.mjs"), sample("js"));
        Path config = Files.writeString(directory.resolve("config.json"), sample("json"));
        AgentCatalogue catalogue =
                new AgentCatalogue(config, directory, System.getenv(), List.of("tandem", "agent"));
        AgentListing echo = catalogue.find("echo").orElseThrow();
        assertThat(echo.entry().name()).isEqualTo("Echo");
        assertThat(echo.available()).as(echo.reason()).isTrue();
        try (AgentFixture fixture = new AgentFixture(directory)) {
            Agent agent = fixture.start(echo.entry(), AgentFixture.QUICK);
            RecordingHost host = new RecordingHost();
            AgentSession session = agent.newSession(fixture.setup(), host);
            TurnEnd end = AgentFixture.play(session, "Hello, agent.");
            assertThat(end.stopReason()).isEqualTo("end_turn");
            assertThat(host.text()).isEqualTo("You said: Hello, agent.");
            assertThat(Map.of("version", agent.greeting().at("/agentInfo/version").asString()))
                    .containsEntry("version", "1.0.0");
        }
    }
}
