package dev.tandem.hub.permission;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Gate;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.OpsSession;
import dev.tandem.hub.browser.Place;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.browser.WebOrigin;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the desk before a tool of an agent session or of a program with a token of its own runs; the
 * user is never asked. Waits while a card is open; the tool's deadline does not run meanwhile.
 */
public final class PermissionGate implements Gate {
    /** Many clients give up at 60 s: before that they are told to come back. */
    public static final Duration MCP_PATIENCE = Duration.ofSeconds(45);

    private final PermissionDesk desk;
    private final Function<String, Optional<Ask.Who>> sessions;
    private final Duration patience;
    private final Programs programs;
    private final Gate byToken = Gate.byToken();

    /**
     * @param sessions who an agent session is, by its id
     * @param patience how long a call over HTTP waits for a person
     */
    public PermissionGate(
            PermissionDesk desk, Function<String, Optional<Ask.Who>> sessions, Duration patience) {
        this.desk = desk;
        this.sessions = sessions;
        this.patience = patience;
        this.programs = new Programs(desk);
    }

    @Override
    public void check(Request request) {
        Caller caller = request.client().caller();
        boolean session = caller.kind() == TokenKind.SESSION;
        if (!session) {
            byToken.check(request);
        }
        // Each step of a run comes here by itself when it is reached.
        if (caller.kind() == TokenKind.HUB
                || request.permissions().isEmpty()
                || request.tool().name().equals("run")) {
            return;
        }
        Ask.Who who = asker(request);
        if (desk.allowsAnywhere(who, request.permissions())) {
            return;
        }
        Ask ask =
                Asks.browser(
                        who,
                        new Asks.OurCall(request.tool(), request.arguments()),
                        request.permissions(),
                        where(request.permissions(), request.arguments(), request.place().get()));
        OpsClient.Door door = request.client().door();
        boolean limited = door == OpsClient.Door.MCP || door == OpsClient.Door.COMMAND;
        Ask drawn = desk.asks(ask) ? ask.about(request.element().get()) : ask;
        Outcome outcome = await(drawn, request.session(), request.watch(), limited);
        request.session().ifPresent(OpsSession::throwIfEnded);
        conclude(outcome);
    }

    @Override
    public boolean guardsFrames(Request request) {
        return request.client().caller().kind() != TokenKind.HUB
                && !request.permissions().isEmpty()
                && !desk.allowsAnywhere(asker(request), request.permissions());
    }

    @Override
    public boolean opensFrame(Request request, String origin) {
        return desk.allows(
                Asks.browser(
                        asker(request),
                        new Asks.OurCall(request.tool(), request.arguments()),
                        request.permissions(),
                        new Ask.Where(origin, origin + "/", "", origin + "/")));
    }

    @Override
    public boolean guardsSensitive(Request request) {
        return request.client().caller().kind() != TokenKind.HUB;
    }

    private Ask.Who asker(Request request) {
        Caller caller = request.client().caller();
        return caller.kind() == TokenKind.SESSION ? who(caller) : programs.who(request.client());
    }

    /** Asks before a client runs one of its own tools for a session's agent. */
    public void checkLocal(Caller caller, String tool, ObjectNode arguments, Watch watch) {
        conclude(await(Asks.local(who(caller), tool, arguments), Optional.empty(), watch, true));
    }

    /** Whether a caller may ask the person this by other means than a card. */
    public boolean welcome(Caller caller, ObjectNode question) {
        if (caller.session().isEmpty()) {
            programs.heard(OpsClient.key(caller));
        }
        return caller.kind() == TokenKind.HUB || desk.welcome(key(caller), asked(question));
    }

    /** The person said no to that. */
    public void turnedAway(Caller caller, ObjectNode question) {
        if (caller.kind() != TokenKind.HUB) {
            desk.turnedAway(key(caller), asked(question));
        }
    }

    private static String key(Caller caller) {
        return caller.session().orElseGet(() -> OpsClient.key(caller));
    }

    private static String asked(ObjectNode question) {
        return Asks.hash("asked", question);
    }

    private Ask.Who who(Caller caller) {
        return caller.session()
                .flatMap(sessions)
                .orElseThrow(() -> Gate.denied("This session is gone."));
    }

    /** A call that goes somewhere is asked about there. */
    public static Ask.Where where(Set<String> names, ObjectNode arguments, Place place) {
        String url = Gate.goesTo(names, arguments).orElse(place.url());
        return new Ask.Where(WebOrigin.of(url), url, place.tab(), document(place.url()));
    }

    /** A document is known here by its address; the extension knows better and looks again. */
    private static String document(String url) {
        int fragment = url.indexOf('#');
        return fragment < 0 ? url : url.substring(0, fragment);
    }

    /** Whoever waits in a session waits no longer than that is there. */
    private Outcome await(Ask ask, Optional<OpsSession> session, Watch watch, boolean limited) {
        CompletableFuture<Card> shown = new CompletableFuture<>();
        PermissionDesk.Asked asked = desk.ask(UUID.randomUUID().toString(), ask, shown::complete);
        Runnable stop = () -> desk.withdraw(asked);
        watch.onCancel(stop);
        session.ifPresent(held -> held.onEnd(stop));
        long began = System.nanoTime();
        long most = limited ? patience.toNanos() : Long.MAX_VALUE;
        try {
            // The card may come up long after the question, behind others.
            var _ = CompletableFuture.anyOf(shown, asked.outcome()).get(most, NANOSECONDS);
            if (shown.isDone()) {
                watch.pending(shown.join().toJson());
            }
            return asked.outcome().get(most - (System.nanoTime() - began), NANOSECONDS);
        } catch (TimeoutException e) {
            desk.leave(asked);
            throw new TandemException(
                    ErrorCode.PERMISSION_PENDING,
                    ErrorCode.PERMISSION_PENDING.message(),
                    Json.object().put("requestId", asked.requestId()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            desk.withdraw(asked);
            throw cancelled();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TandemException notAsked ? notAsked : cancelled();
        } finally {
            watch.waited(System.nanoTime() - began);
            watch.done(stop);
            session.ifPresent(held -> held.done(stop));
        }
    }

    private static void conclude(Outcome outcome) {
        switch (outcome.kind()) {
            case ALLOWED -> {
                // go on
            }
            case REFUSED -> throw Gate.denied(outcome.reason());
            case TIMED_OUT -> throw TandemException.of(ErrorCode.PERMISSION_TIMEOUT);
            case CANCELLED -> throw cancelled();
        }
    }

    private static TandemException cancelled() {
        return new TandemException(
                ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
    }
}
