package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends calls with the rights of their frames. A frame of another origin that the rules open is
 * read the second time round; a step in one that they do not open is asked about there, at every
 * door. Any thread may call it.
 */
final class FramedCalls {
    private final Gate gate;
    private final FrameRights rights;
    private final Dispatch dispatch;

    FramedCalls(Gate gate, Dispatch dispatch) {
        this.gate = gate;
        this.rights = new FrameRights(gate);
        this.dispatch = dispatch;
    }

    /** Everything up to the first sending happens before this returns. */
    CompletableFuture<ObjectNode> send(Dispatch.Order order, Gate.Request asked, String requestId) {
        return dispatch.send(order.within(rights.open(asked)), requestId)
                .handle(Outcome::new)
                .thenCompose(first -> follow(order, asked, requestId, first));
    }

    /** What the first sending came to; one of the two is there. */
    private record Outcome(@Nullable ObjectNode answer, @Nullable Throwable failure) {}

    private CompletableFuture<ObjectNode> follow(
            Dispatch.Order order, Gate.Request asked, String requestId, Outcome first) {
        ObjectNode answer = first.answer();
        Throwable failure = first.failure();
        if (answer == null || failure != null) {
            Throwable why = failure == null ? new IllegalStateException("no answer") : failure;
            return step(order, asked, requestId, Dispatch.unwrap(why));
        }
        return read(order, asked, requestId, answer);
    }

    private CompletableFuture<ObjectNode> read(
            Dispatch.Order order, Gate.Request asked, String requestId, ObjectNode answer) {
        boolean more = rights.missed(asked, answer) && order.tool().access() == Tool.Access.READ;
        return more
                ? again(order, asked, requestId, () -> rights.open(asked))
                : CompletableFuture.completedFuture(answer);
    }

    private CompletableFuture<ObjectNode> step(
            Dispatch.Order order, Gate.Request asked, String requestId, TandemException failure) {
        return FrameRights.refusedFor(failure)
                .map(origin ->
                        again(order, asked, requestId, () -> Optional.of(opened(asked, origin))))
                .orElseGet(() -> CompletableFuture.failedFuture(failure));
    }

    /** Asks whoever decides; throws when the answer is no. */
    private ArrayNode opened(Gate.Request asked, String origin) {
        gate.check(asked.at(new Place(asked.place().get().tab(), origin + "/")));
        rights.remember(asked, origin);
        return rights.open(asked).orElseGet(Json::array).add(origin);
    }

    /** On a thread of its own: a person may be asked first. */
    private CompletableFuture<ObjectNode> again(
            Dispatch.Order order,
            Gate.Request asked,
            String requestId,
            Supplier<Optional<ArrayNode>> open) {
        return CompletableFuture.supplyAsync(
                () -> {
                    ObjectNode answer = dispatch.send(order.within(open.get()), requestId).join();
                    var _ = rights.missed(asked, answer);
                    return answer;
                },
                task -> Thread.startVirtualThread(task));
    }
}
