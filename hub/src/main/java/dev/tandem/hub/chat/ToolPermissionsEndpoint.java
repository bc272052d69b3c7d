package dev.tandem.hub.chat;

import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.permission.Rule;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/chat/tool-permissions}: the user's rules, as browsers keep them in step. */
final class ToolPermissionsEndpoint {
    private final PermissionRules rules;
    private final ChatStreams streams;

    ToolPermissionsEndpoint(PermissionRules rules, ChatStreams streams, WebServer web) {
        this.rules = rules;
        this.streams = streams;
        web.http("chat-tool-permissions", this::handle);
    }

    private void handle(Exchange exchange) throws IOException {
        switch (exchange.method()) {
            case "PUT" -> put(exchange);
            case "DELETE" -> remove(exchange);
            default -> list(exchange);
        }
    }

    private void list(Exchange exchange) {
        String project = exchange.query("workspace_id").orElse("");
        ObjectNode reply = Json.object();
        ArrayNode items = reply.putArray("items");
        rules.list(project).forEach(rule -> items.add(item(rule)));
        if (exchange.query("include").filter("deleted"::equals).isPresent()) {
            long since = exchange.query("since").map(ToolPermissionsEndpoint::time).orElse(0L);
            for (Rule rule : rules.removedSince(project, since)) {
                ObjectNode tombstone = item(rule);
                items.add(tombstone.put("deletedAt", tombstone.get("updatedAt").asString()));
            }
        }
        exchange.respond(200, reply);
    }

    private void put(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        String policy = ChatEndpoint.required(asked, "policy");
        if (!policy.equals("allow") && !policy.equals("deny")) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "policy is allow or deny");
        }
        Rule stored =
                rules.put(
                        new PermissionRules.Wish(
                                project(exchange, asked),
                                ChatEndpoint.required(asked, "toolName"),
                                ChatEndpoint.required(asked, "origin"),
                                Json.text(asked, "client").orElse("*"),
                                policy.equals("allow"),
                                Json.text(asked, "updatedAt")
                                        .map(ToolPermissionsEndpoint::time)
                                        .orElse(0L),
                                Json.text(asked, "expiresAt")
                                        .map(ToolPermissionsEndpoint::time)
                                        .orElse(0L)));
        tell("upsert", item(stored));
        ObjectNode reply = Json.object().put("ok", true);
        exchange.respond(200, reply.set("item", item(stored)));
    }

    private void remove(Exchange exchange) throws IOException {
        byte[] body = exchange.body();
        JsonNode asked =
                body.length == 0
                        ? Json.object()
                        : Json.parse(new String(body, java.nio.charset.StandardCharsets.UTF_8));
        String tool = either(exchange, asked, "toolName");
        String origin = either(exchange, asked, "origin");
        String client = Json.text(asked, "client").or(() -> exchange.query("client")).orElse("*");
        rules.remove(project(exchange, asked), tool, origin, client);
        tell("delete", Json.object().put("toolName", tool).put("origin", origin));
        exchange.respond(200, Json.object().put("ok", true));
    }

    private void tell(String action, ObjectNode item) {
        ObjectNode news = Json.object();
        news.putObject("data").put("action", action).set("item", item);
        streams.tell("tool_permission_update", news);
    }

    private static String either(Exchange exchange, JsonNode asked, String name) {
        return Json.text(asked, name)
                .or(() -> exchange.query(name))
                .filter(text -> !text.isEmpty())
                .orElseThrow(
                        () -> new TandemException(ErrorCode.BAD_REQUEST, name + " is required"));
    }

    private static String project(Exchange exchange, JsonNode asked) {
        return Json.text(asked, "workspace_id").or(() -> exchange.query("workspace_id")).orElse("");
    }

    private static ObjectNode item(Rule rule) {
        ObjectNode item = Json.object().put("id", rule.id()).put("toolName", rule.tool());
        item.put("origin", rule.origin()).put("policy", rule.allow() ? "allow" : "deny");
        item.put("client", rule.client());
        item.put("updatedAt", Instant.ofEpochMilli(rule.updatedAt()).toString());
        return rule.expiresAt() > 0
                ? item.put("expiresAt", Instant.ofEpochMilli(rule.expiresAt()).toString())
                : item;
    }

    private static long time(String text) {
        try {
            return Instant.parse(text).toEpochMilli();
        } catch (DateTimeException e) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "A time is written as ISO 8601.");
        }
    }
}
