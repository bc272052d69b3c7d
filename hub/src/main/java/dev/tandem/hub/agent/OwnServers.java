package dev.tandem.hub.agent;

import java.nio.file.Path;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The user's own MCP servers: {@code mcpServers} of the settings, written as for other MCP clients,
 * and told to agents in ACP's shape.
 */
record OwnServers(Path configFile, Programs programs) {
    private static final Set<String> ADDRESSED = Set.of("http", "sse");

    ArrayNode of(JsonNode settings) {
        JsonNode given = settings.path("mcpServers");
        if (!given.isMissingNode() && !given.isObject()) {
            throw new AgentException(
                    "bad_config",
                    "\"mcpServers\" in %s must be an object with a name for each server."
                            .formatted(configFile));
        }
        ArrayNode servers = AcpJson.array();
        given.properties().forEach(one -> servers.add(server(one.getKey(), one.getValue())));
        return servers;
    }

    private ObjectNode server(String name, JsonNode given) {
        String command = AcpJson.text(given, "command");
        String url = AcpJson.text(given, "url");
        String type = AcpJson.text(given, "type");
        if (name.isBlank() || name.equals(McpDoor.NAME)) {
            throw bad(name, "needs another name");
        }
        if (!command.isEmpty() && url.isEmpty() && (type.isEmpty() || type.equals("stdio"))) {
            return program(name, command, given);
        }
        String kind = type.isEmpty() ? "http" : type;
        if (command.isEmpty() && url.matches("https?://.+") && ADDRESSED.contains(kind)) {
            ObjectNode server = AcpJson.object().put("type", kind).put("name", name);
            server.put("url", url).set("headers", pairs(name, "headers", given));
            return server;
        }
        throw bad(name, "needs a \"command\", or a \"url\" of type \"http\" or \"sse\"");
    }

    private ObjectNode program(String name, String command, JsonNode given) {
        String place = programs.find(command).map(Path::toString).orElse(command);
        ObjectNode server = AcpJson.object().put("name", name).put("command", place);
        ArrayNode args = server.putArray("args");
        for (JsonNode argument : given.path("args")) {
            if (!argument.isString()) {
                throw bad(name, "has \"args\" that are not all texts");
            }
            args.add(argument);
        }
        server.set("env", pairs(name, "env", given));
        return server;
    }

    private ArrayNode pairs(String name, String field, JsonNode given) {
        ArrayNode pairs = AcpJson.array();
        for (var one : given.path(field).properties()) {
            if (!one.getValue().isString()) {
                throw bad(name, "has \"%s\" that are not all texts".formatted(field));
            }
            pairs.addObject().put("name", one.getKey()).set("value", one.getValue());
        }
        return pairs;
    }

    private AgentException bad(String name, String what) {
        return new AgentException(
                "bad_config", "The MCP server \"%s\" in %s %s.".formatted(name, configFile, what));
    }
}
