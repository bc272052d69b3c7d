package dev.tandem.hub.browser;

import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One Chrome profile with the extension. It outlives its connections: calls made while the
 * extension reconnects are held for a while, calls under way are answered late or failed with the
 * truth. Any thread may call it.
 */
public final class Browser {
    private final String id;
    private final ScheduledExecutorService timers;
    private final Map<String, PendingCall> pending = new ConcurrentHashMap<>();
    private final Map<String, Hello> hellos = new ConcurrentHashMap<>();
    private final Set<String> greeted = new HashSet<>();
    private final ReentrantLock longMessages = new ReentrantLock();
    private final GivenUp givenUp = new GivenUp();

    private Facts facts;
    private @Nullable Socket link;
    private boolean ready;
    private boolean stopping;
    private long linkSince = System.nanoTime();
    private volatile long usedAt;
    private volatile long focusedAt;
    private volatile Optional<ObjectNode> attachRefused = Optional.empty();

    /** What a browser says about itself, and how it came to us. */
    public record Facts(
            String name,
            String extensionId,
            String version,
            String browserVersion,
            String profileName,
            String workerId,
            Set<String> capabilities,
            String mode,
            long connectedAt) {}

    /** A client that was introduced, and what the extension answers to that. */
    private record Hello(OpsClient client, CompletableFuture<ObjectNode> ack) {}

    Browser(String id, Facts facts, ScheduledExecutorService timers) {
        this.id = id;
        this.facts = facts;
        this.timers = timers;
    }

    public String id() {
        return id;
    }

    public synchronized Facts facts() {
        return facts;
    }

    public String name() {
        return facts().name();
    }

    boolean isNamed(String nameOrId) {
        return id.equals(nameOrId) || name().equalsIgnoreCase(nameOrId);
    }

    /** "managed", "cdpConnect" or "extension". */
    public String mode() {
        return facts().mode();
    }

    public synchronized boolean connected() {
        return link != null;
    }

    /** Whether this is the connection in use. */
    synchronized boolean linkedBy(Socket one) {
        return link == one;
    }

    /** Whether it has been without a connection for that long. */
    synchronized boolean awayFor(long millis) {
        return link == null && linkAgeMs() >= millis;
    }

    /** How long ago its connection came or ended. */
    synchronized long linkAgeMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - linkSince);
    }

    /** When a client last worked with it. */
    long usedAt() {
        return usedAt;
    }

    void used(long now) {
        usedAt = now;
    }

    /** When the user last turned to one of its windows; 0 if they never did. */
    long focusedAt() {
        return focusedAt;
    }

    void focused(long now) {
        focusedAt = now;
    }

    /**
     * Takes a new connection and greets it; the older one, if any, is told that it was replaced.
     * The greeting is its first message, and whoever heard it finds the browser here.
     */
    synchronized void connect(Socket fresh, Facts now, String greeting) {
        Socket old = link;
        boolean sameWorker = now.workerId().equals(facts.workerId()) && !now.workerId().isEmpty();
        facts = now;
        link = fresh;
        linkSince = System.nanoTime();
        ready = false;
        greeted.clear();
        fresh.send(greeting);
        // What was said on a connection that broke may not have been heard.
        hellos.values().forEach(waiting -> introduce(waiting.client()));
        if (old != null) {
            old.close(1000, "Replaced by a new extension client");
        }
        if (!sameWorker) {
            failPending(List.copyOf(pending.values()));
        }
    }

    /** A word for the extension that needs no answer; lost when it is not there. */
    synchronized void tell(ObjectNode message) {
        Socket current = link;
        if (current != null) {
            current.send(Json.write(message));
        }
    }

    /** From now on calls go through: the sessions of this browser were attached again. */
    synchronized void ready(Socket current) {
        if (link == current) {
            ready = true;
            notifyAll();
        }
    }

    /** The connection ended; true when it was the current one. */
    synchronized boolean lost(Socket closed) {
        if (link != closed) {
            return false;
        }
        link = null;
        ready = false;
        linkSince = System.nanoTime();
        List<PendingCall> orphans = List.copyOf(pending.values());
        var _ =
                timers.schedule(
                        () -> {
                            if (!connected()) {
                                failPending(orphans);
                            }
                        },
                        Limits.EXTENSION_HOLD_MS,
                        TimeUnit.MILLISECONDS);
        return true;
    }

    /** The hub ends: calls that wait for an answer, and those that still come, hear just that. */
    void stopping() {
        synchronized (this) {
            stopping = true;
            notifyAll();
        }
        List.copyOf(pending.values()).forEach(call -> call.fail(hubStops(true)));
    }

    /**
     * Waits until calls go through, or are refused as the hub ends; false when the browser did not
     * come (back) in time.
     */
    boolean await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (this) {
            while (!ready && !stopping) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return true;
        }
    }

    /** Introduces a client and waits for the extension's answer. */
    CompletableFuture<ObjectNode> hello(OpsClient client) {
        Hello waiting = new Hello(client, new CompletableFuture<>());
        synchronized (this) {
            hellos.put(client.id(), waiting);
            if (!introduce(client)) {
                waiting.ack().completeExceptionally(disconnected(false));
            }
        }
        return waiting.ack().whenComplete((answer, failure) -> hellos.remove(client.id(), waiting));
    }

    private boolean introduce(OpsClient client) {
        greeted.add(client.id());
        return write(client.hello());
    }

    /** Sends one request; the future ends in exactly one answer or one error. */
    CompletableFuture<ObjectNode> request(OpsClient client, ObjectNode request, int timeoutMs) {
        String key = key(client.id(), request.path("requestId").asString(""));
        PendingCall call = new PendingCall(timeoutMs, timers);
        if (pending.putIfAbsent(key, call) != null) {
            call.answer().cancel(false);
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "This requestId is already under way.");
        }
        CompletableFuture<ObjectNode> answer =
                call.answer()
                        .whenComplete((result, failure) -> {
                            pending.remove(key, call);
                            if (failure != null) {
                                givenUp.add(key, client, request);
                            }
                            if (failure instanceof TandemException e
                                    && e.code() == ErrorCode.TIMEOUT) {
                                cancel(client, request.path("requestId").asString(""));
                            }
                        });
        String text = Json.write(client.stamp(request));
        if (Socket.isLong(text)) {
            sendLong(client, text, call);
        } else {
            send(client, text, call);
        }
        return answer;
    }

    /** One after the other, so that the link has room for what others say meanwhile. */
    private void sendLong(OpsClient client, String text, PendingCall call) {
        longMessages.lock();
        try {
            Socket current;
            synchronized (this) {
                current = link;
            }
            if (current != null) {
                current.awaitCalm();
            }
            if (!call.answer().isDone()) {
                send(client, text, call);
            }
        } finally {
            longMessages.unlock();
        }
    }

    private synchronized void send(OpsClient client, String text, PendingCall call) {
        if (stopping) {
            call.fail(hubStops(false));
            return;
        }
        if (!greeted.contains(client.id())) {
            introduce(client);
        }
        if (!write(text)) {
            call.fail(disconnected(false));
        }
    }

    /** Tells the extension to stop working on a request; the caller has its answer already. */
    void cancel(OpsClient client, String requestId) {
        ObjectNode message = Json.object().put("type", "ops_cancel").put("requestId", requestId);
        synchronized (this) {
            write(client.stamp(message));
        }
    }

    /** Ends a request with {@code cancelled}; unknown ones are ignored. */
    void cancelCall(OpsClient client, String requestId) {
        PendingCall call = pending.get(key(client.id(), requestId));
        if (call != null) {
            cancel(client, requestId);
            call.fail(
                    new TandemException(
                            ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled"));
        }
    }

    /** Tells the extension that a client is gone, so that its sessions can be released. */
    void clientGone(OpsClient client, long now) {
        ObjectNode event = Json.object().put("type", "ops_event");
        event.put("event", "ops_client_disconnected");
        event.putObject("payload").put("at", now);
        synchronized (this) {
            if (greeted.remove(client.id())) {
                write(client.stamp(event));
            }
        }
    }

    /** Ends a session that nobody here holds (any more). */
    synchronized void end(GivenUp.Session session) {
        ObjectNode request = Json.object().put("type", "ops_request");
        request.put("requestId", "end-" + session.id());
        request.put("command", "session.disconnect");
        request.put("opsSessionId", session.id()).put("leaseId", session.leaseId());
        request.putObject("payload");
        write(session.client().stamp(request));
    }

    void closeLink(int code, String reason) {
        Socket current;
        synchronized (this) {
            current = link;
        }
        if (current != null) {
            current.close(code, reason);
        }
    }

    /** Takes a message of the extension that answers something. */
    void answered(String type, ObjectNode message) {
        String clientId = message.path("clientId").asString("");
        String requestId = message.path("requestId").asString("");
        if (type.equals("ops_hello_ack")) {
            completeHello(clientId, Optional.empty(), message);
            return;
        }
        if (type.equals("ops_error") && requestId.equals("ops_hello")) {
            TandemException failure = TandemException.fromJson(message.path("error"));
            completeHello(clientId, Optional.of(failure), message);
            return;
        }
        PendingCall call = pending.get(key(clientId, requestId));
        if (call == null) {
            givenUp.answered(key(clientId, requestId), message).ifPresent(this::end);
            return;
        }
        switch (type) {
            case "ops_response" -> call.response(message);
            case "ops_chunk" -> call.chunk(message);
            default -> {
                TandemException failure = TandemException.fromJson(message.path("error"));
                if (failure.code() == ErrorCode.CDP_ATTACH_FAILED) {
                    attachRefused =
                            Optional.of(
                                    Json.object()
                                            .put("reason", failure.reason().orElse(""))
                                            .put("message", failure.message())
                                            .put("at", System.currentTimeMillis()));
                }
                call.fail(failure);
            }
        }
    }

    /** An answer that breaks the protocol; false when it cannot be told which call it is for. */
    boolean answeredBadly(String type, ObjectNode message, String problem) {
        TandemException failure =
                new TandemException(
                        ErrorCode.EXECUTION_FAILED,
                        "The browser sent an answer that cannot be read: " + problem + ".",
                        "bad_answer");
        String clientId = message.path("clientId").asString("");
        String requestId = message.path("requestId").asString("");
        if (type.equals("ops_hello_ack") || requestId.equals("ops_hello")) {
            return completeHello(clientId, Optional.of(failure), message);
        }
        PendingCall call = pending.get(key(clientId, requestId));
        if (call == null) {
            return false;
        }
        call.fail(failure);
        return true;
    }

    /** Why the debugger could not be attached to a tab when it was last tried in vain. */
    Optional<ObjectNode> attachRefused() {
        return attachRefused;
    }

    /** False when that client does not wait for an answer. */
    private boolean completeHello(
            String clientId, Optional<TandemException> failure, ObjectNode message) {
        Hello waiting = hellos.get(clientId);
        if (waiting == null) {
            return false;
        }
        if (failure.isPresent()) {
            waiting.ack().completeExceptionally(failure.get());
        } else {
            waiting.ack().complete(message);
        }
        return true;
    }

    private boolean write(ObjectNode message) {
        return write(Json.write(message));
    }

    private boolean write(String text) {
        Socket current = link;
        return current != null && current.send(text);
    }

    private static void failPending(List<PendingCall> calls) {
        new ArrayList<>(calls).forEach(call -> call.fail(disconnected(true)));
    }

    static TandemException disconnected(boolean dispatched) {
        ObjectNode details = Json.object().put("reason", "extension_disconnected");
        details.put("dispatched", dispatched);
        return new TandemException(
                ErrorCode.OPS_UNAVAILABLE, "Extension not connected to relay.", details);
    }

    private static TandemException hubStops(boolean dispatched) {
        ObjectNode details = Json.object().put("reason", "hub_stopping");
        details.put("dispatched", dispatched);
        return new TandemException(
                ErrorCode.OPS_UNAVAILABLE, ErrorCode.STOPPING.message(), details);
    }

    private static String key(String clientId, String requestId) {
        return clientId + " " + requestId;
    }
}
