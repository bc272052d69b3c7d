package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Chat clients that run the three tab tools themselves, each for the sessions it made. They stand
 * behind the same gate as every browser. Any thread may call it.
 */
public final class ClientBrowsers {
    private static final Map<String, String> ACTIONS =
            Map.of("browser_tabs", "tabs", "browser_read", "read", "browser_execute", "execute");

    private final Map<String, Executor> executors = new ConcurrentHashMap<>();

    /** Runs one action; the future ends with its result. */
    public interface Executor {
        CompletableFuture<ObjectNode> run(ObjectNode params);
    }

    /** Serves a session until the answer is closed. */
    public AutoCloseable offer(String sessionId, Executor executor) {
        executors.put(sessionId, executor);
        return () -> executors.remove(sessionId, executor);
    }

    Optional<Executor> of(Caller caller, Tool tool) {
        return ACTIONS.containsKey(tool.name())
                ? caller.session().map(executors::get)
                : Optional.empty();
    }

    ToolResult run(Executor executor, ToolCall call) {
        ObjectNode params = Json.object().put("action", ACTIONS.get(call.tool().name()));
        for (String name : new String[] {"tabId", "script"}) {
            if (call.arguments().has(name)) {
                params.set(name, call.arguments().get(name));
            }
        }
        ObjectNode answer = await(executor.run(params), call.timeoutMs(), call.watch());
        return ToolResult.of(call.tool(), answer);
    }

    /** Where a call would act, by the client's own list of tabs. */
    Place place(Executor executor, ObjectNode arguments, Watch watch) {
        JsonNode tabId = arguments.path("tabId");
        if (!tabId.isNumber()) {
            return Place.NOWHERE;
        }
        ObjectNode tabs =
                await(
                        executor.run(Json.object().put("action", "tabs")),
                        (int) TimeUnit.SECONDS.toMillis(10),
                        watch);
        for (JsonNode tab : tabs.path("tabs")) {
            if (tab.path("id").asLong(-1) == tabId.asLong(-2)) {
                return new Place(
                        "tab-" + tab.path("id").asString(""), Json.text(tab, "url").orElse(""));
            }
        }
        throw new TandemException(
                ErrorCode.EXECUTION_FAILED,
                "Tab " + tabId.asString("") + " not found. Call browser_tabs for current ids.");
    }

    private static ObjectNode await(
            CompletableFuture<ObjectNode> answer, int timeoutMs, Watch watch) {
        Runnable stop = () -> answer.cancel(true);
        watch.onCancel(stop);
        try {
            return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new TandemException(ErrorCode.TIMEOUT, "Browser tool call timed out");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TandemException known) {
                throw known;
            }
            throw TandemException.of(ErrorCode.INTERNAL);
        } catch (CancellationException | InterruptedException e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new TandemException(
                    ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
        } finally {
            watch.done(stop);
        }
    }
}
