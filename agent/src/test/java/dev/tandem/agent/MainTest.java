package dev.tandem.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The agent as its own program, the way editors start it. */
class MainTest {
    @Test
    void speaksAcpOnItsPipesAndEndsWithThem() throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.tandem.agent.Main");
        builder.environment()
                .keySet()
                .removeIf(n -> n.startsWith("ANTHROPIC_") || n.startsWith("OPENAI_"));
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (Writer in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
                BufferedReader out =
                        new BufferedReader(
                                new InputStreamReader(
                                        process.getInputStream(), StandardCharsets.UTF_8))) {
            JsonNode hello = ask(in, out, 1, "initialize", "{\"protocolVersion\":1}").getLast();
            assertThat(Json.text(hello.path("result").path("agentInfo"), "title"))
                    .isEqualTo("Tandem guide");
            JsonNode session =
                    ask(in, out, 2, "session/new", "{\"cwd\":\"/\",\"mcpServers\":[]}").getLast();
            String id = Json.text(session.path("result"), "sessionId");
            List<JsonNode> turn =
                    ask(
                            in,
                            out,
                            3,
                            "session/prompt",
                            "{\"sessionId\":\""
                                    + id
                                    + "\",\"prompt\":[{\"type\":\"text\",\"text\":\"hello\"}]}");
            assertThat(Json.text(turn.getLast().path("result"), "stopReason"))
                    .isEqualTo("end_turn");
            assertThat(turn.toString()).contains("I am the guide");
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static List<JsonNode> ask(
            Writer in, BufferedReader out, int id, String method, String params) throws Exception {
        in.write(
                "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n"
                        .formatted(id, method, params));
        in.flush();
        List<JsonNode> messages = new ArrayList<>();
        do {
            messages.add(Json.parse(String.valueOf(out.readLine())));
        } while (!messages.getLast().has("id"));
        return messages;
    }
}
