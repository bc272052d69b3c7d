package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a session's process came to its end, as the log and the session tell it.
 *
 * @param again it is started again by itself, because messages wait
 */
record EndOfLife(
        Phase phase, String reason, String message, Optional<Exception> problem, boolean again) {
    /** The field that keeps what {@link Turn#details} says. */
    static final String FAILURE = "failure";

    /** Writes it down; a stop that came before the last word makes it Stopped. */
    static EndOfLife write(Parts parts, String id, EndOfLife end) {
        boolean stopping = parts.store().required(id).phase() == Phase.STOPPING;
        EndOfLife how =
                stopping && end.phase != Phase.STOPPED
                        ? new EndOfLife(Phase.STOPPED, end.reason, end.message, end.problem, false)
                        : end;
        List<SessionLog.Draft> drafts = new ArrayList<>();
        how.problem
                .map(Turn::error)
                .ifPresent(error -> drafts.add(new SessionLog.Draft(Entry.Kind.ERROR, error)));
        ObjectNode stopped = Json.object().put("event", "session_stopped");
        stopped.put("phase", how.phase.word()).put("reason", how.reason);
        stopped.put("message", how.message);
        how.problem.flatMap(Turn::exit).ifPresent(exit -> stopped.set(AgentException.EXIT, exit));
        if (how.again) {
            stopped.put("again", true);
        }
        drafts.add(new SessionLog.Draft(Entry.Kind.LIFECYCLE, stopped));
        parts.log().appendAll(id, drafts);
        note(parts.store(), id, how, parts.clock().millis());
        parts.store().move(id, how.phase);
        return how;
    }

    /** What the agent said when it let nobody in; empty when it ended in another way. */
    static String signInWords(Session session) {
        if (session.phase() != Phase.FAILED) {
            return "";
        }
        for (JsonNode condition :
                session.field("conditions").map(Json::parse).orElseGet(Json::array)) {
            if (condition.path("reason").asString("").equals("auth_required")) {
                return condition.path("message").asString("");
            }
        }
        return "";
    }

    static void note(SessionStore store, String id, EndOfLife how, long now) {
        String at = Instant.ofEpochMilli(now).toString();
        store.update(
                id,
                fields -> {
                    fields.put("completion_time", at);
                    fields.remove(FAILURE);
                    how.problem.map(Turn::details).ifPresent(why -> fields.set(FAILURE, why));
                    var conditions = Json.array();
                    conditions
                            .addObject()
                            .put("type", how.phase.word())
                            .put("status", "True")
                            .put("reason", how.reason)
                            .put("message", how.message)
                            .put("lastTransitionTime", at);
                    return fields.put("conditions", Json.write(conditions));
                });
    }
}
