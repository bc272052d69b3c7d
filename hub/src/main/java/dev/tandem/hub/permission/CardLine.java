package dev.tandem.hub.permission;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The requests that wait for a person: of each requester one is shown, the others stand behind it
 * and may be decided by its answer. Not thread-safe: its desk's lock guards all of it; whoever must
 * hear of it is told later, by the teller.
 */
final class CardLine {

    /** More than anybody would answer; whoever asks on is told so. */
    private static final int MOST_WAITING = 32;

    private final Policy policy;
    private final DecisionLog decisions;
    private final Teller teller;
    private final Clock clock;
    private final Duration cardLife;
    private final Consumer<Pending> late;
    private final OpenCards open = new OpenCards();

    /** By requester, in the order of asking. */
    private final Map<String, Deque<Pending>> waiting = new HashMap<>();

    /**
     * @param late is told, without the lock, when a card's time is over
     */
    CardLine(
            Policy policy,
            DecisionLog decisions,
            Teller teller,
            Clock clock,
            Duration cardLife,
            Consumer<Pending> late) {
        this.policy = policy;
        this.decisions = decisions;
        this.teller = teller;
        this.clock = clock;
        this.cardLife = cardLife;
        this.late = late;
    }

    /** One that asks the same and has no answer yet. */
    Optional<Pending> same(Ask ask) {
        if (ask.what().source() != Ask.Source.BROWSER) {
            return Optional.empty();
        }
        String key = ask.who().key();
        return Stream.concat(open.of(key).stream(), behind(key).stream())
                .filter(one -> one.ask.what().source() == Ask.Source.BROWSER)
                .filter(one -> Policy.grantKey(one.ask).equals(Policy.grantKey(ask)))
                .findFirst();
    }

    /** Another call waits for that answer, too. */
    CompletableFuture<Outcome> join(Pending pending, Consumer<Card> shown) {
        pending.abandoned = false;
        open.card(pending.requestId).ifPresent(card -> teller.then(() -> shown.accept(card)));
        return pending.join(shown);
    }

    /** Decides it without a person where it can; else shows it, or lets it wait for that. */
    CompletableFuture<Outcome> enter(Pending pending, Consumer<Card> shown) {
        CompletableFuture<Outcome> outcome = pending.join(shown);
        Policy.Verdict verdict = policy.decide(pending.ask, pending.memory, pending.begun);
        String key = pending.key();
        if (verdict.outcome().isPresent()) {
            decided(pending, verdict.outcome().get(), verdict.ruleId());
        } else if (open.of(key).isEmpty()) {
            show(pending);
        } else if (behind(key).size() < MOST_WAITING) {
            waiting.computeIfAbsent(key, first -> new ArrayDeque<>()).add(pending);
        } else {
            return CompletableFuture.failedFuture(tooMany());
        }
        return outcome;
    }

    /** Those that wait for being shown. */
    private Deque<Pending> behind(String key) {
        return waiting.getOrDefault(key, new ArrayDeque<>());
    }

    private static TandemException tooMany() {
        return new TandemException(
                ErrorCode.CONFLICT,
                MOST_WAITING
                        + " questions wait already for the user. This one was not asked; ask again"
                        + " when they are answered.",
                "busy");
    }

    private void show(Pending pending) {
        Ask.Source source = pending.ask.what().source();
        boolean limited = source == Ask.Source.BROWSER || source == Ask.Source.ACCESS;
        long now = clock.millis();
        Card card =
                new Card(
                        pending.requestId,
                        pending.ask,
                        now,
                        limited ? now + cardLife.toMillis() : 0);
        open.show(pending, card);
        pending.viewers().forEach(shown -> teller.then(() -> shown.accept(card)));
        if (source == Ask.Source.FORM) {
            return;
        }
        teller.tell(watcher -> watcher.onCard(card));
        if (limited) {
            CompletableFuture.delayedExecutor(cardLife.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> late.accept(pending));
        }
    }

    /** Its time is over, unless it has its answer. */
    void expire(Pending pending) {
        if (!pending.outcome.isDone() && open.find(pending.requestId).isPresent()) {
            close(
                    pending,
                    new Outcome(
                            Outcome.Kind.TIMED_OUT,
                            "",
                            "timeout",
                            ErrorCode.PERMISSION_TIMEOUT.message()));
        }
    }

    /** The one that is shown and to be answered; says whether somebody was faster. */
    Pending required(String requestId) {
        return open.required(requestId);
    }

    /** The cards that a person may answer now, oldest first. */
    List<Card> cards() {
        return open.cards();
    }

    /** Takes the one that is shown away with its answer, and shows the next. */
    void close(Pending pending, Outcome outcome) {
        Optional<Card> card = open.remove(pending.requestId);
        settle(pending, outcome, "");
        card.filter(shown -> shown.ask().what().source() != Ask.Source.FORM)
                .ifPresent(shown -> teller.tell(watcher -> watcher.onResolved(shown, outcome)));
        pauseAfterThree(pending.key(), pending.memory);
        next(pending.key());
    }

    /** Whoever was refused that often in a turn shall stop. */
    void pauseAfterThree(String key, Memory memory) {
        if (memory.enoughRefusals() && !memory.paused) {
            memory.paused = true;
            teller.tell(watcher -> watcher.onPause(key));
        }
    }

    /** The answer may have decided those who waited behind it. */
    private void next(String key) {
        Deque<Pending> line = behind(key);
        while (!line.isEmpty()) {
            Pending pending = line.removeFirst();
            Policy.Verdict verdict = policy.decide(pending.ask, pending.memory, clock.millis());
            if (verdict.outcome().isEmpty()) {
                show(pending);
                return;
            }
            decided(pending, verdict.outcome().get(), verdict.ruleId());
        }
    }

    private void decided(Pending pending, Outcome outcome, String ruleId) {
        pending.memory.grants.remove(Policy.grantKey(pending.ask));
        settle(pending, outcome, ruleId);
    }

    private void settle(Pending pending, Outcome outcome, String ruleId) {
        open.resolved(pending.requestId, outcome);
        if (outcome.allowed()) {
            Policy.remember(pending.ask, pending.memory);
        }
        decisions.write(pending.ask, outcome, ruleId, pending.begun);
        teller.then(() -> pending.outcome.complete(outcome));
    }

    /** Nobody needs its answer any more. */
    void withdraw(String requestId) {
        Optional<Pending> shown = open.find(requestId);
        if (shown.isPresent()) {
            close(shown.get(), Outcome.cancelled("cancel"));
            return;
        }
        for (Pending one : waiting(requestId)) {
            behind(one.key()).remove(one);
            settle(one, Outcome.cancelled("cancel"), "");
        }
    }

    /** One call needs the answer no more; the last one takes the question away. */
    void withdraw(String requestId, CompletableFuture<Outcome> own) {
        pending(requestId)
                .filter(one -> one.part(own))
                .ifPresent(one -> {
                    if (one.needed()) {
                        teller.then(() -> own.complete(Outcome.cancelled("cancel")));
                    } else {
                        withdraw(requestId);
                    }
                });
    }

    /** Whoever asked will ask again, and gave up waiting until then. */
    void leave(String requestId, CompletableFuture<Outcome> own) {
        pending(requestId)
                .ifPresent(one -> {
                    one.part(own);
                    one.abandoned = true;
                });
    }

    private Optional<Pending> pending(String requestId) {
        return open.find(requestId).or(() -> waiting(requestId).stream().findFirst());
    }

    private List<Pending> waiting(String requestId) {
        return waiting.values().stream()
                .flatMap(Deque::stream)
                .filter(one -> one.requestId.equals(requestId))
                .toList();
    }

    /** None of one requester's needs an answer any more. */
    void cancelAll(String key) {
        List<Pending> behind = new ArrayList<>(behind(key));
        waiting.remove(key);
        open.of(key).forEach(one -> close(one, Outcome.cancelled("cancel")));
        behind.forEach(one -> settle(one, Outcome.cancelled("cancel"), ""));
    }
}
