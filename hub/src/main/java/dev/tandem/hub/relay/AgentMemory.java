package dev.tandem.hub.relay;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.Json;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The sessions that an agent remembers, those that the hub never ran among them. */
final class AgentMemory {
    private final RelayEndpoint.Parts parts;

    AgentMemory(RelayEndpoint.Parts parts) {
        this.parts = parts;
    }

    /** One page of them; the agent is started for it. */
    ObjectNode page(String agentId, ObjectNode query) {
        Agent.SessionPage page =
                parts.engine()
                        .accounts()
                        .remembered(
                                agentId,
                                Json.text(query, "cwd").orElse(""),
                                Json.text(query, "cursor").orElse(""));
        Map<String, Session> ours = new HashMap<>();
        for (Session session : parts.store().sessions()) {
            session.field("sdk_session_id").ifPresent(id -> ours.put(id, session));
        }
        ObjectNode reply = Wire.message("session_list");
        ArrayNode rows = reply.putArray("sessions");
        for (JsonNode one : page.sessions()) {
            if (one instanceof ObjectNode told) {
                rows.add(row(agentId, told, ours));
            }
        }
        return page.nextCursor().isEmpty() ? reply : reply.put("nextCursor", page.nextCursor());
    }

    /** As the agent tells it, under the hub's id where it has one. */
    private static ObjectNode row(String agentId, ObjectNode told, Map<String, Session> ours) {
        ObjectNode row = told.deepCopy().put("agentId", agentId);
        String agentsId = Json.text(told, "sessionId").orElse("");
        Session known = ours.get(agentsId);
        row.put("agentSessionId", agentsId).put("imported", known == null);
        row.remove("updatedAt");
        Json.text(told, "updatedAt")
                .flatMap(AgentMemory::millis)
                .ifPresent(at -> row.put("updatedAt", at));
        return known == null ? row : row.put("sessionId", known.id()).put("title", known.name());
    }

    private static Optional<Long> millis(String time) {
        try {
            return Optional.of(OffsetDateTime.parse(time).toInstant().toEpochMilli());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
