package dev.tandem.hub.browser;

import dev.tandem.hub.browser.Departures.Departure;
import dev.tandem.protocol.Catalogue;
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
 * Sends calls with the rights of their page, its frames and of what they may send. A frame of
 * another origin that the rules open is read the second time round; a step in one that they do not
 * open, one on a page that came meanwhile, one that leads to another origin and one that turns out
 * sensitive is asked about there, at every door. A file of the user's is looked at for each call
 * anew. Any thread may call it.
 */
final class FramedCalls {
    /** A chain of redirects is asked about hop by hop, and ends. */
    private static final int HOPS = 8;

    private static final String READING = "tab_read:dom";
    private static final Optional<String> NO_SITE = Optional.of("");

    private final Gate gate;
    private final FrameRights rights;
    private final Departures departures;
    private final Dispatch dispatch;
    private final LocalFiles files;
    private final Tool going = Catalogue.load().byName("goto").orElseThrow();

    FramedCalls(Gate gate, Dispatch dispatch, LocalFiles files) {
        this.gate = gate;
        this.rights = new FrameRights(gate);
        this.departures = new Departures(gate);
        this.dispatch = dispatch;
        this.files = files;
    }

    /** Everything up to the first sending happens before this returns. */
    CompletableFuture<ObjectNode> send(Dispatch.Order order, Gate.Request asked, String requestId) {
        return asked.permissions().isEmpty()
                ? telling(order, asked.needing(READING), requestId)
                : acting(order, asked, requestId);
    }

    /** What needs no right of its own still tells of tabs: there as much as may be read. */
    private CompletableFuture<ObjectNode> telling(
            Dispatch.Order order, Gate.Request asked, String requestId) {
        boolean guarded = gate.guardsFrames(asked);
        Dispatch.Order bounded =
                order.within(rights.open(asked)).letAt(guarded ? NO_SITE : Optional.empty());
        return follow(new Try(bounded, asked, requestId, HOPS), dispatch.send(bounded, requestId));
    }

    private CompletableFuture<ObjectNode> acting(
            Dispatch.Order order, Gate.Request asked, String requestId) {
        boolean guarded = gate.guardsFrames(asked);
        Optional<String> letAt = guarded ? Optional.of(asked.origin()) : Optional.empty();
        Dispatch.Order bounded =
                taking(order, asked, guarded)
                        .within(rights.open(asked))
                        .sending(departures.open(asked))
                        .letAt(letAt)
                        .askingForEach(gate.guardsSensitive(asked));
        return follow(new Try(bounded, asked, requestId, HOPS), dispatch.send(bounded, requestId));
    }

    /** A tab is taken as it was decided about: that one, while it shows that site. */
    private static Dispatch.Order taking(
            Dispatch.Order order, Gate.Request asked, boolean guarded) {
        ObjectNode payload = order.payload();
        if (!Places.namesTab(payload) || !(guarded || Places.inFront(payload))) {
            return order;
        }
        Place place = asked.place().get();
        Dispatch.Order there = order;
        if (Places.inFront(payload)) {
            ObjectNode named = payload.deepCopy();
            named.remove("useActiveTab");
            if (!named.path("tabId").isIntegralNumber()) {
                named.put("tabId", Long.parseLong(place.tab().substring("tab-".length())));
            }
            there = order.with(named);
        }
        return guarded ? there.takingAt(WebOrigin.of(place.url())) : there;
    }

    /** One sending of a call, and how often it may still be repeated. */
    private record Try(Dispatch.Order order, Gate.Request asked, String requestId, int left) {
        Try with(Dispatch.Order other) {
            return new Try(other, asked, requestId, left - 1);
        }
    }

    /** What a sending came to; one of the two is there. */
    private record Outcome(@Nullable ObjectNode answer, @Nullable Throwable failure) {}

    private CompletableFuture<ObjectNode> follow(Try sent, CompletableFuture<ObjectNode> coming) {
        return coming.handle(Outcome::new).thenCompose(outcome -> after(sent, outcome));
    }

    private CompletableFuture<ObjectNode> after(Try sent, Outcome outcome) {
        ObjectNode answer = outcome.answer();
        Throwable failure = outcome.failure();
        if (answer != null && failure == null) {
            return read(sent, answer);
        }
        TandemException why =
                Dispatch.unwrap(failure == null ? new IllegalStateException("no answer") : failure);
        if (sent.left() == 0) {
            return CompletableFuture.failedFuture(why);
        }
        return FrameRights.refusedFor(why)
                .map(origin -> again(sent, () -> opened(sent, origin)))
                .or(() -> Departures.refusedFor(why).map(departure -> led(sent, departure)))
                .or(() ->
                        Sensitive.refusedFor(why)
                                .map(name -> again(sent, () -> agreed(sent, name))))
                .or(() ->
                        LocalFiles.refusedFor(why)
                                .filter(_ -> sent.order().client().isUser())
                                .map(file -> again(sent, () -> looked(sent, file))))
                .orElseGet(() -> CompletableFuture.failedFuture(why));
    }

    private CompletableFuture<ObjectNode> read(Try sent, ObjectNode answer) {
        boolean more =
                rights.missed(sent.asked(), answer)
                        && sent.left() == HOPS
                        && repeatable(sent.order().tool());
        return more
                ? again(sent, () -> sent.order().within(rights.open(sent.asked())))
                : CompletableFuture.completedFuture(answer);
    }

    /** What changes nothing the second time; what needs no right does nothing to a page. */
    private static boolean repeatable(Tool tool) {
        return tool.access() == Tool.Access.READ || tool.permission().name().isEmpty();
    }

    /** Asks whoever decides; throws when the answer is no. */
    private Dispatch.Order opened(Try sent, String origin) {
        Gate.Request asked = sent.asked();
        gate.check(asked.at(new Place(asked.place().get().tab(), origin + "/")));
        rights.remember(asked, origin);
        ArrayNode open = rights.open(asked).orElseGet(Json::array).add(origin);
        return sent.order().within(Optional.of(open));
    }

    /** Asks for the one step that nothing else covers; throws when the answer is no. */
    private Dispatch.Order agreed(Try sent, String name) {
        gate.check(sent.asked().needing(name));
        return sent.order().granted(name);
    }

    /** Looks where a path leads; throws when no tool may go there. */
    private Dispatch.Order looked(Try sent, String file) {
        files.assertOpen(file);
        return sent.order().opening(file);
    }

    /** A step that was made leads on by itself once it may; any other is made then. */
    private CompletableFuture<ObjectNode> led(Try sent, Departure departure) {
        Supplier<Dispatch.Order> open =
                () -> sent.order().sending(Optional.of(departures.opened(sent.asked(), departure)));
        boolean goes = sent.asked().permissions().containsAll(Gate.GOING);
        if (goes || (!departure.dispatched() && !departure.late())) {
            return again(sent, open);
        }
        return on(() -> {
            Dispatch.Order order = open.get();
            if (!departure.plain()) {
                throw Departures.doItAgain(departure);
            }
            ObjectNode there = Json.object().put("url", departure.url());
            Json.text(order.payload(), "targetId")
                    .ifPresent(target -> there.put("targetId", target));
            Try step = sent.with(order.instead(going, there));
            ObjectNode arrived =
                    follow(step, dispatch.send(step.order(), dispatch.nextId())).join();
            return departure.late()
                    ? follow(sent.with(order), dispatch.send(order, dispatch.nextId())).join()
                    : StepAnswer.of(order.tool(), order.payload(), arrived);
        });
    }

    private CompletableFuture<ObjectNode> again(Try sent, Supplier<Dispatch.Order> open) {
        return on(() -> {
            Try next = sent.with(open.get());
            return follow(next, dispatch.send(next.order(), sent.requestId())).join();
        });
    }

    /** On a thread of its own: a person may be asked first. */
    private static CompletableFuture<ObjectNode> on(Supplier<ObjectNode> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.startVirtualThread(task));
    }
}
