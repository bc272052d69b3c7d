package dev.tandem.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Holds the official ACP v1 schema against what the hub wrote to an agent. */
final class AcpJudge {
    /** In wide use by agents, though it left the schema. */
    private static final Set<String> OUTSIDE_THE_SCHEMA = Set.of("session/set_model");

    private static final ObjectNode SCHEMA = load();
    private static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private AcpJudge() {}

    static List<JsonNode> received(Path wire) {
        return lines(wire, '>');
    }

    private static List<JsonNode> lines(Path wire, char direction) {
        if (!Files.exists(wire)) {
            return List.of();
        }
        try {
            List<JsonNode> found = new ArrayList<>();
            for (String line : Files.readAllLines(wire)) {
                if (line.charAt(0) == direction) {
                    found.add(AcpJson.parse(line.substring(2).getBytes(StandardCharsets.UTF_8)));
                }
            }
            return found;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static void check(Path wire) {
        Map<String, String> asked = new HashMap<>();
        lines(wire, '<')
                .forEach(m -> asked.put(m.path("id").asString(""), m.path("method").asString("")));
        for (JsonNode message : received(wire)) {
            assertThat(AcpJson.text(message, "jsonrpc")).isEqualTo("2.0");
            if (message.has("method")) {
                String method = AcpJson.text(message, "method");
                if (!OUTSIDE_THE_SCHEMA.contains(method)) {
                    String kind = message.has("id") ? "Request" : "Notification";
                    conforms(method, kind, message.get("params"));
                }
            } else if (message.has("error")) {
                conforms("Error", message.get("error"));
            } else {
                String method = asked.getOrDefault(message.path("id").asString(""), "");
                assertThat(method).as("an answer to a question: %s", message).isNotEmpty();
                conforms(method, "Response", message.get("result"));
            }
        }
    }

    private static void conforms(String method, String kind, JsonNode value) {
        for (Map.Entry<String, JsonNode> def : SCHEMA.get("$defs").properties()) {
            if (AcpJson.text(def.getValue(), "x-method").equals(method)
                    && def.getKey().endsWith(kind)) {
                conforms(def.getKey(), value);
                return;
            }
        }
        throw new AssertionError("the schema knows no " + kind + " for " + method);
    }

    private static void conforms(String definition, JsonNode value) {
        Schema schema =
                COMPILED.computeIfAbsent(
                        definition,
                        name -> {
                            ObjectNode one = AcpJson.object();
                            one.set("$defs", SCHEMA.get("$defs"));
                            return REGISTRY.getSchema(one.put("$ref", "#/$defs/" + name));
                        });
        assertThat(schema.validate(value)).as("%s: %s", definition, value).isEmpty();
    }

    /** From the npm package that the checks install; fetched once where they did not run yet. */
    private static ObjectNode load() {
        Path root = Path.of(System.getProperty("tandem.root", ".."));
        Path inside = Path.of("package", "schema", "v1", "schema.json");
        Path installed =
                root.resolve("node_modules/@agentclientprotocol/sdk/schema/v1/schema.json");
        Path fetched = root.resolve("hub/target/acp-schema").resolve(inside);
        try {
            if (!Files.exists(installed) && !Files.exists(fetched)) {
                fetch(root, root.resolve("hub/target/acp-schema"));
            }
            Path file = Files.exists(installed) ? installed : fetched;
            return (ObjectNode) AcpJson.parse(Files.readAllBytes(file));
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException("run npm ci first", failed);
        }
    }

    private static void fetch(Path root, Path into) throws IOException, InterruptedException {
        String version =
                AcpJson.text(
                        AcpJson.parse(Files.readAllBytes(root.resolve("package.json")))
                                .path("devDependencies"),
                        "@agentclientprotocol/sdk");
        Files.createDirectories(into);
        run(into, "npm", "pack", "--silent", "@agentclientprotocol/sdk@" + version);
        run(into, "tar", "xzf", "agentclientprotocol-sdk-" + version + ".tgz");
    }

    private static void run(Path where, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(where.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(where.resolve("fetch.log").toFile())
                        .start();
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + " failed, see " + where.resolve("fetch.log"));
        }
    }
}
