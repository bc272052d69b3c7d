package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.WebOrigin;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Takes every request for permission, answers by rule or mode where it can, and else shows a card
 * on all surfaces at once. One card per requester is open, the others wait behind it; the first
 * valid answer wins and everybody is told. Any thread may call it; nothing here blocks.
 *
 * <p>One lock guards what is remembered of requesters and the {@link CardLine} together, as an
 * answer changes both. Who watches, asked or reads the audit is told without it, by the teller.
 */
public final class PermissionDesk implements AutoCloseable {
    private final PermissionRules rules;
    private final Policy policy;
    private final Answers answers;
    private final DecisionLog decisions;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Memory> memories = new LinkedHashMap<>();
    private final Teller teller = new Teller();
    private final CardLine line;

    private boolean closed;

    /** How long a card about a browser or a file waits; agents' own have no limit. */
    public static final Duration CARD_LIFE = Duration.ofMinutes(5);

    public PermissionDesk(
            PermissionRules rules, Database database, Clock clock, Duration cardLife) {
        this.rules = rules;
        this.policy = new Policy(rules);
        this.answers = new Answers(rules, clock);
        this.decisions = new DecisionLog(database, clock);
        this.clock = clock;
        this.line = new CardLine(policy, decisions, teller, clock, cardLife, this::expire);
    }

    /** Someone who shows cards or follows them; told one thing after the other. */
    public interface Watcher {
        void onCard(Card card);

        void onResolved(Card card, Outcome outcome);

        /** Three refusals in a turn: the requester shall stop. */
        default void onPause(String key) {}
    }

    /** One row of the audit. */
    public record Decision(
            long at,
            String client,
            String clientName,
            String tool,
            String kinds,
            String origin,
            String decision,
            String by,
            String ruleId,
            long durationMs) {}

    /** A question on its way: its id, and its end for the call that asked. */
    public record Asked(String requestId, CompletableFuture<Outcome> outcome) {}

    public AutoCloseable watch(Watcher watcher) {
        return teller.watch(watcher);
    }

    /**
     * Asks under an id of the caller's; equal asks that still wait share one card. What is more
     * than may wait behind the open card fails with the reason.
     */
    public Asked ask(String requestId, Ask ask) {
        return ask(requestId, ask, card -> {});
    }

    /**
     * The same for one who wants to know when it is what the person looks at, or draws the question
     * himself, as forms are; {@link #answered} when they have answered that.
     *
     * @param shown must not block: others wait to be told of their cards
     */
    public Asked ask(String requestId, Ask ask, Consumer<Card> shown) {
        long now = clock.millis();
        lock.lock();
        try {
            Optional<Pending> same = line.same(ask);
            if (same.isPresent()) {
                return new Asked(same.get().requestId, line.join(same.get(), shown));
            }
            Memory memory = memory(ask.who().key());
            return new Asked(
                    requestId, line.enter(new Pending(requestId, ask, memory, now), shown));
        } finally {
            lock.unlock();
        }
    }

    public Asked ask(Ask ask) {
        return ask(UUID.randomUUID().toString(), ask);
    }

    /** Whether a person would be asked; nothing is remembered of this. */
    boolean asks(Ask ask) {
        lock.lock();
        try {
            return policy.decide(ask, memory(ask.who().key()), clock.millis()).outcome().isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether rules, earlier answers or the mode allow it; nobody is asked, it counts as done. */
    boolean allows(Ask ask) {
        lock.lock();
        try {
            Memory memory = memory(ask.who().key());
            boolean allowed =
                    policy.decide(ask, memory, clock.millis())
                            .outcome()
                            .filter(Outcome::allowed)
                            .isPresent();
            if (allowed) {
                Policy.remember(ask, memory);
            }
            return allowed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether such a call is allowed wherever it happens, so that the place need not be known. */
    boolean allowsAnywhere(Ask.Who who, Collection<String> names) {
        lock.lock();
        try {
            Memory memory = memories.get(who.key());
            return who.mode() == Caller.Mode.ACT
                    && !Names.sensitive(names)
                    && (memory == null || !memory.paused)
                    && rules.everywhere(who);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A person's answer. Agents and programs cannot give one, whatever token they hold.
     *
     * @param optionId one of the card's; {@code deny_…} is understood as {@code reject_…}
     */
    public Outcome answer(String requestId, String optionId, Caller by) {
        requirePerson(by);
        lock.lock();
        try {
            Pending pending = line.required(requestId);
            Outcome outcome = answers.take(pending, optionId, by);
            line.close(pending, outcome);
            return outcome;
        } finally {
            lock.unlock();
        }
    }

    /** A person chooses none of the options: the one who asked is told that nobody decided. */
    public void dismiss(String requestId, Caller by) {
        requirePerson(by);
        lock.lock();
        try {
            Pending pending = line.required(requestId);
            pending.memory.putAway(pending.ask.what().hash(), clock.millis());
            line.close(pending, Outcome.cancelled("cancel"));
        } finally {
            lock.unlock();
        }
    }

    /** A person's answer to what is drawn elsewhere. */
    public void answered(String requestId, boolean yes, Caller by) {
        requirePerson(by);
        lock.lock();
        try {
            Pending pending = line.required(requestId);
            if (!yes) {
                pending.memory.turnedAway(pending.ask.what().hash(), clock.millis());
            }
            line.close(pending, yes ? Outcome.allowed(by.name()) : Outcome.refused(by.name(), ""));
        } finally {
            lock.unlock();
        }
    }

    /** Whether a person may be asked by other means than a card, or said no to it lately. */
    boolean welcome(String key, String hash) {
        lock.lock();
        try {
            Memory memory = memory(key);
            return !memory.paused && !memory.refusedBefore(hash, clock.millis());
        } finally {
            lock.unlock();
        }
    }

    /** A person said no to what was no card. */
    void turnedAway(String key, String hash) {
        lock.lock();
        try {
            Memory memory = memory(key);
            memory.turnedAway(hash, clock.millis());
            line.pauseAfterThree(key, memory);
        } finally {
            lock.unlock();
        }
    }

    /** Agents and programs answer nothing, whatever token they hold. */
    public static void requirePerson(Caller by) {
        if (by.kind() == TokenKind.SESSION || by.kind() == TokenKind.CLIENT || !by.proven()) {
            throw new TandemException(
                    ErrorCode.FORBIDDEN, "Only the user answers permission requests.");
        }
    }

    /** The cards that wait for a person now, oldest first. */
    public List<Card> open() {
        lock.lock();
        try {
            return line.cards();
        } finally {
            lock.unlock();
        }
    }

    public List<Card> open(String key) {
        return open().stream().filter(card -> card.key().equals(key)).toList();
    }

    /** That call does not need the answer any more; others that share the question still do. */
    public void withdraw(Asked asked) {
        lock.lock();
        try {
            line.withdraw(asked.requestId(), asked.outcome());
        } finally {
            lock.unlock();
        }
    }

    /** The requester does not need this answer any more. */
    public void withdraw(String requestId) {
        lock.lock();
        try {
            line.withdraw(requestId);
        } finally {
            lock.unlock();
        }
    }

    /** The caller stops waiting but will repeat the call: a yes until then is kept for it. */
    public void leave(Asked asked) {
        lock.lock();
        try {
            line.leave(asked.requestId(), asked.outcome());
        } finally {
            lock.unlock();
        }
    }

    /** A turn begins; these origins were named by the user. */
    public void turnStarted(String key, Collection<String> namedByUser) {
        lock.lock();
        try {
            Memory memory = memory(key);
            memory.newTurn();
            namedByUser.stream()
                    .map(WebOrigin::of)
                    .filter(origin -> !origin.isEmpty())
                    .forEach(memory.fence::add);
        } finally {
            lock.unlock();
        }
    }

    /** A program is heard of, which has no turns: what was refused long ago counts no more. */
    void lapse(String key) {
        lock.lock();
        try {
            memory(key).lapse(clock.millis());
        } finally {
            lock.unlock();
        }
    }

    /** A turn was cancelled or is over: whatever it still asks is answered {@code cancelled}. */
    public void cancelAll(String key) {
        lock.lock();
        try {
            memory(key).grants.clear();
            line.cancelAll(key);
        } finally {
            lock.unlock();
        }
    }

    /** The user stopped the turn: cards that were put away with it were not refused. */
    public void stopped(String key) {
        lock.lock();
        try {
            memory(key).stopped(clock.millis());
        } finally {
            lock.unlock();
        }
    }

    /** The requester is gone for good; nothing about it is remembered. */
    public void forget(String key) {
        lock.lock();
        try {
            cancelAll(key);
            memories.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Takes note of an agent that tried what only the user may do. */
    public void refused(Caller agent, String what) {
        Ask.Who who =
                new Ask.Who(agent.kind().word(), agent.id(), agent.name(), "", agent.mode(), "");
        Ask.What tried = new Ask.What(Ask.Source.ACCESS, "widen", Set.of(), what, "", "");
        Ask ask = new Ask(who, tried, Ask.Where.NOWHERE, List.of());
        Outcome outcome = Outcome.refused("user_only", what);
        long now = clock.millis();
        decisions.write(ask, outcome, "", now);
    }

    /** The newest decisions, for the timeline. */
    public List<Decision> decisions(int limit) {
        return decisions.newest(limit);
    }

    public PermissionRules rules() {
        return rules;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            List.copyOf(memories.keySet()).forEach(this::cancelAll);
            closed = true;
        } finally {
            lock.unlock();
        }
        teller.close();
        decisions.close();
    }

    private Memory memory(String key) {
        return memories.computeIfAbsent(key, fresh -> new Memory());
    }

    /** A card's time is over; called without the lock. */
    private void expire(Pending pending) {
        lock.lock();
        try {
            if (!closed) {
                line.expire(pending);
            }
        } finally {
            lock.unlock();
        }
    }
}
