package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ModelState;
import dev.tandem.hub.sessions.AgentMemory;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.Starts;
import dev.tandem.protocol.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sessions themselves: list, make, open, end, name, look back. */
final class SessionMessages implements Family {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;
    private final Starts starts;
    private final AgentMemory memory;
    private final SessionRows rows;
    private final SessionEdits edits;

    SessionMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
        this.starts = new Starts(parts.engine(), parts.store());
        this.memory = new AgentMemory(parts.engine(), parts.store());
        this.rows = new SessionRows(parts);
        this.edits = new SessionEdits(parts);
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "list_sessions" -> client.aside(message, () -> list(message));
            case "new_session" -> client.aside(message, () -> create(message));
            case "load_session" -> client.aside(message, () -> open(message, true));
            case "resume_session", "start_session" ->
                    client.aside(message, () -> open(message, false));
            case "close_session", "stop_session" -> {
                Session session = parts.engine().stop(client.sessionId(message));
                wire.reply(
                        message,
                        Wire.about("session_closed", session.id())
                                .put("phase", session.phase().word()));
            }
            case "delete_session" ->
                    client.aside(
                            message,
                            () -> {
                                String id = client.sessionId(message);
                                parts.engine().delete(id);
                                wire.reply(message, Wire.about("session_deleted", id));
                            });
            case "rename_session" -> {
                String title = Wire.required(message, "title");
                Session session = parts.engine().rename(client.sessionId(message), title);
                wire.reply(
                        message, Wire.about("session_renamed", session.id()).put("title", title));
            }
            case "mark_read" ->
                    parts.store().read(client.sessionId(message), message.path("seq").asLong(0));
            case "clone_session", "label_session", "set_permission_mode" -> {
                String id = client.sessionId(message);
                wire.reply(message, edits.take(type, parts.store().required(id), message));
            }
            case "list_projects" -> wire.reply(message, edits.projects());
            case "history" -> history(message);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void list(ObjectNode message) {
        Optional<String> agent = Json.text(message, "agentId");
        if (agent.isPresent()) {
            wire.reply(message, remembered(agent.get(), message));
            return;
        }
        if (!message.has("sessionIds") && !message.has("search") && !message.has("cwd")) {
            client.listed();
        }
        ObjectNode reply = Wire.message("session_list");
        wire.reply(message, reply.set("sessions", rows.of(message)));
    }

    private ObjectNode remembered(String agentId, ObjectNode query) {
        AgentMemory.Page page =
                memory.page(
                        agentId,
                        Json.text(query, "cwd").orElse(""),
                        Json.text(query, "cursor").orElse(""));
        ObjectNode reply = Wire.message("session_list");
        reply.putArray("sessions").addAll(page.sessions());
        return page.nextCursor().isEmpty() ? reply : reply.put("nextCursor", page.nextCursor());
    }

    private void create(ObjectNode message) {
        Optional<String> unknown =
                Json.text(message, "agentId").filter(id -> parts.agents().find(id).isEmpty());
        if (unknown.isPresent()) {
            throw new Refused(
                    "agent_not_found",
                    "Failed to connect: There is no agent \""
                            + unknown.get()
                            + "\"; tandem agents lists them.");
        }
        String id = parts.engine().create(project(message), fields(message)).id();
        message.put("sessionId", id);
        FirstWord first = client.watches().watchNew(id);
        client.created(id);
        try {
            if (Json.flag(message, "start", true)) {
                starts.start(id);
            }
            wire.reply(message, described("session_created", id));
        } finally {
            first.said();
        }
        show(id);
    }

    private static String project(ObjectNode message) {
        return Json.text(message, "projectId").orElse("default");
    }

    private static ObjectNode fields(ObjectNode message) {
        ObjectNode annotations = Json.object();
        Json.text(message, "agentId").ifPresent(id -> annotations.put("tandem/agent", id));
        Json.text(message, "cwd").ifPresent(cwd -> annotations.put("tandem/cwd", cwd));
        List<String> more = Json.texts(message, "additionalDirectories");
        if (!more.isEmpty()) {
            annotations.put("tandem/dirs", String.join("\n", more));
        }
        ObjectNode fields =
                Json.object().put("name", Json.text(message, "title").orElse("New session"));
        if (!annotations.isEmpty()) {
            fields.put("annotations", Json.write(annotations));
        }
        return fields;
    }

    /**
     * An agent's own name for a session becomes the hub's; a session that only the agent knows so
     * far becomes one of the hub's.
     */
    private void adopt(ObjectNode message) {
        Optional<String> agent = Json.text(message, "agentId");
        Optional<String> named = Json.text(message, "sessionId");
        if (named.isEmpty() || parts.store().session(named.get()).isPresent()) {
            return;
        }
        Optional<Session> known =
                agent.isPresent()
                        ? memory.known(agent.get(), named.get())
                        : knownToOneAgent(named.get());
        if (known.isPresent()) {
            message.put("sessionId", known.get().id());
        } else if (agent.isPresent()) {
            Session session =
                    memory.adopt(project(message), fields(message), agent.get(), named.get());
            message.put("sessionId", session.id());
            client.created(session.id());
        }
    }

    /** Agents choose their ids without knowing of each other, so two may choose the same. */
    private Optional<Session> knownToOneAgent(String agentsId) {
        List<Session> all =
                parts.store().sessions().stream()
                        .filter(one ->
                                one.field("sdk_session_id").filter(agentsId::equals).isPresent())
                        .toList();
        if (all.size() > 1) {
            throw new Refused(
                    "unknown_session",
                    "More than one session is called " + agentsId + ". Name the agentId, too.");
        }
        return all.stream().findFirst();
    }

    private void open(ObjectNode message, boolean replay) {
        adopt(message);
        String id = client.sessionId(message);
        if (replay || !client.watches().has(id)) {
            Session session = parts.store().required(id);
            client.watches().watch(id, replay ? 0 : session.lastSeq(), 0);
        }
        starts.start(id);
        opened(message, replay ? "session_loaded" : "session_resumed", id);
    }

    private void opened(ObjectNode request, String type, String id) {
        wire.reply(request, described(type, id));
        show(id);
    }

    private void show(String id) {
        client.settings().show(id);
        client.files().showRoot(id);
    }

    private ObjectNode described(String type, String id) {
        Session session = parts.store().required(id);
        ObjectNode message = Wire.about(type, id).put("title", session.name());
        message.put("projectId", session.projectId()).put("phase", session.phase().word());
        message.put("seq", session.lastSeq()).put("mode", session.mode().word());
        session.agent().ifPresent(agent -> message.put("agentId", agent));
        session.field("sdk_session_id").ifPresent(own -> message.put("agentSessionId", own));
        session.field("cwd").ifPresent(cwd -> message.put("cwd", cwd));
        parts.engine()
                .agentSession(id)
                .ifPresent(agent -> {
                    message.set("promptCapabilities", Watches.promptCapabilities(agent));
                    message.setAll(agent.options());
                    agent.opening()
                            .properties()
                            .forEach(f -> message.putIfAbsent(f.getKey(), f.getValue()));
                });
        if (wire.compat()) {
            olderModels(message, id);
        }
        return message;
    }

    /** Clients of the older form look for the models here, and only in the agent's own shape. */
    private void olderModels(ObjectNode message, String id) {
        Optional<ModelState> models = parts.engine().agentSession(id).flatMap(AgentSession::models);
        if (models.isEmpty()) {
            message.putNull("models");
        } else if (models.get().source().equals("config_option")) {
            message.set("models", SettingMessages.inAcp(models.get()));
        }
    }

    /** Older entries of a long session, newest last. */
    private void history(ObjectNode message) {
        String id = client.sessionId(message);
        long before = message.path("beforeSeq").asLong(Long.MAX_VALUE);
        int limit = Math.clamp(message.path("limit").asLong(100), 1, 1000);
        List<Entry> entries = parts.log().before(id, before, limit);
        ObjectNode reply = Wire.about("history", id);
        ArrayNode all = reply.putArray("entries");
        for (Entry entry : entries) {
            ObjectNode one = all.addObject().put("seq", entry.seq()).put("id", entry.id());
            one.put("kind", entry.kind().word()).put("at", entry.createdAt());
            one.set("body", entry.body());
        }
        long first = entries.isEmpty() ? 0 : entries.getFirst().seq();
        wire.reply(message, reply.put("firstSeq", first).put("more", first > 1));
    }
}
