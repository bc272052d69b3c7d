package dev.tandem.hub.annotation;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotations under way: who asked which browser, and the way back. Any thread may call it;
 * asking blocks until the person is done.
 */
public final class Annotations implements AutoCloseable {
    private final AnnotationLinks links;
    private final Inbox inbox;
    private final Refusals refusals;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final AtomicInteger clients = new AtomicInteger();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("annotation").factory());

    /**
     * Who asks.
     *
     * @param id one per connection
     * @param key stable over connections
     * @param user the person themselves, to whom every frame of their pages is open
     */
    public record Asker(String id, Caller caller, String key, String label, boolean user) {}

    /** What people turned away lately; they are not asked the same again. */
    public interface Refusals {
        boolean welcome(Caller caller, ObjectNode question);

        void turnedAway(Caller caller, ObjectNode question);
    }

    private record Running(
            String browserId,
            String asker,
            String requestId,
            CompletableFuture<ObjectNode> answer,
            Consumer<ObjectNode> events) {}

    Annotations(AnnotationLinks links, Inbox inbox, Refusals refusals) {
        this.links = links;
        this.inbox = inbox;
        this.refusals = refusals;
    }

    /**
     * Those of a hub that begins.
     *
     * @param focusedAt when the user last turned to a browser, by its id
     */
    public static Annotations with(
            Inbox inbox, Refusals refusals, ToLongFunction<String> focusedAt) {
        return new Annotations(new AnnotationLinks(focusedAt), inbox, refusals);
    }

    AnnotationLinks links() {
        return links;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    public Inbox inbox() {
        return inbox;
    }

    /** Says which addresses are the hub's own, where nothing can be marked. */
    public void ownOrigins(ObjectNode message) {
        links.all().forEach(socket -> socket.send(Json.write(message)));
    }

    /** A client of /annotation came or went. */
    void client(int change) {
        var _ = clients.addAndGet(change);
    }

    /** Whether somebody is there who asks, over /annotation or by the tool. */
    public boolean clientConnected() {
        return clients.get() > 0 || !running.isEmpty();
    }

    /**
     * Lets the person mark elements; answers the payload.
     *
     * @param command the payload of an annotationCommand
     * @param browserId the browser meant, or empty for the one that the user turned to last
     * @param events receives the payloads of annotationEvent messages
     */
    public ObjectNode ask(
            Asker asker,
            ObjectNode command,
            Optional<String> browserId,
            Duration limit,
            Consumer<ObjectNode> events) {
        String requestId = command.path("requestId").asString("");
        String key = key(asker.id(), requestId);
        ObjectNode question = command.deepCopy().without("requestId");
        if (!refusals.welcome(asker.caller(), question)) {
            throw new AnnotationException(
                    "cancelled",
                    "The user said no to this a short while ago and is not asked again now. Go on"
                            + " without it, or ask them in words.");
        }
        String browser = links.choose(browserId);
        Running mine =
                new Running(browser, asker.id(), requestId, new CompletableFuture<>(), events);
        if (running.putIfAbsent(key, mine) != null) {
            throw new AnnotationException("invalid_request", "This requestId is already in use.");
        }
        try {
            say(browser, asker, command);
            return mine.answer().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            say(browser, asker, cancel(requestId));
            throw new AnnotationException(
                    "timeout", "Nothing was submitted within " + limit.toMillis() + " ms.");
        } catch (InterruptedException e) {
            say(browser, asker, cancel(requestId));
            Thread.currentThread().interrupt();
            throw new AnnotationException("cancelled", "The call was cancelled.");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AnnotationException failure) {
                if (failure.byUser()) {
                    refusals.turnedAway(asker.caller(), question);
                }
                throw failure;
            }
            throw new AnnotationException("unknown", String.valueOf(e.getCause()));
        } finally {
            running.remove(key, mine);
        }
    }

    /** Takes the picker away; the request that opened it is answered cancelled. */
    public void cancel(Asker asker, String requestId) {
        Running known = running.get(key(asker.id(), requestId));
        if (known != null) {
            say(known.browserId(), asker, cancel(requestId));
            known.answer()
                    .completeExceptionally(
                            new AnnotationException("cancelled", "The annotation was cancelled."));
        }
    }

    /** The asker is gone: nobody would read what the person writes. */
    void left(Asker asker) {
        requestsOf(asker).forEach(requestId -> cancel(asker, requestId));
    }

    List<String> requestsOf(Asker asker) {
        return running.values().stream()
                .filter(one -> one.asker().equals(asker.id()))
                .map(Running::requestId)
                .toList();
    }

    /** An event or answer of a browser. */
    void heard(String browserId, ObjectNode message, int bytes) {
        ObjectNode payload = (ObjectNode) message.path("payload");
        String key =
                key(message.path("clientId").asString(""), payload.path("requestId").asString(""));
        Running known = running.get(key);
        boolean event = message.path("type").asString("").equals("annotationEvent");
        if (known != null && known.browserId().equals(browserId)) {
            if (event) {
                known.events().accept(payload);
            } else {
                finish(known, payload, bytes);
            }
        } else if (!event && payload.path("payload") instanceof ObjectNode orphan) {
            // Whoever asked has given up or restarted; what the person wrote is kept.
            var _ = inbox.store(orphan, "annotate_all", orphan.path("title").asString(""));
        }
    }

    private static void finish(Running known, ObjectNode payload, int bytes) {
        if (bytes > Limits.of("annotationRelayBytes")) {
            known.answer()
                    .completeExceptionally(
                            new AnnotationException(
                                    "payload_too_large",
                                    "The annotation is larger than one message may be."));
        } else if (payload.path("status").asString("").equals("ok")
                && payload.path("payload") instanceof ObjectNode result) {
            known.answer().complete(result);
        } else {
            known.answer().completeExceptionally(AnnotationException.from(payload));
        }
    }

    /** A browser went away; its pickers may still be open, so there is time to come back. */
    void lost(String browserId, Socket socket) {
        if (!links.lost(browserId, socket)) {
            return;
        }
        var _ =
                timer.schedule(
                        () -> {
                            if (links.find(browserId).isEmpty()) {
                                fail(browserId);
                            }
                        },
                        Limits.EXTENSION_HOLD_MS,
                        TimeUnit.MILLISECONDS);
    }

    private void fail(String browserId) {
        for (Running one : running.values()) {
            if (one.browserId().equals(browserId)) {
                one.answer()
                        .completeExceptionally(
                                new AnnotationException(
                                        "relay_unavailable", "The browser went away."));
            }
        }
    }

    private void say(String browserId, Asker asker, ObjectNode payload) {
        ObjectNode message = Json.object().put("type", "annotationCommand");
        message.set("payload", payload);
        message.put("clientId", asker.id()).put("clientKey", asker.key());
        message.put("clientLabel", asker.label());
        if (asker.user()) {
            message.put("ownHand", true);
        }
        links.find(browserId).ifPresent(socket -> socket.send(Json.write(message)));
    }

    private static ObjectNode cancel(String requestId) {
        return Json.object().put("version", 1).put("requestId", requestId).put("command", "cancel");
    }

    private static String key(String asker, String requestId) {
        return asker + " " + requestId;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        running.values()
                .forEach(one ->
                        one.answer()
                                .completeExceptionally(
                                        new AnnotationException(
                                                "cancelled", "The hub is stopping.")));
    }
}
