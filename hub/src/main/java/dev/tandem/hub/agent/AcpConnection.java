package dev.tandem.hub.agent;

import dev.tandem.protocol.LineReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON-RPC in both directions over one agent's pipes. Any thread may send; everything that arrives
 * is handed on by one reader thread, in the order in which the agent wrote it.
 */
final class AcpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(AcpConnection.class);

    /** The hub's side; all calls come from the reader thread and must return soon. */
    interface Peer {
        void notification(String method, ObjectNode params, int bytes);

        void request(IncomingRequest request, int bytes);

        void closed(AgentException reason);
    }

    /** A request of ours that is under way. */
    record Call(long id, CompletableFuture<JsonNode> result) {}

    private final AgentProcess process;
    private final Peer peer;
    private final AtomicLong nextId = new AtomicLong(1);
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final Map<JsonNode, IncomingRequest> incoming = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable AgentException> end = new AtomicReference<>();
    private volatile long lastHeardNanos = System.nanoTime();

    AcpConnection(AgentProcess process, Peer peer) {
        this.process = process;
        this.peer = peer;
    }

    void open() {
        Thread.ofPlatform().daemon().name("agent-" + process.pid() + "-stdout").start(this::read);
        Thread.ofVirtual()
                .name("agent-" + process.pid() + "-exit")
                .start(() -> {
                    process.awaitExit();
                    drainThenClose();
                });
    }

    /** A request to be sent; whoever must see its answer in order attaches to it first. */
    Call prepare() {
        Call call = new Call(nextId.getAndIncrement(), new CompletableFuture<>());
        pending.put(call.id(), call.result());
        return call;
    }

    void send(Call call, String method, ObjectNode params) {
        ObjectNode message = AcpJson.object().put("jsonrpc", "2.0").put("id", call.id());
        send(message.put("method", method).set("params", params));
        AgentException reason = end.get();
        if (reason != null) {
            // The end may have passed before this call was known.
            pending.remove(call.id());
            call.result().completeExceptionally(reason);
        }
    }

    /** A prepared call that was never sent. */
    void drop(Call call) {
        pending.remove(call.id());
    }

    Call request(String method, ObjectNode params) {
        Call call = prepare();
        send(call, method, params);
        return call;
    }

    void notify(String method, ObjectNode params) {
        ObjectNode message = AcpJson.object().put("jsonrpc", "2.0").put("method", method);
        send(message.set("params", params));
    }

    void cancelRequest(long id) {
        notify("$/cancel_request", AcpJson.object().put("requestId", id));
    }

    /** Waits as long as the agent says anything at all, and that long after its last word. */
    <T> T await(long id, CompletableFuture<T> result, Duration silence) {
        long begun = System.nanoTime();
        while (true) {
            long left = Math.max(begun, lastHeardNanos) + silence.toNanos() - System.nanoTime();
            if (left <= 0) {
                throw gaveUp(id, "The agent said nothing for " + seconds(silence) + ".");
            }
            try {
                return result.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException quiet) {
                LOG.trace("agent {} is quiet", process.pid());
            } catch (ExecutionException failed) {
                throw failure(failed.getCause());
            } catch (InterruptedException interrupted) {
                throw interrupted(id);
            }
        }
    }

    /** Waits so long and not longer, whatever else the agent says meanwhile. */
    JsonNode awaitWithin(Call call, Duration limit) {
        try {
            return call.result().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw gaveUp(
                    call.id(),
                    "The agent did not answer within "
                            + seconds(limit)
                            + " and was stopped. It may wait for a sign-in or speak another"
                            + " protocol than ACP; \"tandem agents\" shows how it is started.");
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } catch (InterruptedException interrupted) {
            throw interrupted(call.id());
        }
    }

    private AgentException gaveUp(long id, String message) {
        cancelRequest(id);
        pending.remove(id);
        return process.failure("agent_timeout", message);
    }

    private AgentException interrupted(long id) {
        Thread.currentThread().interrupt();
        cancelRequest(id);
        return new AgentException("cancelled", "The call was interrupted.");
    }

    private static String seconds(Duration time) {
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /** An agent that breaks inside often says why only on its error output. */
    private AgentException failure(@Nullable Throwable problem) {
        if (!(problem instanceof RpcException rpc) || rpc.code() != RpcException.INTERNAL) {
            return toAgentException(problem);
        }
        AgentException told = process.failure("agent_error", rpc.explained() + ".");
        told.details().set("rpc", rpc.toJson());
        return told;
    }

    static AgentException toAgentException(@Nullable Throwable problem) {
        return switch (problem) {
            case AgentException known -> known;
            case RpcException rpc -> AgentException.ofRpc(rpc);
            case null -> new AgentException("internal", "The call failed.");
            default -> new AgentException("internal", String.valueOf(problem.getMessage()));
        };
    }

    long lastHeardNanos() {
        return lastHeardNanos;
    }

    private void send(ObjectNode message) {
        if (end.get() == null && !process.send(AcpJson.line(message))) {
            close(process.failure("agent_protocol_error", "The agent no longer reads its input."));
        }
    }

    private void read() {
        LineReader lines = new LineReader(process.stdout(), AcpJson.MAX_LINE_BYTES);
        try {
            while (lines.next()) {
                lastHeardNanos = System.nanoTime();
                if (!lines.isBlank()) {
                    line(lines.bytes(), lines.length());
                }
            }
            close(process.exitReason());
        } catch (LineReader.LineTooLong tooLong) {
            close(
                    process.failure(
                            "agent_protocol_error",
                            "The agent wrote " + tooLong.getMessage() + " and was stopped."));
        } catch (IOException gone) {
            close(process.exitReason());
        } catch (RuntimeException | Error defect) {
            LOG.error("reading from agent {} failed", process.pid(), defect);
            close(process.failure("internal", "Reading the agent's output failed: " + defect));
        }
    }

    private void line(byte[] bytes, int length) {
        JsonNode message;
        try {
            message = AcpJson.parse(bytes, length);
        } catch (JacksonException notJson) {
            LOG.debug("agent {} wrote a line of {} bytes that is not JSON", process.pid(), length);
            return;
        }
        JsonNode method = message.path("method");
        if (!message.isObject() || !(method.isString() || message.has("id"))) {
            LOG.debug("agent {} wrote JSON that is no message", process.pid());
        } else if (!method.isString()) {
            response(message);
        } else if (message.has("id")) {
            request(message, method.stringValue(), length);
        } else {
            notification(message, method.stringValue(), length);
        }
    }

    private void response(JsonNode message) {
        long id = message.path("id").asLong(-1);
        CompletableFuture<JsonNode> waiting = pending.remove(id);
        if (waiting == null) {
            LOG.debug("agent {} answered a request that nobody waits for", process.pid());
        } else if (AcpJson.has(message, "error")) {
            waiting.completeExceptionally(RpcException.from(message.get("error")));
        } else {
            waiting.complete(AcpJson.objectOrEmpty(message.path("result")));
        }
    }

    private void request(JsonNode message, String method, int bytes) {
        JsonNode id = message.path("id");
        IncomingRequest request =
                new IncomingRequest(
                        id,
                        method,
                        AcpJson.objectOrEmpty(message.path("params")),
                        answer -> {
                            incoming.remove(id);
                            send(answer);
                        });
        incoming.put(id, request);
        peer.request(request, bytes);
    }

    private void notification(JsonNode message, String method, int bytes) {
        ObjectNode params = AcpJson.objectOrEmpty(message.path("params"));
        if (!method.equals("$/cancel_request")) {
            peer.notification(method, params, bytes);
            return;
        }
        IncomingRequest request = incoming.get(params.path("requestId"));
        if (request != null) {
            request.cancel();
        }
    }

    /** A child may hold the pipe open after the agent itself is gone. */
    private void drainThenClose() {
        long quiet = TimeUnit.MILLISECONDS.toNanos(500);
        long begun = System.nanoTime();
        long limit = begun + TimeUnit.SECONDS.toNanos(5);
        while (end.get() == null && System.nanoTime() < limit) {
            long last = Math.max(begun, lastHeardNanos);
            long left = last + quiet - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        close(process.exitReason());
    }

    /** Ends the conversation; everything that waits learns the given reason, once. */
    void close(AgentException reason) {
        if (!end.compareAndSet(null, reason)) {
            return;
        }
        peer.closed(reason);
        pending.values().forEach(waiting -> waiting.completeExceptionally(reason));
        pending.clear();
        incoming.clear();
    }
}
