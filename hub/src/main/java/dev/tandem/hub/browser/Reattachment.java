package dev.tandem.hub.browser;

import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sessions after their browser's link broke: asked for again by their leases when it is back, or
 * over. Any thread may call it.
 */
final class Reattachment {
    private static final Logger LOG = LoggerFactory.getLogger(Reattachment.class);
    private static final String LOST = "worker_restarted";

    private final OpsSessions sessions;
    private final Map<String, OpsClient> clients;
    private final Clock clock;
    private final AtomicLong attempts = new AtomicLong();

    /** One session that the browser was asked for. */
    private record Asked(OpsSession session, CompletableFuture<ObjectNode> answer) {}

    /**
     * @param clients the programs that are connected now, by their id
     */
    Reattachment(OpsSessions sessions, Map<String, OpsClient> clients, Clock clock) {
        this.sessions = sessions;
        this.clients = clients;
        this.clock = clock;
    }

    /** Asks for all of them at once and returns when each has come back or is over. */
    void of(List<OpsSession> held, Socket link) {
        List<Asked> asked = new ArrayList<>();
        try {
            held.forEach(session -> asked.add(new Asked(session, ask(session))));
        } catch (RejectedExecutionException e) {
            LOG.debug("The hub stops: nothing is attached again");
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Limits.EXTENSION_HOLD_MS);
        asked.forEach(one -> conclude(one, link, end));
    }

    /** Ends a session that its browser no longer has, and tells its program. */
    void over(OpsSession session, String reason) {
        OpsClient owner = clients.get(session.connection().id());
        if (sessions.end(session, reason) && owner != null) {
            boolean expired = reason.equals("session_expired");
            ObjectNode event =
                    Browsers.eventOf(expired ? "ops_session_expired" : "ops_session_closed", owner);
            event.put("opsSessionId", session.id()).putObject("payload").put("reason", reason);
            owner.event(event);
        }
    }

    private CompletableFuture<ObjectNode> ask(OpsSession session) {
        ObjectNode request = Json.object().put("type", "ops_request");
        // The link may have broken under an attempt that is still waiting for its answer.
        request.put("requestId", "attach-" + attempts.incrementAndGet());
        request.put("command", "session.connect");
        request.put("opsSessionId", session.id());
        request.put("leaseId", session.leaseId());
        request.putObject("payload")
                .put("sessionId", session.id())
                .put("leaseId", session.leaseId());
        return session.browser().request(session.connection(), request, Limits.EXTENSION_HOLD_MS);
    }

    private void conclude(Asked asked, Socket link, long end) {
        OpsSession session = asked.session();
        try {
            long left = Math.max(0, end - System.nanoTime());
            ObjectNode answer = asked.answer().get(left, TimeUnit.NANOSECONDS);
            Json.text(answer, "activeTargetId").ifPresent(session::active);
            session.state("active");
            if (hasLeft(session.connection())) {
                session.browser().clientGone(session.connection(), clock.millis());
            }
        } catch (ExecutionException | TimeoutException e) {
            // Whoever came after this link asks again.
            if (session.browser().linkedBy(link)) {
                LOG.info("A session of {} could not be attached again", session.browser().name());
                over(session, why(e));
                // It may be there all the same, and would keep its tabs from everybody.
                session.browser()
                        .end(
                                new GivenUp.Session(
                                        session.connection(), session.id(), session.leaseId()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String why(Exception failure) {
        return failure.getCause() instanceof TandemException known
                        && known.code() == ErrorCode.INVALID_SESSION
                ? Json.text(known.details(), "reason").orElse(LOST)
                : LOST;
    }

    /** A program that went while the browser was away could not be announced as gone. */
    private boolean hasLeft(OpsClient owner) {
        return owner.door() == OpsClient.Door.OPS && !clients.containsKey(owner.id());
    }
}
