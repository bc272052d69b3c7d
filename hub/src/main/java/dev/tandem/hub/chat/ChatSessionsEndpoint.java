package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/chat/sessions} and what a turn did in detail. */
final class ChatSessionsEndpoint {
    private final ChatEndpoint.Parts parts;
    private final Jobs jobs;
    private final ChatStreams streams;
    private final Transcripts transcripts;

    ChatSessionsEndpoint(ChatEndpoint.Parts parts, Jobs jobs, ChatStreams streams, WebServer web) {
        this.parts = parts;
        this.jobs = jobs;
        this.streams = streams;
        this.transcripts = new Transcripts(parts.log());
        web.http("chat-sessions", this::all)
                .http("chat-session", this::delete)
                .http("chat-session-messages", this::messages)
                .http("chat-session-bootstrap", this::bootstrap)
                .http("chat-session-history", this::history)
                .http("chat-runtime-details", this::details);
    }

    private void all(Exchange exchange) throws IOException {
        if (exchange.method().equals("POST")) {
            JsonNode asked = exchange.json();
            ObjectNode fields = Json.object();
            fields.put("name", Json.text(asked, "sessionTitle").orElse("New session"));
            for (String name : List.of("primaryContextType", "primaryContextId")) {
                Json.text(asked, name).ifPresent(value -> fields.put(name, value));
            }
            String project = Json.text(asked, "workspace_id").orElse("default");
            Session made = parts.engine().create(project, fields);
            exchange.respond(200, Json.object().put("sessionId", made.id()));
            return;
        }
        ObjectNode reply = Json.object();
        ArrayNode rows = reply.putArray("sessions");
        String project = exchange.query("workspace_id").orElse("");
        parts.store().sessions().stream()
                .filter(one -> project.isEmpty() || one.projectId().equals(project))
                .forEach(one -> rows.add(row(one)));
        exchange.respond(200, reply);
    }

    private static ObjectNode row(Session session) {
        ObjectNode row = Json.object().put("id", session.id()).put("title", session.name());
        for (String name : List.of("primaryContextType", "primaryContextId")) {
            session.field(name).ifPresent(value -> row.put(name, value));
        }
        row.put("workspaceId", session.projectId()).put("phase", session.phase().word());
        row.put("createdAt", Instant.ofEpochMilli(session.createdAt()).toString());
        return row.put("updatedAt", Instant.ofEpochMilli(session.updatedAt()).toString());
    }

    private void delete(Exchange exchange) {
        parts.engine().delete(session(exchange).id());
        exchange.respond(200, Json.object().put("ok", true));
    }

    private void messages(Exchange exchange) {
        exchange.respond(200, withMessages(session(exchange).id()));
    }

    private ObjectNode withMessages(String id) {
        ObjectNode reply = Json.object().put("sessionId", id);
        ArrayNode all = reply.putArray("messages");
        transcripts.of(id).forEach(all::add);
        reply.putNull("todoRuntime");
        return reply;
    }

    private void bootstrap(Exchange exchange) {
        ObjectNode reply = withMessages(session(exchange).id());
        reply.putArray("checkpoints");
        reply.putArray("documents");
        ObjectNode details = reply.putObject("assistantDetailsByMessageId");
        for (JsonNode message : reply.get("messages")) {
            if (message.path("role").asString("").equals("assistant")) {
                String id = message.get("id").asString();
                details.set(id, events(id));
            }
        }
        exchange.respond(200, reply);
    }

    private void history(Exchange exchange) {
        Session session =
                parts.store()
                        .session(exchange.parameter("id"))
                        .orElseThrow(() ->
                                new TandemException(ErrorCode.NOT_FOUND, "Session not found"));
        StringBuilder lines = new StringBuilder();
        ObjectNode meta = Json.object().put("type", "session_meta");
        meta.put("sessionId", session.id()).put("title", session.name());
        meta.putNull("todoRuntime");
        meta.putArray("checkpoints");
        meta.putArray("documents");
        lines.append(Json.write(meta)).append('\n');
        for (ObjectNode message : transcripts.of(session.id())) {
            ObjectNode item = Json.object().put("type", "timeline_item");
            lines.append(Json.write(item.set("item", message))).append('\n');
        }
        exchange.respond(
                200, "application/x-ndjson", lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void details(Exchange exchange) {
        String id = exchange.parameter("id");
        if (jobs.find(id).isEmpty()) {
            throw new TandemException(ErrorCode.NOT_FOUND, "Message not found");
        }
        ObjectNode reply = Json.object().put("messageId", id);
        exchange.respond(200, reply.set("events", events(id)));
    }

    private ArrayNode events(String streamId) {
        ArrayNode events = Json.array();
        for (StreamEvent event : streams.kept(streamId)) {
            events.addObject()
                    .put("sequence", event.sequence())
                    .put("eventType", event.type())
                    .set("data", event.data());
        }
        return events;
    }

    private Session session(Exchange exchange) {
        return parts.store().required(exchange.parameter("id"));
    }

    static boolean isUser(Entry entry) {
        return entry.kind() == Entry.Kind.USER;
    }
}
