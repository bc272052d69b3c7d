package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.time.Duration;

/** What a person's answer means from now on; guarded by the desk. */
final class Answers {
    private static final Duration AGENT_GRANT = Duration.ofSeconds(60);
    private static final Duration LATE_GRANT = Duration.ofMinutes(5);

    private final PermissionRules rules;
    private final Clock clock;

    Answers(PermissionRules rules, Clock clock) {
        this.rules = rules;
        this.clock = clock;
    }

    /**
     * @param optionId one of the request's; {@code deny_…} is understood as {@code reject_…}
     */
    Outcome take(Pending pending, String optionId, Caller by) {
        Ask ask = pending.ask;
        Ask.Option option = chosen(ask, optionId);
        boolean ownCard = ask.what().source() != Ask.Source.AGENT;
        if (option.allows()) {
            allow(pending, option, by);
            return new Outcome(Outcome.Kind.ALLOWED, option.optionId(), by.name(), "");
        }
        if (option.kind().startsWith("reject")) {
            pending.memory.turnedAway(ask.what().hash(), clock.millis());
            if (ownCard && option.kind().equals(Options.NEVER)) {
                store(ask, false, by);
            }
        }
        return new Outcome(
                Outcome.Kind.REFUSED,
                option.optionId(),
                by.name(),
                ErrorCode.PERMISSION_DENIED.message());
    }

    private static Ask.Option chosen(Ask ask, String optionId) {
        String wanted = Options.canonical(optionId);
        return ask.options().stream()
                .filter(one -> one.optionId().equals(optionId) || one.optionId().equals(wanted))
                .findFirst()
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.BAD_REQUEST,
                                "This request has no option \"" + Quote.of(optionId) + "\"."));
    }

    private void allow(Pending pending, Ask.Option option, Caller by) {
        Ask ask = pending.ask;
        Memory memory = pending.memory;
        boolean ownCard = ask.what().source() != Ask.Source.AGENT;
        String origin = ask.where().origin();
        ask.what().names().forEach(name -> memory.readable.add(Policy.readKey(ask, name)));
        if (!origin.isEmpty()) {
            memory.fence.add(origin);
        }
        Policy.agree(ask, memory);
        if (!ownCard) {
            if (!ask.what().tool().isEmpty() && !Names.sensitive(ask.what().names())) {
                grant(ask, memory, AGENT_GRANT);
            }
            return;
        }
        switch (option.optionId()) {
            case Options.SESSION ->
                    ask.what()
                            .names()
                            .forEach(name -> memory.forSession.add(name + " at " + origin));
            case Options.SITE -> memory.sites.add(origin);
            case Options.ALWAYS -> store(ask, true, by);
            case Options.DOMAIN ->
                    Patterns.domainOf(origin).ifPresent(domain -> store(ask, true, domain, by));
            default -> {
                // once: nothing stays
            }
        }
        if (pending.abandoned) {
            grant(ask, memory, LATE_GRANT);
        }
    }

    private void grant(Ask ask, Memory memory, Duration life) {
        memory.grants.put(Policy.grantKey(ask), clock.millis() + life.toMillis());
    }

    /**
     * One exact rule per name, never a wildcard; without an origin the name itself is the scope.
     * What a program asked for is decided for that program alone, and what was allowed on another
     * device waits for a yes here.
     */
    private void store(Ask ask, boolean allow, Caller by) {
        store(ask, allow, ask.where().origin().isEmpty() ? "*" : ask.where().origin(), by);
    }

    private void store(Ask ask, boolean allow, String origin, Caller by) {
        boolean here = by.kind() != TokenKind.DEVICE;
        String project = ask.who().project();
        String client = project.isEmpty() ? ask.who().key() : "*";
        for (String name : ask.what().names()) {
            if (!allow || !Names.sensitive(name)) {
                rules.put(
                        new PermissionRules.Wish(project, name, origin, client, allow, 0, 0, here));
            }
        }
    }
}
