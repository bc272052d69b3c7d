package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionSummary;
import dev.tandem.protocol.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sessions as lists show them, with what each waits for. */
final class SessionRows {
    private final RelayEndpoint.Parts parts;

    SessionRows(RelayEndpoint.Parts parts) {
        this.parts = parts;
    }

    /** All, those that a search finds, or those that were named; with {@code cwd} those there. */
    ArrayNode of(ObjectNode query) {
        Map<String, Card> cards = new HashMap<>();
        parts.desk().open().forEach(card -> cards.putIfAbsent(card.key(), card));
        Optional<String> folder = Json.text(query, "cwd").filter(cwd -> !cwd.isBlank());
        ArrayNode rows = Json.array();
        for (SessionSummary one : found(query)) {
            if (folder.isEmpty() || folder.equals(folder(one.session()))) {
                rows.add(row(one, Optional.ofNullable(cards.get(one.session().id()))));
            }
        }
        return rows;
    }

    private static Optional<String> folder(Session session) {
        return session.annotation("tandem/cwd").or(() -> session.field("cwd"));
    }

    private List<SessionSummary> found(ObjectNode query) {
        if (query.path("sessionIds") instanceof ArrayNode ids) {
            return StreamSupport.stream(ids.spliterator(), false)
                    .flatMap(id -> parts.store().session(id.asString("")).stream())
                    .map(parts.engine()::summary)
                    .toList();
        }
        return Json.text(query, "search")
                .filter(text -> !text.isBlank())
                .map(text ->
                        parts.engine().search(text).stream().map(parts.engine()::summary).toList())
                .orElseGet(parts.engine()::summaries);
    }

    private ObjectNode row(SessionSummary one, Optional<Card> card) {
        Session session = one.session();
        ObjectNode row = Json.object().put("sessionId", session.id());
        row.put("title", session.name()).put("projectId", session.projectId());
        row.put("phase", session.phase().word()).put("status", one.status().word());
        row.put("running", parts.engine().turnRuns(session.id()));
        row.put("unread", one.unread()).put("preview", one.preview());
        row.put("queued", one.queued()).put("lastSeq", session.lastSeq());
        row.put("updatedAt", session.updatedAt()).put("mode", session.mode().word());
        session.agent().ifPresent(agent -> row.put("agentId", agent));
        folder(session).ifPresent(cwd -> row.put("cwd", cwd));
        row.set("labels", labels(session));
        question(session.id(), card)
                .or(() -> Optional.of(one.locked()).filter(text -> !text.isEmpty()))
                .ifPresent(text -> row.put("question", text));
        row.put("locked", !one.locked().isEmpty());
        parts.engine()
                .agentSession(session.id())
                .flatMap(AgentSession::models)
                .ifPresent(models ->
                        models.models().stream()
                                .filter(model -> model.id().equals(models.currentId()))
                                .findFirst()
                                .ifPresent(model -> row.put("model", model.displayName())));
        return row;
    }

    private Optional<String> question(String id, Optional<Card> card) {
        return card.map(open -> Json.text(open.toJson(), "summary").orElse(""))
                .or(() ->
                        parts.engine().openQuestions(id).stream()
                                .map(asked -> Json.text(asked.params(), "message").orElse(""))
                                .findFirst());
    }

    /** Labels are kept as the API keeps them: an object inside a string. */
    static ArrayNode labels(Session session) {
        ArrayNode words = Json.array();
        session.field("labels")
                .filter(text -> text.startsWith("{"))
                .map(Json::parse)
                .ifPresent(all ->
                        all.properties()
                                .forEach(one -> words.add(word(one.getKey(), one.getValue()))));
        return words;
    }

    private static String word(String key, JsonNode value) {
        String text = value.asString("");
        return text.isEmpty() ? key : key + "=" + text;
    }
}
