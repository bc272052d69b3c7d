package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.ToolText;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.hub.permission.PermissionGate;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools as an agent session sees them: the browser's, and beside them those that its chat
 * client runs. Only the session's own agent may call them, and only in a turn.
 */
public final class SessionMcpTools implements McpTools {
    private static final Set<String> STATES = Set.of("success", "completed", "error");

    private final McpTools browser;
    private final SessionEngine engine;
    private final PermissionGate gate;

    public SessionMcpTools(McpTools browser, SessionEngine engine, PermissionGate gate) {
        this.browser = browser;
        this.engine = engine;
        this.gate = gate;
    }

    @Override
    public ArrayNode list(Caller caller) {
        ArrayNode list = browser.list(caller);
        for (LocalTools.Definition local : locals(caller)) {
            ObjectNode entry = list.addObject().put("name", local.name());
            entry.put("description", local.description());
            entry.set("inputSchema", local.parameters().deepCopy());
        }
        return list;
    }

    /** The chat's client declares its tools anew with every message. */
    @Override
    public int ttlMs(Caller caller) {
        return locals(caller).isEmpty() ? browser.ttlMs(caller) : 0;
    }

    @Override
    public Optional<ObjectNode> call(Call call) {
        if (call.caller().kind() != TokenKind.SESSION) {
            return browser.call(call);
        }
        try {
            String session = call.caller().session().orElse("");
            engine.door().admit(session, call.ends());
            boolean local =
                    locals(call.caller()).stream().anyMatch(t -> t.name().equals(call.name()));
            return local ? Optional.of(runLocal(session, call)) : browser.call(call);
        } catch (TandemException e) {
            return Optional.of(ToolText.failed(e));
        }
    }

    @Override
    public String instructions() {
        return browser.instructions();
    }

    private List<LocalTools.Definition> locals(Caller caller) {
        return caller.session().map(engine.localTools()::of).orElse(List.of());
    }

    private ObjectNode runLocal(String session, Call call) {
        ObjectNode arguments = call.arguments() instanceof ObjectNode given ? given : Json.object();
        gate.checkLocal(call.caller(), call.name(), arguments, call.watch());
        CompletableFuture<ObjectNode> result =
                engine.localTools().call(session, call.name(), arguments);
        Runnable stop = () -> result.cancel(true);
        call.watch().onCancel(stop);
        try {
            ObjectNode done = result.get();
            Untrusted marks = new Untrusted();
            ObjectNode answer = Json.object();
            // what the chat's client read may be a page's words; its keys are its own as well
            answer.putArray("content")
                    .addObject()
                    .put("type", "text")
                    .put("text", marks.mark(Json.write(done)));
            ObjectNode data = marks.markEvery(done);
            Json.text(done, "status")
                    .filter(STATES::contains)
                    .ifPresent(s -> data.put("status", s));
            answer.set("structuredContent", data);
            return Json.text(done, "status").orElse("").equals("error")
                    ? answer.put("isError", true)
                    : answer;
        } catch (ExecutionException | java.util.concurrent.CancellationException e) {
            throw cancelled();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw cancelled();
        } finally {
            call.watch().done(stop);
        }
    }

    private static TandemException cancelled() {
        return new TandemException(
                ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
    }
}
