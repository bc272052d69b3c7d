package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Follows a session until a turn ends, showing what happens and asking what must be asked. */
final class Talk {
    private static final ObjectNode SIGN_IN =
            Json.object()
                    .put("reason", "auth_required")
                    .put(
                            "hint",
                            "Sign in to the agent: the chat in the panel or at /app shows its ways.");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Command.Context context;
    private final String sessionId;
    private final TurnText text;
    private final Cards cards;
    private final Set<String> resolved = new HashSet<>();
    private final long past;
    private String run = "";

    /**
     * @param past the number up to which an end of the session is history, as it ran again after
     *     it; -1 if none is
     */
    Talk(Command.Context context, String sessionId, boolean withPrompts, long past) {
        this.past = past;
        this.context = context;
        this.sessionId = sessionId;
        this.text = new TurnText(context.printer(), withPrompts);
        this.cards = new Cards(context);
    }

    /**
     * How following ended.
     *
     * @param stopReason of the turn; empty if the caller left before it ended
     */
    record End(String stopReason, JsonNode body, String said) {
        boolean good() {
            return stopReason.equals("end_turn") || stopReason.isEmpty();
        }
    }

    /**
     * Shows everything after a number until a turn ends.
     *
     * @param ours tells by the number of its prompt whether that turn is the one
     */
    End until(LongPredicate ours, long afterSeq) {
        try (Following news = context.port().sessions().follow(sessionId, afterSeq)) {
            while (!news.over()) {
                Optional<ObjectNode> event = news.next(PATIENCE);
                if (event.isPresent()) {
                    Optional<End> end = take(event.get(), ours, news);
                    if (end.isPresent()) {
                        text.endLine();
                        return end.get();
                    }
                }
            }
        }
        text.endError("");
        text.endLine();
        return new End("", Json.object(), text.said());
    }

    private Optional<End> take(ObjectNode event, LongPredicate ours, Following news) {
        text.show(event);
        JsonNode body = event.path("body");
        return switch (event.path("kind").asString("")) {
            case "permission" -> card(body, ours, news);
            case "lifecycle" -> {
                Optional<End> end = lifecycle(event, ours);
                text.endError(end.map(one -> one.body().path("error").asString("")).orElse(""));
                yield end;
            }
            default -> Optional.empty();
        };
    }

    private Optional<End> lifecycle(JsonNode event, LongPredicate ours) {
        JsonNode body = event.path("body");
        return switch (body.path("event").asString("")) {
            case "run_started" -> {
                if (run.isEmpty() && ours.test(body.path("prompt").asLong(-1))) {
                    run = body.path("runId").asString("");
                }
                yield Optional.empty();
            }
            case "run_finished" -> {
                boolean over = !run.isEmpty() && body.path("runId").asString("").equals(run);
                String reason = body.path("stopReason").asString("?");
                yield over ? Optional.of(new End(reason, body, text.said())) : Optional.empty();
            }
            default ->
                    event.path("seq").asLong(0) <= past || restarts(body)
                            ? Optional.empty()
                            : Optional.of(sessionEnded(body));
        };
    }

    /** What we said waits still: the agent that crashed before it comes back for it. */
    private boolean restarts(JsonNode body) {
        boolean again = run.isEmpty() && body.path("again").asBoolean(false);
        if (again) {
            text.endError("");
            text.remark("The agent crashed before it got this, and is started again.");
        }
        return again;
    }

    private End sessionEnded(JsonNode body) {
        text.endLine();
        String why = body.path("message").asString("");
        String message = why.isEmpty() ? "The session ended." : why;
        text.endError(message);
        if (body.path("phase").asString("").equals("Failed")) {
            throw failed(message, body.path("reason").asString(""));
        }
        text.remark(message);
        return new End("stopped", body, text.said());
    }

    static TandemException failed(String message, String reason) {
        return reason.equals("auth_required")
                ? new TandemException(ErrorCode.AGENT_FAILED, message, SIGN_IN.deepCopy())
                : new TandemException(ErrorCode.AGENT_FAILED, message);
    }

    private Optional<End> card(JsonNode body, LongPredicate ours, Following news) {
        String id = body.path("requestId").asString("");
        if (!body.path("state").asString("").equals("requested")) {
            resolved.add(id);
            return Optional.empty();
        }
        boolean waits =
                context.port().cards().cards().stream()
                        .anyMatch(one -> one.path("requestId").asString("").equals(id));
        if (!waits) {
            return Optional.empty();
        }
        text.endLine();
        if (!cards.interactive()) {
            CardText card = new CardText(body.path("card"));
            text.remark(
                    "? Allow? "
                            + card.title()
                            + "\n  tandem permissions allow "
                            + card.shortId()
                            + "   (or reject; tandem permissions shows it)");
            return Optional.empty();
        }
        List<End> ended = new ArrayList<>();
        cards.ask(
                body.path("card"),
                () -> {
                    Optional<ObjectNode> next = news.next(Duration.ZERO);
                    while (next.isPresent()) {
                        take(next.get(), ours, news).ifPresent(ended::add);
                        next = ended.isEmpty() ? news.next(Duration.ZERO) : Optional.empty();
                    }
                    return !ended.isEmpty() || resolved.contains(id) || news.over();
                });
        return ended.stream().findFirst();
    }
}
