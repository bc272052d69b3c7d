package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Every ops session of every browser: who holds it, under which lease. Any thread may call it. */
public final class OpsSessions {
    /** For the hub alone: programs ask for the targets of their session. */
    static final String TAB_OPENED = "ops_tab_opened";

    private static final int REMEMBERED = 500;
    private static final Set<String> NOT_YET_OR_NO_MORE = Set.of("initializing", "closed");

    private final Map<String, OpsSession> byId = new ConcurrentHashMap<>();
    private final Map<String, String> ended =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                    return size() > REMEMBERED;
                }
            };

    void add(OpsSession session) {
        byId.put(session.id(), session);
        synchronized (ended) {
            ended.remove(session.id());
        }
    }

    /** Adds one that is being opened; false when there is one of that id. */
    boolean begin(OpsSession session) {
        session.state("initializing");
        return byId.putIfAbsent(session.id(), session) == null;
    }

    public Optional<OpsSession> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Collection<OpsSession> all() {
        return byId.values().stream().sorted(Comparator.comparing(OpsSession::id)).toList();
    }

    List<OpsSession> of(Browser browser) {
        return byId.values().stream().filter(session -> session.browser() == browser).toList();
    }

    List<OpsSession> ownedBy(OpsClient client) {
        return byId.values().stream()
                .filter(session -> session.ownerKey().equals(client.key()))
                .sorted(Comparator.comparing(OpsSession::id))
                .toList();
    }

    /** False when it had ended before, for whatever reason that was. */
    boolean end(OpsSession session, String reason) {
        session.end(reason);
        if (!byId.remove(session.id(), session)) {
            return false;
        }
        synchronized (ended) {
            ended.put(session.id(), reason);
        }
        return true;
    }

    /** The session of that id, if this client may use this tool there. */
    OpsSession admit(String id, OpsClient client, Tool tool) {
        OpsSession session = byId.get(id);
        if (session == null) {
            throw unknown(id);
        }
        if (session.ownerKey().equals(client.key())) {
            return session;
        }
        if (!session.sharedForReading()) {
            throw new TandemException(
                            ErrorCode.NOT_OWNER, "Client does not own session", "other_client")
                    .with("owner", session.label());
        }
        if (!tool.readShare()) {
            throw new TandemException(
                            ErrorCode.NOT_OWNER,
                            "This session is shared for reading only.",
                            "read_only_share")
                    .with("owner", session.label());
        }
        return session;
    }

    /** The caller's only session, or none; several are an error that lists them. */
    Optional<OpsSession> only(OpsClient client) {
        List<OpsSession> mine =
                ownedBy(client).stream()
                        .filter(session -> !NOT_YET_OR_NO_MORE.contains(session.state()))
                        .toList();
        if (mine.size() > 1) {
            ArrayNode list = Json.array();
            mine.forEach(session ->
                    list.addObject()
                            .put("sessionId", session.id())
                            .put("label", session.label())
                            .put("browser", session.browser().name()));
            throw new TandemException(
                            ErrorCode.INVALID_REQUEST,
                            "There are several sessions: " + ids(mine) + ".",
                            "several_sessions")
                    .with("sessions", list);
        }
        return mine.stream().findFirst();
    }

    private static String ids(List<OpsSession> sessions) {
        return sessions.stream().map(OpsSession::id).collect(Collectors.joining(", "));
    }

    TandemException unknown(String id) {
        String reason;
        synchronized (ended) {
            reason = ended.getOrDefault(id, "unknown");
        }
        return OpsSession.unknown(reason);
    }

    /** Follows what the extension says happened to a session. */
    void observe(ObjectNode event) {
        OpsSession session = byId.get(event.path("opsSessionId").asString(""));
        if (session == null) {
            return;
        }
        JsonNode payload = event.path("payload");
        switch (event.path("event").asString("")) {
            case "ops_session_released" -> session.state("closing");
            case "ops_session_reclaimed", "ops_session_created" -> session.state("active");
            case "ops_session_closed" ->
                    end(session, Json.text(payload, "reason").orElse("closed"));
            case "ops_session_expired" -> end(session, "session_expired");
            case TAB_OPENED -> Json.text(payload, "targetId").ifPresent(session::opened);
            case "ops_tab_closed" -> {
                String closed = Json.text(payload, "targetId").orElse("");
                session.closed(closed);
                Json.text(payload, "replacedBy").ifPresent(now -> session.renamed(closed, now));
            }
            default -> {
                // nothing that changes who holds what
            }
        }
    }
}
