package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Brings sessions back after the hub was ended in the middle of their work. */
final class Recovery {
    private static final int TAIL = 5_000;
    private static final String MESSAGE = "The hub was restarted. Start the session to go on.";

    private final Parts parts;

    Recovery(Parts parts) {
        this.parts = parts;
    }

    /** Every session that was alive is Stopped with a reason; nothing that was stored is lost. */
    void run() {
        for (Session session : parts.store().sessions()) {
            parts.unfinished().recover(session.id());
            if (session.phase().live()) {
                bringBack(session);
            } else if (session.phase() == Phase.FAILED) {
                Restarts.takeBack(parts, session.id(), "the hub was restarted.");
            }
        }
    }

    private void bringBack(Session session) {
        if (session.phase() != Phase.STOPPING) {
            parts.store().move(session.id(), Phase.STOPPING);
        }
        parts.log().appendAll(session.id(), loose(session.id()));
        EndOfLife.write(
                parts,
                session.id(),
                new EndOfLife(Phase.STOPPED, "hub_restarted", MESSAGE, Optional.empty(), false));
    }

    /** What was begun and never ended: the turn, its tool calls, its open questions. */
    private List<SessionLog.Draft> loose(String sessionId) {
        Set<String> tools = new LinkedHashSet<>();
        Set<String> requests = new LinkedHashSet<>();
        String run = "";
        for (Entry entry : parts.log().before(sessionId, Long.MAX_VALUE, TAIL)) {
            switch (entry.kind()) {
                case TOOL_USE -> tools.add(entry.text("toolCallId").orElse(""));
                case TOOL_RESULT -> tools.remove(entry.text("toolCallId").orElse(""));
                case PERMISSION -> {
                    String id = entry.text("requestId").orElse("");
                    if (entry.text("state").orElse("").equals("requested")) {
                        requests.add(id);
                    } else {
                        requests.remove(id);
                    }
                }
                case LIFECYCLE -> run = runAfter(entry, run);
                case USER, ASSISTANT, THOUGHT, PLAN, ERROR, SYSTEM -> {
                    // whole in themselves
                }
            }
        }
        List<SessionLog.Draft> drafts = new ArrayList<>();
        for (String id : requests) {
            ObjectNode body = Json.object().put("requestId", id).put("state", "resolved");
            body.put("outcome", "cancelled").put("by", "hub_restarted");
            drafts.add(new SessionLog.Draft(Entry.Kind.PERMISSION, body));
        }
        for (String id : tools) {
            ObjectNode body = Json.object().put("toolCallId", id).put("status", "cancelled");
            drafts.add(new SessionLog.Draft(Entry.Kind.TOOL_RESULT, body.put("result", "")));
        }
        if (!run.isEmpty()) {
            ObjectNode body = Json.object().put("event", "run_finished").put("runId", run);
            body.put("stopReason", "interrupted").put("error", MESSAGE);
            drafts.add(new SessionLog.Draft(Entry.Kind.LIFECYCLE, body));
        }
        return drafts;
    }

    private static String runAfter(Entry entry, String run) {
        return switch (entry.text("event").orElse("")) {
            case "run_started" -> entry.text("runId").orElse("");
            case "run_finished" -> "";
            default -> run;
        };
    }
}
