package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One request that a browser has not answered yet: it ends in exactly one answer or one error. */
final class PendingCall {
    /** So that the browser, which knows more, reports a passed deadline before the hub does. */
    private static final int GRACE_MS = 1500;

    private final CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    private final ScheduledExecutorService timers;
    private final ScheduledFuture<?> deadline;
    private @Nullable ScheduledFuture<?> gap;
    private @Nullable ChunkBuffer chunks;

    PendingCall(int timeoutMs, ScheduledExecutorService timers) {
        this.timers = timers;
        deadline =
                timers.schedule(
                        () -> fail(late(timeoutMs)), timeoutMs + GRACE_MS, TimeUnit.MILLISECONDS);
        var _ = answer.whenComplete((result, failure) -> stop());
    }

    CompletableFuture<ObjectNode> answer() {
        return answer;
    }

    void fail(TandemException failure) {
        answer.completeExceptionally(failure);
    }

    synchronized void response(ObjectNode message) {
        if (message.path("chunked").asBoolean(false)) {
            chunked(message);
        } else if (message.path("payload") instanceof ObjectNode payload) {
            answer.complete(payload);
        } else {
            answer.complete(Json.object());
        }
    }

    synchronized void chunk(ObjectNode message) {
        chunked(message);
    }

    private void chunked(JsonNode message) {
        if (answer.isDone()) {
            return;
        }
        try {
            ChunkBuffer buffer = chunks == null ? new ChunkBuffer(message) : chunks;
            chunks = buffer;
            if (message.has("data")) {
                buffer.add(message);
            } else {
                buffer.head(message);
            }
            buffer.complete().ifPresentOrElse(answer::complete, this::waitForNext);
        } catch (TandemException e) {
            fail(e);
        }
    }

    private void waitForNext() {
        ScheduledFuture<?> before = gap;
        if (before != null) {
            before.cancel(false);
        }
        gap =
                timers.schedule(
                        () ->
                                fail(
                                        new TandemException(
                                                ErrorCode.TIMEOUT,
                                                "The next part of the answer did not come.",
                                                "chunk_timeout")),
                        Limits.CHUNK_GAP_MS,
                        TimeUnit.MILLISECONDS);
    }

    private synchronized void stop() {
        deadline.cancel(false);
        chunks = null;
        if (gap != null) {
            gap.cancel(false);
        }
    }

    private static TandemException late(int timeoutMs) {
        return new TandemException(
                ErrorCode.TIMEOUT,
                "The browser did not answer within " + timeoutMs + " ms.",
                Json.object().put("dispatched", true));
    }
}
