package dev.tandem.hub.relay;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.sessions.Project;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a person changes about a session itself: a copy, its labels, how much its agent may do. */
final class SessionEdits {
    private static final int LABEL_CHARACTERS = 63;
    private static final int LABELS = 20;

    private final RelayEndpoint.Parts parts;

    SessionEdits(RelayEndpoint.Parts parts) {
        this.parts = parts;
    }

    ObjectNode take(String type, Session session, ObjectNode message) {
        return switch (type) {
            case "clone_session" -> copy(session);
            case "label_session" -> label(session, message.path("labels"));
            default -> mode(session, Json.text(message, "mode").orElse(""));
        };
    }

    private ObjectNode copy(Session session) {
        Session copy = parts.engine().cloneOf(session.id());
        return about("session_created", copy.id()).put("title", copy.name());
    }

    private ObjectNode label(Session session, JsonNode wanted) {
        ObjectNode labels = Json.object();
        for (JsonNode one : wanted) {
            String word = one.asString("").strip();
            if (word.isEmpty() || word.length() > LABEL_CHARACTERS || labels.size() == LABELS) {
                throw new TandemException(
                        ErrorCode.BAD_REQUEST,
                        "Labels have 1 to 63 characters each, and a session has at most 20.");
            }
            int value = word.indexOf('=');
            labels.put(
                    value > 0 ? word.substring(0, value) : word,
                    value > 0 ? word.substring(value + 1) : "");
        }
        Session after =
                parts.engine()
                        .update(
                                session.id(),
                                fields ->
                                        labels.isEmpty()
                                                ? fields.without("labels")
                                                : fields.put("labels", Json.write(labels)));
        ObjectNode reply = about("session_labelled", session.id());
        return reply.set("labels", SessionRows.labels(after));
    }

    private ObjectNode mode(Session session, String word) {
        Caller.Mode mode =
                Caller.Mode.of(word)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.BAD_REQUEST, "A mode is read-only, ask or act."));
        parts.engine()
                .update(
                        session.id(),
                        fields -> {
                            ObjectNode annotations =
                                    session.field("annotations")
                                            .filter(text -> !text.isBlank())
                                            .map(Json::parseObject)
                                            .orElseGet(Json::object);
                            annotations.put("tandem/mode", mode.word());
                            return fields.put("annotations", Json.write(annotations));
                        });
        return about("permission_mode", session.id()).put("mode", mode.word());
    }

    /** Where sessions may work. */
    ObjectNode projects() {
        ObjectNode reply = Wire.message("projects");
        ArrayNode all = reply.putArray("projects");
        for (Project project : parts.store().projects()) {
            ObjectNode one = all.addObject().put("projectId", project.id());
            one.put("name", Json.text(project.fields(), "displayName").orElse(project.id()));
            ArrayNode folders = one.putArray("folders");
            parts.engine().folders().of(project.id()).forEach(path -> folders.add(path.toString()));
        }
        return reply;
    }

    private static ObjectNode about(String type, String sessionId) {
        return Wire.message(type).put("sessionId", sessionId);
    }
}
