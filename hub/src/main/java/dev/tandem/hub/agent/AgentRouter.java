package dev.tandem.hub.agent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings each message to its session. Messages come from one reader thread; agents may speak of a
 * session before they have told us its id, so those words wait.
 */
final class AgentRouter {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRouter.class);
    private static final int EARLY_MESSAGES = 1_000;
    private static final int EARLY_BYTES = 16 * 1024 * 1024;

    private record Early(
            String sessionId,
            String method,
            ObjectNode params,
            @Nullable IncomingRequest request,
            int bytes) {}

    private final Map<String, AgentSession> sessions = new ConcurrentHashMap<>();
    private final Map<Long, AgentHost> openings = new ConcurrentHashMap<>();
    private final AtomicInteger opening = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Early> early = new ArrayDeque<>();
    private int earlyBytes;

    /** A {@code session/new} under way. */
    final class Opening implements AutoCloseable {
        private long callId = -1;

        void belongsTo(long id, AgentHost host) {
            callId = id;
            openings.put(id, host);
        }

        @Override
        public void close() {
            openings.remove(callId);
            opening.decrementAndGet();
        }
    }

    Opening opening() {
        opening.incrementAndGet();
        return new Opening();
    }

    List<AgentSession> sessions() {
        return new ArrayList<>(sessions.values());
    }

    /** False when another session has this id: their words could not be told apart. */
    boolean add(AgentSession session) {
        lock.lock();
        try {
            if (sessions.putIfAbsent(session.agentSessionId(), session) != null) {
                return false;
            }
            early.removeIf(message -> {
                if (!message.sessionId().equals(session.agentSessionId())) {
                    return false;
                }
                earlyBytes -= message.bytes();
                deliver(session, message);
                return true;
            });
            return true;
        } finally {
            lock.unlock();
        }
    }

    void remove(AgentSession session) {
        sessions.remove(session.agentSessionId(), session);
    }

    void notification(String method, ObjectNode params, int bytes) {
        String id = AcpJson.text(params, "sessionId");
        if (id.isEmpty() && method.equals("elicitation/complete")) {
            sessions.values().forEach(session -> session.elicitationDone(params));
            return;
        }
        route(new Early(id, method, params, null, bytes));
    }

    void request(IncomingRequest request, int bytes) {
        String id = AcpJson.text(request.params(), "sessionId");
        if (id.isEmpty() && request.method().equals("elicitation/create")) {
            elicitation(request);
            return;
        }
        if (!route(new Early(id, request.method(), request.params(), request, bytes))) {
            if (id.isEmpty()) {
                SessionRequests.unknown(request);
            } else {
                request.fail(RpcException.INVALID_PARAMS, "There is no such session.");
            }
        }
    }

    private boolean route(Early message) {
        AgentSession session;
        lock.lock();
        try {
            session = sessions.get(message.sessionId());
            if (session == null) {
                return keep(message);
            }
        } finally {
            lock.unlock();
        }
        deliver(session, message);
        return true;
    }

    private boolean keep(Early message) {
        if (message.sessionId().isEmpty() || opening.get() == 0) {
            early.clear();
            earlyBytes = 0;
            LOG.debug("dropped {} for no known session", message.method());
            return false;
        }
        if (early.size() >= EARLY_MESSAGES || earlyBytes + message.bytes() > EARLY_BYTES) {
            LOG.warn("dropped {}: too much was said before the session was open", message.method());
            return false;
        }
        earlyBytes += message.bytes();
        return early.add(message);
    }

    private static void deliver(AgentSession session, Early message) {
        IncomingRequest request = message.request();
        if (request == null) {
            session.deliver(message.method(), message.params(), message.bytes());
        } else {
            session.deliver(request, message.bytes());
        }
    }

    /** A question that belongs to a request of ours, not to a session that exists already. */
    private void elicitation(IncomingRequest request) {
        long callId = request.params().path("requestId").asLong(-1);
        List<AgentSession> open = sessions();
        // Beside others nobody knows whose question it is.
        Optional<AgentHost> host =
                Optional.ofNullable(openings.get(callId))
                        .or(() ->
                                open.size() == 1
                                        ? Optional.of(open.getFirst().host())
                                        : Optional.empty());
        if (host.isEmpty()) {
            request.respond(new ElicitationAnswer.Cancel().toJson());
            return;
        }
        String id = UUID.randomUUID().toString();
        request.onCancel(() -> {
            request.respond(new ElicitationAnswer.Cancel().toJson());
            host.get().withdrawn(id);
        });
        var _ =
                host.get()
                        .elicitation(new ElicitationRequest(id, request.params()))
                        .whenComplete((answer, problem) ->
                                request.respond(
                                        (problem == null ? answer : new ElicitationAnswer.Cancel())
                                                .toJson()));
    }
}
