package dev.tandem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class HubKillTest {
    private static final String HALF =
            IntStream.range(0, 300).mapToObj(i -> i + " ").collect(Collectors.joining());

    private final Map<String, Map<Long, String>> acknowledged = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    @TempDir Path folder;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName(
            "A hub killed in the middle of streaming turns, ten times: no hole, nothing twice,"
                    + " nothing acknowledged is lost")
    void tenKillsLoseNothing() throws Exception {
        int rounds = Integer.getInteger("tandem.killRounds", 10);
        Random random = new Random(42);
        config();
        for (int round = 0; round < rounds; round++) {
            round(20 + random.nextInt(600));
        }
        round(0);
        assertThat(seen).as("sessions that were looked at after a kill").hasSizeGreaterThan(rounds);
    }

    /** Starts a hub, judges what it found, lets it stream that many pieces, and kills it. */
    private void round(int pieces) throws Exception {
        Process hub = start();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(hub.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (line != null && !line.startsWith("ready ")) {
                if (line.startsWith("stored ")) {
                    judge(Json.parseObject(line.substring(7)));
                }
                line = out.readLine();
            }
            assertThat(line).as("the hub started").isNotNull();
            int streamed = 0;
            while (streamed < pieces && line != null) {
                line = out.readLine();
                streamed += take(line);
            }
            // Through the handle: the pipe stays open, and what was told before the end is read.
            hub.toHandle().destroyForcibly();
            for (line = out.readLine(); line != null; line = out.readLine()) {
                take(line);
            }
        } finally {
            hub.destroyForcibly().waitFor();
        }
    }

    /** Whole lines only: the last one may have been cut by the kill. */
    private int take(String line) {
        if (line != null && line.startsWith("ack ") && line.endsWith("}")) {
            JsonNode ack = Json.parse(line.substring(4));
            acknowledged
                    .computeIfAbsent(ack.path("session").asString(), fresh -> new HashMap<>())
                    .put(ack.path("seq").asLong(), ack.path("id").asString());
        }
        return line != null && line.startsWith("delta ") ? 1 : 0;
    }

    private void judge(ObjectNode stored) {
        String id = stored.path("session").path("id").asString();
        Map<Long, String> log = new HashMap<>();
        long expected = 1;
        StringBuilder turn = new StringBuilder();
        for (JsonNode message : stored.path("messages")) {
            assertThat(message.path("seq").asLong()).as("no hole in " + id).isEqualTo(expected++);
            log.put(message.path("seq").asLong(), message.path("id").asString());
            String kind = message.path("kind").asString();
            JsonNode body = message.path("body");
            if (kind.equals("assistant")) {
                turn.append(body.path("text").asString());
                assertThat(HALF + HALF).as("text of " + id).startsWith(turn.toString());
            } else if (body.path("event").asString("").equals("run_started")) {
                turn.setLength(0);
            }
        }
        assertThat(stored.path("lastSeq").asLong()).isEqualTo(expected - 1);
        assertThat(log)
                .as("acknowledged in " + id)
                .containsAllEntriesOf(acknowledged.getOrDefault(id, Map.of()));
        if (stored.path("session").path("name").asString().equals("stream")) {
            seen.add(id);
            assertThat(stored.path("session").path("phase").asString()).isIn("Stopped", "");
        }
    }

    private Process start() throws Exception {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Duser.home=" + folder.resolve("home"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KillTarget.class.getName(),
                        folder.resolve("state").toString(),
                        folder.toString());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(folder.resolve("stderr.txt").toFile());
        return builder.start();
    }

    private void config() throws Exception {
        Path config = Files.createDirectories(folder.resolve("home/.config/tandem"));
        List<String> argv = ScriptedAgentCommand.argv();
        ObjectNode agent = Json.object().put("id", "scripted").put("command", argv.getFirst());
        ArrayNode args = agent.putArray("args");
        argv.stream().skip(1).forEach(args::add);
        ObjectNode all = Json.object();
        all.putArray("agents").add(agent);
        Files.writeString(config.resolve("config.json"), Json.write(all));
    }
}
