package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AccessAnswer;
import dev.tandem.hub.agent.AccessRequest;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentHost;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.agent.PermissionAnswer;
import dev.tandem.hub.agent.PermissionRequest;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** What a session's agent says and asks, passed on to the transcript and the desk. */
final class SessionHost implements AgentHost {
    private static final String QUESTION = "AskUserQuestion";

    private final Supplier<Session> session;
    private final Transcript transcript;
    private final Questions questions;
    private final PermissionDesk desk;
    private final Asks.Places places;
    private final Consumer<AgentException> ended;
    private final Consumer<String> asked;
    private final Queue<ObjectNode> told = new ConcurrentLinkedQueue<>();
    private final Map<String, ObjectNode> askedFor = new ConcurrentHashMap<>();
    private volatile Past past = Past.OVER;

    /** What to do with an old conversation that the agent repeats. */
    enum Past {
        /** Nothing: the hub's own log is the truth already. */
        KNOWN,
        /** Write it down when all of it was told: the agent had it without us. */
        NEW,
        /** Nothing is repeated any more. */
        OVER
    }

    SessionHost(
            Supplier<Session> session,
            Transcript transcript,
            Questions questions,
            PermissionDesk desk,
            Asks.Places places,
            Consumer<AgentException> ended,
            Consumer<String> asked) {
        this.session = session;
        this.transcript = transcript;
        this.questions = questions;
        this.desk = desk;
        this.places = places;
        this.ended = ended;
        this.asked = asked;
    }

    @Override
    public String owner() {
        return session.get().id();
    }

    void replaying(Past now) {
        past = now;
        told.clear();
    }

    /** Writes down the whole conversation that was new to us. */
    void writeDown() {
        told.forEach(transcript::past);
        transcript.end(false, List.of());
    }

    @Override
    public void update(ObjectNode update) {
        if (past == Past.NEW) {
            told.add(update);
        } else if (past == Past.OVER) {
            transcript.update(update);
            Json.text(update, "toolCallId")
                    .filter(id -> transcript.card(id).filter(SessionHost::asksTheUser).isPresent())
                    .ifPresent(asked);
        }
    }

    /** A tool of this name is answered by the user's next message, not in this turn. */
    private static boolean asksTheUser(ObjectNode card) {
        String name = Json.text(card, "name").or(() -> Json.text(card, "title")).orElse("");
        return name.equals(QUESTION)
                && !card.path("rawInput").path("questions").isEmpty()
                && !Transcript.isFinal(card);
    }

    @Override
    public CompletableFuture<PermissionAnswer> permission(PermissionRequest request) {
        transcript.mention(request.toolCall());
        String toolCallId = Json.text(request.toolCall(), "toolCallId").orElse("");
        ObjectNode card = transcript.card(toolCallId).orElse(request.toolCall());
        askedFor.put(request.requestId(), request.toolCall());
        // Where one of our own tools would act is a question to the browser; the agent's words must
        // not wait for it.
        return CompletableFuture.supplyAsync(
                        () -> Asks.agent(who(toolCallId), card, request.options(), places),
                        task -> Thread.ofVirtual().name("session-ask").start(task))
                .thenCompose(ask -> desk.ask(request.requestId(), ask).outcome())
                .thenApply(outcome -> answer(request, outcome))
                .whenComplete((answer, problem) -> askedFor.remove(request.requestId()));
    }

    /** The tool call of an open question, in the agent's own words. */
    Optional<ObjectNode> askedFor(String requestId) {
        return Optional.ofNullable(askedFor.get(requestId)).map(ObjectNode::deepCopy);
    }

    /** A rule may only choose among the agent's own options, and never a wider one. */
    private static PermissionAnswer answer(PermissionRequest request, Outcome outcome) {
        if (!outcome.optionId().isEmpty()) {
            return PermissionAnswer.selected(outcome.optionId());
        }
        return switch (outcome.kind()) {
            case ALLOWED ->
                    request.firstOfKind("allow_once")
                            .or(() -> request.firstOfKind("allow_always"))
                            .orElse(PermissionAnswer.cancelled());
            case REFUSED ->
                    request.firstOfKind("reject_once")
                            .or(() -> request.firstOfKind("reject_always"))
                            .orElse(PermissionAnswer.cancelled());
            case TIMED_OUT, CANCELLED -> PermissionAnswer.cancelled();
        };
    }

    @Override
    public CompletableFuture<AccessAnswer> access(AccessRequest request) {
        Ask ask = Asks.access(who(""), request.permission(), request.target());
        return desk.ask(request.requestId(), ask)
                .outcome()
                .thenApply(outcome ->
                        outcome.allowed()
                                ? AccessAnswer.allowed()
                                : AccessAnswer.refused(outcome.reason()));
    }

    @Override
    public CompletableFuture<ElicitationAnswer> elicitation(ElicitationRequest request) {
        return questions.ask(who(""), request);
    }

    @Override
    public void elicitationDone(String elicitationId) {
        questions.asked().stream()
                .filter(one ->
                        Json.text(one.params(), "elicitationId").orElse("").equals(elicitationId))
                .forEach(one -> questions.withdraw(one.requestId()));
    }

    @Override
    public void withdrawn(String requestId) {
        questions.withdraw(requestId);
    }

    @Override
    public void ended(AgentException reason) {
        ended.accept(reason);
    }

    private Ask.Who who(String toolCallId) {
        Session now = session.get();
        return new Ask.Who("acp", now.id(), now.name(), now.projectId(), now.mode(), toolCallId);
    }
}
