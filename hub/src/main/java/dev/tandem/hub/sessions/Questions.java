package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Forms and links by which one session's agent asks for input; in the log like everything else.
 * They stand in the desk's line, so that a person sees one question of a session at a time and is
 * not asked again what they refused.
 */
final class Questions {
    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);
    private final String sessionId;
    private final SessionLog log;
    private final PermissionDesk desk;
    private final Map<String, Question> waiting = new ConcurrentHashMap<>();
    private final Map<String, Question> open = new ConcurrentHashMap<>();

    Questions(String sessionId, SessionLog log, PermissionDesk desk) {
        this.sessionId = sessionId;
        this.log = log;
        this.desk = desk;
    }

    private record Question(
            ElicitationRequest request, CompletableFuture<ElicitationAnswer> answer) {
        String id() {
            return request.requestId();
        }
    }

    CompletableFuture<ElicitationAnswer> ask(Ask.Who who, ElicitationRequest request) {
        Question question = new Question(request, new CompletableFuture<>());
        waiting.put(question.id(), question);
        Ask ask = Asks.form(who, request.params());
        var _ =
                desk.ask(question.id(), ask, card -> show(question))
                        .outcome()
                        .whenComplete((outcome, notAsked) -> {
                            if (notAsked == null) {
                                decided(question, outcome);
                            } else {
                                waiting.remove(question.id());
                                question.answer.completeExceptionally(notAsked);
                            }
                        });
        return question.answer;
    }

    private void show(Question question) {
        if (!waiting.remove(question.id(), question)) {
            return;
        }
        open.put(question.id(), question);
        ObjectNode body = Json.object().put("event", "elicitation_requested");
        body.putObject("value")
                .put("requestId", question.id())
                .set("params", question.request().params().deepCopy());
        try {
            log.append(sessionId, Entry.Kind.SYSTEM, body);
        } catch (TandemException notStored) {
            open.remove(question.id());
            question.answer.completeExceptionally(notStored);
            desk.withdraw(question.id());
        }
    }

    /** The desk's own word: it refused without asking, or nobody needs the answer any more. */
    private void decided(Question question, Outcome outcome) {
        boolean unseen = waiting.remove(question.id(), question);
        boolean seen = open.remove(question.id(), question);
        if (seen) {
            takeBack(question.id());
        }
        // Else a person has answered it, whose word is on its way.
        if (unseen || seen) {
            question.answer.complete(
                    outcome.kind() == Outcome.Kind.REFUSED
                            ? new ElicitationAnswer.Decline()
                            : new ElicitationAnswer.Cancel());
        }
    }

    void answer(String requestId, ElicitationAnswer answer, Caller by) {
        PermissionDesk.requirePerson(by);
        if (answer instanceof ElicitationAnswer.Accept accept) {
            requireFit(requestId, accept);
        }
        Question question = open.remove(requestId);
        if (question == null) {
            throw new TandemException(
                    ErrorCode.CONFLICT, "This question was answered already.", "already_resolved");
        }
        try {
            settle(requestId, answer);
        } catch (RuntimeException notStored) {
            open.put(requestId, question);
            throw notStored;
        }
        // The desk first: what the agent asks next is judged by one that knows.
        try {
            if (answer instanceof ElicitationAnswer.Cancel) {
                desk.dismiss(requestId, by);
            } else {
                desk.answered(requestId, answer instanceof ElicitationAnswer.Accept, by);
            }
        } catch (TandemException takenBack) {
            takeBack(requestId);
            question.answer.complete(new ElicitationAnswer.Cancel());
            throw takenBack;
        }
        question.answer.complete(answer);
    }

    /** Before anything is done, so that what does not fit leaves the form as it is. */
    private void requireFit(String requestId, ElicitationAnswer.Accept answer) {
        Question question = open.get(requestId);
        if (question != null && !question.request().isUrl()) {
            new FormSchema(question.request().params().path("requestedSchema"))
                    .problem(answer.content())
                    .ifPresent(problem -> {
                        throw new TandemException(
                                ErrorCode.BAD_REQUEST,
                                problem,
                                Json.object()
                                        .put("hint", "The form is still open: answer it again."));
                    });
        }
    }

    void withdraw(String requestId) {
        Question unseen = waiting.remove(requestId);
        if (unseen != null) {
            unseen.answer.complete(new ElicitationAnswer.Cancel());
        }
        Question seen = open.remove(requestId);
        if (seen != null) {
            takeBack(requestId);
            seen.answer.complete(new ElicitationAnswer.Cancel());
        }
        desk.withdraw(requestId);
    }

    /** On a full disk the log lacks it, but nobody waits behind a form that is gone. */
    private void takeBack(String requestId) {
        try {
            settle(requestId, new ElicitationAnswer.Cancel());
        } catch (TandemException notStored) {
            LOG.warn("That question {} was taken back is not stored", requestId, notStored);
        }
    }

    void withdrawAll() {
        List.copyOf(waiting.keySet()).forEach(this::withdraw);
        List.copyOf(open.keySet()).forEach(this::withdraw);
    }

    /** Those the agent asked and nobody answered, the one that is shown among them. */
    List<ElicitationRequest> asked() {
        return Stream.of(open, waiting)
                .flatMap(some -> some.values().stream())
                .map(Question::request)
                .toList();
    }

    /** What a person sees now. */
    List<ElicitationRequest> open() {
        return open.values().stream().map(Question::request).toList();
    }

    /** The words typed into a form may be secret; the log says only what was done. */
    private void settle(String requestId, ElicitationAnswer answer) {
        ObjectNode body = Json.object().put("event", "elicitation_resolved");
        body.putObject("value")
                .put("requestId", requestId)
                .put("action", Json.text(answer.toJson(), "action").orElse("cancel"));
        log.append(sessionId, Entry.Kind.SYSTEM, body);
    }
}
