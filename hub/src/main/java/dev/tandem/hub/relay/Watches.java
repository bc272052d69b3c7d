package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The sessions one socket watches, each by a viewer of its own. Any thread may call it. */
final class Watches {
    private static final int PAGE = 200;

    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();
    private volatile String current = "";

    private record Watch(Viewer viewer, AutoCloseable ending) {}

    Watches(RelayEndpoint.Parts parts, Wire wire) {
        this.parts = parts;
        this.wire = wire;
    }

    /** The session that a message names; a client of the older form may mean its current one. */
    String sessionId(JsonNode message) {
        String id = Json.text(message, "sessionId").orElse(wire.compat() ? current : "");
        if (id.isEmpty()) {
            throw new Refused("no_session", "No active session");
        }
        return parts.store().required(id).id();
    }

    void attach(ObjectNode message) {
        Session session = parts.store().required(sessionId(message));
        long last = session.lastSeq();
        JsonNode tail = message.path("tail");
        long after =
                tail.isIntegralNumber()
                        ? Math.max(0, last - Math.max(0, tail.longValue()))
                        : Math.max(0, message.path("afterSeq").asLong(0));
        if (after > last) {
            wire.send(Wire.about("reset", session.id()));
            after = 0;
        }
        watch(session.id(), after, message.path("afterRing").asLong(0));
        wire.reply(message, attached(session.id()));
    }

    /** Shows what is stored at the reader's pace, then follows without a gap. */
    void watch(String sessionId, long afterSeq, long afterRing) {
        detach(sessionId);
        Viewer viewer = new Viewer(sessionId, wire, parts);
        long seq = afterSeq;
        List<Entry> page = parts.log().after(sessionId, seq, PAGE);
        while (!page.isEmpty()) {
            for (Entry entry : page) {
                if (!wire.socket().awaitCalm()) {
                    return;
                }
                viewer.onEntry(entry);
                seq = entry.seq();
            }
            page = parts.log().after(sessionId, seq, PAGE);
        }
        begin(viewer, parts.log().feed(sessionId).follow(seq, afterRing, viewer));
    }

    /** Watches a session that is to be opened; what is said in it waits for the answer's call. */
    FirstWord watchNew(String sessionId) {
        Viewer viewer = new Viewer(sessionId, wire, parts);
        FirstWord first = new FirstWord(viewer);
        begin(viewer, parts.log().feed(sessionId).follow(0, 0, first));
        return first;
    }

    private void begin(Viewer viewer, AutoCloseable ending) {
        viewer.live();
        String sessionId = viewer.sessionId();
        Watch before = watches.put(sessionId, new Watch(viewer, ending));
        if (before != null) {
            close(before.ending);
        }
        current = sessionId;
        if (!wire.socket().isOpen()) {
            detachAll();
        }
    }

    private ObjectNode attached(String sessionId) {
        Session session = parts.store().required(sessionId);
        ObjectNode message = Wire.about("attached", sessionId);
        message.put("seq", session.lastSeq()).put("phase", session.phase().word());
        message.put("title", session.name()).put("mode", session.mode().word());
        message.put("ring", parts.log().feed(sessionId).ringPosition());
        message.put("running", parts.engine().turnRuns(sessionId));
        ArrayNode pending = message.putArray("pendingPermissions");
        parts.desk()
                .open(sessionId)
                .forEach(card ->
                        pending.add(
                                PermissionCards.request(
                                        parts, sessionId, Json.object(), card.toJson())));
        ArrayNode questions = message.putArray("pendingQuestions");
        parts.engine()
                .openQuestions(sessionId)
                .forEach(one ->
                        questions.add(
                                Elicitations.request(
                                        Json.object(), one.requestId(), one.params())));
        session.agent().ifPresent(agent -> message.put("agentId", agent));
        parts.engine()
                .agentSession(sessionId)
                .ifPresent(agent -> {
                    message.set("agentState", agent.state());
                    message.set("promptCapabilities", promptCapabilities(agent));
                });
        return message;
    }

    static JsonNode promptCapabilities(AgentSession agent) {
        JsonNode given = agent.agent().capabilities().raw().path("promptCapabilities");
        return given.isObject() ? given : Json.object();
    }

    /** Whose turn's end is this request's answer, if the session is watched here. */
    void answers(String sessionId, long seq, JsonNode request) {
        Watch watch = watches.get(sessionId);
        if (watch != null) {
            watch.viewer.answers(seq, request);
        }
    }

    boolean has(String sessionId) {
        return watches.containsKey(sessionId);
    }

    void detach(String sessionId) {
        Watch watch = watches.remove(sessionId);
        if (watch != null) {
            close(watch.ending);
        }
    }

    void detachAll() {
        List.copyOf(watches.keySet()).forEach(this::detach);
    }

    static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
