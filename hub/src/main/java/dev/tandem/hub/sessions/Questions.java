package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/** Forms and links by which one session's agent asks for input; in the log like everything else. */
final class Questions {
    private final String sessionId;
    private final SessionLog log;
    private final Map<String, Open> open = new ConcurrentHashMap<>();

    Questions(String sessionId, SessionLog log) {
        this.sessionId = sessionId;
        this.log = log;
    }

    private record Open(ElicitationRequest request, CompletableFuture<ElicitationAnswer> answer) {}

    CompletableFuture<ElicitationAnswer> ask(ElicitationRequest request) {
        Open question = new Open(request, new CompletableFuture<>());
        open.put(request.requestId(), question);
        ObjectNode body = Json.object().put("event", "elicitation_requested");
        body.putObject("value")
                .put("requestId", request.requestId())
                .set("params", request.params().deepCopy());
        log.append(sessionId, Entry.Kind.SYSTEM, body);
        return question.answer;
    }

    void answer(String requestId, ElicitationAnswer answer) {
        Open question = open.remove(requestId);
        if (question == null) {
            throw new TandemException(
                    ErrorCode.CONFLICT, "This question was answered already.", "already_resolved");
        }
        try {
            settle(requestId, answer.toJson());
        } catch (RuntimeException notStored) {
            open.put(requestId, question);
            throw notStored;
        }
        question.answer.complete(answer);
    }

    void withdraw(String requestId) {
        Open question = open.remove(requestId);
        if (question != null) {
            settle(requestId, Json.object().put("action", "cancel"));
            question.answer.complete(new ElicitationAnswer.Cancel());
        }
    }

    void withdrawAll() {
        List.copyOf(open.keySet()).forEach(this::withdraw);
    }

    List<ElicitationRequest> open() {
        return open.values().stream().map(Open::request).toList();
    }

    /** The words typed into a form may be secret; the log says only what was done. */
    private void settle(String requestId, ObjectNode answer) {
        ObjectNode body = Json.object().put("event", "elicitation_resolved");
        body.putObject("value")
                .put("requestId", requestId)
                .put("action", Json.text(answer, "action").orElse("cancel"));
        log.append(sessionId, Entry.Kind.SYSTEM, body);
    }
}
