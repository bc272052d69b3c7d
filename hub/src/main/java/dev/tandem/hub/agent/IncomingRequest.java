package dev.tandem.hub.agent;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request of the agent that gets exactly one answer, whoever gives it first. */
final class IncomingRequest {
    private final JsonNode id;
    private final String method;
    private final ObjectNode params;
    private final Consumer<ObjectNode> sender;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile @Nullable Runnable onCancel;

    IncomingRequest(JsonNode id, String method, ObjectNode params, Consumer<ObjectNode> sender) {
        this.id = id;
        this.method = method;
        this.params = params;
        this.sender = sender;
    }

    JsonNode id() {
        return id;
    }

    String method() {
        return method;
    }

    ObjectNode params() {
        return params;
    }

    /** What to do when the agent, or the end of the turn, takes the request back. */
    void onCancel(Runnable hook) {
        onCancel = hook;
    }

    void cancel() {
        Runnable hook = onCancel;
        if (hook != null && !isAnswered()) {
            hook.run();
        }
        fail(RpcException.CANCELLED, "The request was cancelled.");
    }

    boolean isAnswered() {
        return answered.get();
    }

    boolean respond(JsonNode result) {
        return answer(envelope().set("result", result));
    }

    boolean fail(int code, String message) {
        return answer(envelope().set("error", new RpcException(code, message).toJson()));
    }

    boolean fail(Throwable problem) {
        return problem instanceof RpcException rpc
                ? answer(envelope().set("error", rpc.toJson()))
                : fail(RpcException.INTERNAL, String.valueOf(problem.getMessage()));
    }

    private boolean answer(ObjectNode message) {
        if (answered.getAndSet(true)) {
            return false;
        }
        sender.accept(message);
        return true;
    }

    private ObjectNode envelope() {
        return AcpJson.object().put("jsonrpc", "2.0").set("id", id);
    }
}
