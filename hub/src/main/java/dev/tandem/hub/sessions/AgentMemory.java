package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.protocol.Json;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sessions that agents remember, those that the hub never ran among them. Any thread may call
 * it; the agent is started for it.
 */
public final class AgentMemory {
    private final SessionEngine engine;
    private final SessionStore store;
    private final Starts starts;

    public AgentMemory(SessionEngine engine, SessionStore store) {
        this.engine = engine;
        this.store = store;
        this.starts = new Starts(engine, store);
    }

    /**
     * Some of them, as {@code {sessionId, agentSessionId, agentId, title, cwd, updatedAt, imported,
     * registered}}.
     *
     * @param nextCursor asks for those that follow; empty after the last
     */
    public record Page(List<ObjectNode> sessions, String nextCursor) {
        public Page {
            sessions = List.copyOf(sessions);
        }
    }

    /** One page of what an agent remembers; an empty cursor asks for the first. */
    public Page page(String agentId, String cwd, String cursor) {
        Agent.SessionPage page = engine.accounts().remembered(agentId, cwd, cursor);
        Map<String, Session> ours = new HashMap<>();
        its(agentId)
                .forEach(session ->
                        session.field("sdk_session_id").ifPresent(id -> ours.put(id, session)));
        List<ObjectNode> rows = new ArrayList<>();
        for (JsonNode one : page.sessions()) {
            if (one instanceof ObjectNode told) {
                rows.add(row(agentId, told, ours));
            }
        }
        return new Page(rows, page.nextCursor());
    }

    /** The hub's session behind an agent's id, if it has one. */
    public Optional<Session> known(String agentId, String agentsId) {
        return its(agentId).stream()
                .filter(one -> one.field("sdk_session_id").filter(agentsId::equals).isPresent())
                .findFirst();
    }

    /**
     * Makes one of them a session of the hub and brings its conversation. Nothing is left of it
     * when the agent cannot.
     */
    public Session adopt(String projectId, ObjectNode fields, String agentId, String agentsId) {
        Session session = engine.adopt(projectId, fields, agentId, agentsId);
        try {
            starts.start(session.id());
        } catch (RuntimeException refused) {
            engine.delete(session.id());
            throw refused;
        }
        return store.required(session.id());
    }

    private List<Session> its(String agentId) {
        return store.sessions().stream()
                .filter(one -> one.field("agent_used").filter(agentId::equals).isPresent())
                .toList();
    }

    /** As the agent tells it, under the hub's id where it has one. */
    private ObjectNode row(String agentId, ObjectNode told, Map<String, Session> ours) {
        ObjectNode row = told.deepCopy().put("agentId", agentId);
        String agentsId = Json.text(told, "sessionId").orElse("");
        Session known = ours.get(agentsId);
        row.put("agentSessionId", agentsId).put("imported", known == null);
        Json.text(told, "cwd")
                .ifPresent(cwd -> row.put("registered", engine.folders().isRegistered(cwd)));
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
