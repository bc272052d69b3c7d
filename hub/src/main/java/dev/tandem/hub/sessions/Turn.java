package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.TurnEnd;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One prompt and all that follows until its stop reason. */
record Turn(String runId, Entry prompt, long startedAt) {
    /** What the hub says itself about a turn's end, or about the message that tells it. */
    private static final Set<String> OURS =
            Set.of("stopReason", "usage", "forced", "error", "runId", "id", "payload");

    private static final List<String> SAID = List.of("stderrTail", AgentException.EXIT);

    /** The entries that close the turn, whatever way it came to its end. */
    List<SessionLog.Draft> end(@Nullable TurnEnd how, @Nullable Throwable problem) {
        List<SessionLog.Draft> drafts = new ArrayList<>();
        ObjectNode finished = Json.object().put("event", "run_finished").put("runId", runId);
        if (how != null) {
            finished.put("stopReason", how.stopReason());
            if (how.forced()) {
                finished.put("forced", true);
            }
            JsonNode usage = how.result().path("usage");
            if (usage.isObject()) {
                finished.set("usage", usage.deepCopy());
            }
            ObjectNode more = how.result().deepCopy().remove(OURS);
            if (!more.isEmpty()) {
                finished.set("answer", more);
            }
        } else if (problem != null) {
            drafts.add(new SessionLog.Draft(Entry.Kind.ERROR, error(problem)));
            finished.put("stopReason", "error").put("error", words(problem));
            finished.set("problem", details(problem));
            exit(problem).ifPresent(exit -> finished.set(AgentException.EXIT, exit));
        } else {
            finished.put("stopReason", "cancelled");
        }
        drafts.add(new SessionLog.Draft(Entry.Kind.LIFECYCLE, finished));
        return drafts;
    }

    /** The entries that close a turn whose last word is a question to the user. */
    List<SessionLog.Draft> waits(String toolCallId, Optional<ObjectNode> card) {
        ObjectNode finished = Json.object().put("event", "run_finished").put("runId", runId);
        finished.put("stopReason", "end_turn");
        ObjectNode interrupt =
                finished.putObject("outcome")
                        .put("type", "interrupt")
                        .putArray("interrupts")
                        .addObject()
                        .put("id", toolCallId)
                        .put("reason", "input_required")
                        .put("toolCallId", toolCallId);
        card.flatMap(known ->
                        Json.text(known.path("rawInput").path("questions").path(0), "question"))
                .ifPresent(question -> interrupt.put("message", question));
        return List.of(new SessionLog.Draft(Entry.Kind.LIFECYCLE, finished));
    }

    static ObjectNode error(Throwable problem) {
        ObjectNode error = Json.object().put("error", words(problem));
        exit(problem).ifPresent(exit -> error.set(AgentException.EXIT, exit));
        return error.put("code", code(cause(problem)));
    }

    /** How the agent ended where it did so by itself. */
    static Optional<JsonNode> exit(Throwable problem) {
        return cause(problem) instanceof AgentException agent
                ? agent.details().optional(AgentException.EXIT).map(JsonNode::deepCopy)
                : Optional.empty();
    }

    private static String code(Throwable cause) {
        return switch (cause) {
            case AgentException agent -> agent.code();
            case TandemException known -> known.code().code();
            default -> "internal";
        };
    }

    /** For those who asked for it; the last error output is in the words already. */
    static ObjectNode details(Throwable problem) {
        Throwable cause = cause(problem);
        ObjectNode all = Json.object().put("code", code(cause));
        if (cause instanceof AgentException agent) {
            all.put("retryable", agent.retryable());
            all.set("details", agent.details().deepCopy().without(SAID));
        }
        return all;
    }

    /** What the agent said when it wanted a sign-in; empty when something else went wrong. */
    static String signInWords(Throwable problem) {
        return error(problem).path("code").asString("").equals("auth_required")
                ? words(problem)
                : "";
    }

    static String words(Throwable problem) {
        Throwable cause = cause(problem);
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static Throwable cause(Throwable problem) {
        return problem instanceof CompletionException && problem.getCause() != null
                ? problem.getCause()
                : problem;
    }
}
