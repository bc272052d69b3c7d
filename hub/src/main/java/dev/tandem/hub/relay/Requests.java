package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentListing;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ModelState;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a proven client asks for: one method for each message. */
final class Requests {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;
    private final Starts starts;
    private final SessionRows rows;
    private final SessionEdits edits;

    Requests(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
        this.starts = new Starts(parts.engine(), parts.store());
        this.rows = new SessionRows(parts);
        this.edits = new SessionEdits(parts);
    }

    void take(String type, ObjectNode message) {
        switch (type) {
            case "list_sessions" -> listSessions(message);
            case "list_agents" -> {
                ObjectNode reply = Wire.message("agents");
                wire.reply(message, reply.set("agents", agents()));
            }
            case "new_session" -> client.aside(message, () -> newSession(message));
            case "load_session" -> client.aside(message, () -> open(message, true));
            case "resume_session", "start_session" ->
                    client.aside(message, () -> open(message, false));
            case "close_session", "stop_session" -> {
                Session session = parts.engine().stop(client.sessionId(message));
                wire.reply(
                        message,
                        about("session_closed", session.id()).put("phase", session.phase().word()));
            }
            case "delete_session" -> client.aside(message, () -> delete(message));
            case "rename_session" -> {
                String title = required(message, "title");
                Session session = parts.engine().rename(client.sessionId(message), title);
                wire.reply(message, about("session_renamed", session.id()).put("title", title));
            }
            case "clone_session", "label_session", "set_permission_mode" -> {
                String id = client.sessionId(message);
                wire.reply(message, edits.take(type, parts.store().required(id), message));
            }
            case "terminal_output" -> {
                String id = client.sessionId(message);
                ObjectNode reply = about("terminal_output", id);
                agent(id).terminalOutput(required(message, "terminalId")).ifPresent(reply::setAll);
                wire.reply(message, reply);
            }
            case "list_projects" -> wire.reply(message, edits.projects());
            case "mark_read" -> {
                String id = client.sessionId(message);
                parts.store().read(id, message.path("seq").asLong(0));
            }
            case "history" -> history(message);
            case "prompt" -> prompt(message);
            case "cancel" -> cancel(message);
            case "queue" -> queue(message);
            case "queue_edit" -> {
                String id = client.sessionId(message);
                parts.engine()
                        .editQueued(id, message.path("seq").asLong(0), required(message, "text"));
                queue(message);
            }
            case "queue_withdraw" -> {
                parts.engine()
                        .withdrawQueued(client.sessionId(message), message.path("seq").asLong(0));
                queue(message);
            }
            case "queue_continue" -> {
                parts.engine().continueQueue(client.sessionId(message));
                queue(message);
            }
            case "set_session_model" -> client.aside(message, () -> setModel(message));
            case "set_mode" -> client.aside(message, () -> setMode(message));
            case "set_config_option" -> client.aside(message, () -> setOption(message));
            case "permission_response" -> permission(message);
            case "elicitation_response" -> elicitation(message);
            default -> wire.error(message, "unknown_type", "Unknown message type: " + type);
        }
    }

    ArrayNode agents() {
        ArrayNode agents = Json.array();
        for (AgentListing one : parts.agents().list()) {
            ObjectNode agent = agents.addObject().put("agentId", one.entry().agentId());
            agent.put("name", one.entry().name()).put("command", one.entry().argv().getFirst());
            ArrayNode args = agent.putArray("args");
            one.entry().argv().stream().skip(1).forEach(args::add);
            agent.put("available", one.available()).put("builtIn", one.builtIn());
            agent.put("path", one.path()).put("reason", one.reason());
            agent.put("login", one.login().name().toLowerCase(java.util.Locale.ROOT));
        }
        return agents;
    }

    private void listSessions(ObjectNode message) {
        ObjectNode reply = Wire.message("session_list");
        wire.reply(message, reply.set("sessions", rows.of(message)));
    }

    private void newSession(ObjectNode message) {
        ObjectNode annotations = Json.object();
        Json.text(message, "agentId").ifPresent(id -> annotations.put("tandem/agent", id));
        Json.text(message, "cwd").ifPresent(cwd -> annotations.put("tandem/cwd", cwd));
        ObjectNode fields =
                Json.object().put("name", Json.text(message, "title").orElse("New session"));
        if (!annotations.isEmpty()) {
            fields.put("annotations", Json.write(annotations));
        }
        String project = Json.text(message, "projectId").orElse("default");
        String id = parts.engine().create(project, fields).id();
        client.watch(id, 0, 0);
        if (Json.flag(message, "start", true)) {
            starts.start(id);
        }
        wire.reply(message, described("session_created", id));
        sendModels(id);
    }

    private void open(ObjectNode message, boolean replay) {
        String id = client.sessionId(message);
        if (replay || !client.watches(id)) {
            Session session = parts.store().required(id);
            client.watch(id, replay ? 0 : session.lastSeq(), 0);
        }
        starts.start(id);
        wire.reply(message, described(replay ? "session_loaded" : "session_resumed", id));
        sendModels(id);
    }

    private ObjectNode described(String type, String id) {
        Session session = parts.store().required(id);
        ObjectNode message = about(type, id).put("title", session.name());
        message.put("projectId", session.projectId()).put("phase", session.phase().word());
        message.put("seq", session.lastSeq());
        session.field("agent_used").ifPresent(agent -> message.put("agentId", agent));
        session.field("sdk_session_id").ifPresent(own -> message.put("agentSessionId", own));
        parts.engine()
                .agentSession(id)
                .ifPresent(agent -> {
                    message.set(
                            "promptCapabilities",
                            agent.agent().capabilities().raw().path("promptCapabilities"));
                    message.setAll(agent.options());
                });
        return message;
    }

    private void sendModels(String id) {
        parts.engine()
                .agentSession(id)
                .flatMap(AgentSession::models)
                .ifPresent(models -> wire.send(models(id, models)));
    }

    private static ObjectNode models(String id, ModelState state) {
        ObjectNode message = about("model_state", id);
        ArrayNode all = message.putArray("availableModels");
        for (ModelState.Model model : state.models()) {
            ObjectNode one = all.addObject().put("id", model.id()).put("modelId", model.id());
            one.put("displayName", model.displayName()).put("name", model.displayName());
            one.put("provider", model.provider()).put("description", model.description());
        }
        message.put("currentModelId", state.currentId()).put("source", state.source());
        return state.configId().isEmpty() ? message : message.put("configId", state.configId());
    }

    private void delete(ObjectNode message) {
        String id = client.sessionId(message);
        parts.engine().delete(id);
        wire.reply(message, about("session_deleted", id));
    }

    /** Older entries of a long session, newest last. */
    private void history(ObjectNode message) {
        String id = client.sessionId(message);
        long before = message.path("beforeSeq").asLong(Long.MAX_VALUE);
        int limit = Math.clamp(message.path("limit").asLong(100), 1, 1000);
        ObjectNode reply = about("history", id);
        ArrayNode entries = reply.putArray("entries");
        for (Entry entry : parts.log().before(id, before, limit)) {
            ObjectNode one = entries.addObject().put("seq", entry.seq()).put("id", entry.id());
            one.put("kind", entry.kind().word()).put("at", entry.createdAt());
            one.set("body", entry.body());
        }
        wire.reply(message, reply);
    }

    private void prompt(ObjectNode message) {
        String id = client.sessionId(message);
        if (!(message.path("content") instanceof ArrayNode content) || content.isEmpty()) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "Error: content must be a list of blocks");
        }
        if (!client.watches(id)) {
            client.watch(id, parts.store().required(id).lastSeq(), 0);
        }
        boolean busy = parts.engine().turnRuns(id);
        SessionLog.Appended taken =
                parts.engine()
                        .send(
                                id,
                                Prompt.of(
                                        content,
                                        Json.text(message, "clientMessageId"),
                                        client.caller().name()));
        client.answers(id, taken.entry().seq(), message);
        if (busy) {
            ObjectNode queued = about("prompt_queued", id).put("seq", taken.entry().seq());
            queued.put("position", parts.engine().queued(id).size());
            wire.reply(message, queued);
        }
        Phase phase = parts.store().required(id).phase();
        if (phase.canStart()) {
            client.aside(message, () -> starts.start(id));
        }
    }

    private void cancel(ObjectNode message) {
        String id = client.sessionId(message);
        if (Json.flag(message, "queued", false)) {
            parts.engine()
                    .queued(id)
                    .forEach(entry -> parts.engine().withdrawQueued(id, entry.seq()));
        }
        boolean ran = parts.engine().interrupt(id);
        wire.reply(message, about("cancelled", id).put("ran", ran));
    }

    private void queue(ObjectNode message) {
        String id = client.sessionId(message);
        ObjectNode reply = about("queue", id);
        ArrayNode waiting = reply.putArray("items");
        for (Entry entry : parts.engine().queued(id)) {
            waiting.addObject().put("seq", entry.seq()).put("text", entry.text("text").orElse(""));
        }
        wire.reply(message, reply);
    }

    private AgentSession agent(String id) {
        return parts.engine()
                .agentSession(id)
                .orElseThrow(() -> new Refused("not_connected", "Not connected to agent"));
    }

    private void setModel(ObjectNode message) {
        String id = client.sessionId(message);
        ModelState state = agent(id).setModel(required(message, "modelId"));
        wire.reply(message, models(id, state));
        if (wire.compat()) {
            wire.send(about("model_changed", id).put("modelId", state.currentId()));
        }
    }

    private void setMode(ObjectNode message) {
        String id = client.sessionId(message);
        String mode = required(message, "modeId");
        agent(id).setMode(mode);
        wire.reply(message, config(id));
    }

    private void setOption(ObjectNode message) {
        String id = client.sessionId(message);
        JsonNode value = message.path("value");
        String option = required(message, "configId");
        if (value.isBoolean()) {
            agent(id).setOption(option, value.booleanValue());
        } else {
            agent(id).setOption(option, value.asString(""));
        }
        wire.reply(message, config(id));
    }

    private ObjectNode config(String id) {
        ObjectNode message = about("config_state", id);
        message.setAll(agent(id).options());
        return message;
    }

    private void permission(ObjectNode message) {
        String request = required(message, "requestId");
        JsonNode outcome = message.path("outcome");
        if (Json.text(outcome, "outcome").filter("cancelled"::equals).isPresent()) {
            parts.desk().withdraw(request);
        } else {
            String option =
                    Json.text(outcome, "optionId")
                            .orElseGet(() -> Json.text(message, "optionId").orElse(""));
            parts.desk().answer(request, option, client.caller());
        }
        wire.reply(message, Wire.message("permission_accepted").put("requestId", request));
    }

    private void elicitation(ObjectNode message) {
        ElicitationAnswer answer =
                switch (required(message, "action")) {
                    case "accept" ->
                            new ElicitationAnswer.Accept(
                                    message.path("content") instanceof ObjectNode content
                                            ? content
                                            : Json.object());
                    case "decline" -> new ElicitationAnswer.Decline();
                    default -> new ElicitationAnswer.Cancel();
                };
        parts.engine()
                .answerQuestion(client.sessionId(message), required(message, "requestId"), answer);
        wire.reply(message, Wire.message("elicitation_accepted"));
    }

    private static String required(ObjectNode message, String field) {
        return Json.text(message, field)
                .filter(text -> !text.isBlank())
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.BAD_REQUEST, "Error: " + field + " is missing"));
    }

    private static ObjectNode about(String type, String sessionId) {
        return Wire.message(type).put("sessionId", sessionId);
    }
}
