package dev.tandem.hub.relay;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.ClientBrowsers;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Browser tools that this client runs itself, for the sessions it made and for no others. */
final class ToolMessages implements Family, ClientBrowsers.Executor, AutoCloseable {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final Map<String, CompletableFuture<ObjectNode>> calls = new ConcurrentHashMap<>();
    private final List<AutoCloseable> offers = new CopyOnWriteArrayList<>();
    private volatile boolean offering;

    ToolMessages(RelayEndpoint.Parts parts, Wire wire) {
        this.parts = parts;
        this.wire = wire;
    }

    /** What a client says of itself at connect; a web page is never asked, whatever it says. */
    void introduce(JsonNode connect, Caller caller) {
        boolean web =
                caller.kind() == TokenKind.DEVICE
                        || Json.text(connect, "clientType").orElse("other").equals("web");
        offering = Json.flag(connect, "browserTools", false) && !web;
    }

    void created(String sessionId) {
        if (offering) {
            offers.add(parts.clientBrowsers().offer(sessionId, this));
        }
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        if (!type.equals("browser_tool_result")) {
            return false;
        }
        if (!offering) {
            throw new TandemException(
                    ErrorCode.FORBIDDEN, "This client did not offer browser tools.");
        }
        CompletableFuture<ObjectNode> call = calls.remove(Json.text(message, "callId").orElse(""));
        if (call == null) {
            return true;
        }
        if (message.path("result") instanceof ObjectNode result && !result.has("error")) {
            call.complete(result.deepCopy());
        } else if (message.path("result") instanceof ArrayNode tabs) {
            call.complete(Json.object().put("action", "tabs").set("tabs", tabs));
        } else {
            call.completeExceptionally(
                    new TandemException(
                            ErrorCode.EXECUTION_FAILED,
                            Json.text(message.path("result"), "error")
                                    .or(() -> Json.text(message, "error"))
                                    .orElse("The client sent no result.")));
        }
        return true;
    }

    @Override
    public CompletableFuture<ObjectNode> run(ObjectNode params) {
        String callId = UUID.randomUUID().toString();
        CompletableFuture<ObjectNode> call = new CompletableFuture<>();
        calls.put(callId, call);
        var _ = call.whenComplete((result, problem) -> calls.remove(callId));
        wire.sendPlain(
                Wire.message("browser_tool_call").put("callId", callId).set("params", params));
        if (!wire.socket().isOpen()) {
            fail(call);
        }
        return call;
    }

    private static void fail(CompletableFuture<ObjectNode> call) {
        call.completeExceptionally(
                new TandemException(
                        ErrorCode.EXECUTION_FAILED, "The client that ran this call is gone."));
    }

    @Override
    public void close() {
        offers.forEach(Watches::close);
        List.copyOf(calls.values()).forEach(ToolMessages::fail);
    }
}
