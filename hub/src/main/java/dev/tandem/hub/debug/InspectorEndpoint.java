package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /inspector*}: one element of the page in front looked at closely. Open to the person
 * alone: it reads and changes their own tab, which no tool may without asking.
 */
public final class InspectorEndpoint {
    private static final JsonNode NAMES = Json.resource("debug.json").path("events");
    private static final int PICK_MS = Limits.of("inspectorPickMs");

    private final FrontTab front;
    private final ViewTokens views;
    private final Clock clock;
    private final Map<String, Inspection> byBrowser = new ConcurrentHashMap<>();

    public InspectorEndpoint(FrontTab front, ViewTokens views, Clock clock, WebServer web) {
        this.front = front;
        this.views = views;
        this.clock = clock;
        web.http("inspector", exchange -> exchange.respond(200, of(exchange).state()))
                .http("inspector-history", e -> e.respond(200, of(e).history()))
                .http("inspector-pick", this::pick)
                .http("inspector-stop", this::stop)
                .http("inspector-apply", this::apply)
                .http("inspector-reset", this::reset)
                .http("inspector-events", this::events);
    }

    private Inspection of(Exchange exchange) {
        return of(front.browserId(viewer(exchange), exchange.query("browser")));
    }

    private Inspection of(String browserId) {
        return byBrowser.computeIfAbsent(browserId, id -> new Inspection(clock));
    }

    /** The browser's own list of changes is the only one; here it is shown. */
    public void edited(String browserId, JsonNode modifications) {
        of(browserId).edited(modifications);
    }

    private void pick(Exchange exchange) throws IOException {
        ObjectNode wish = body(exchange);
        boolean byHand = Json.flag(wish, "interactive", false);
        exchange.patient();
        Browser browser = front.browser(exchange.caller(), exchange.query("browser"));
        ObjectNode found =
                front.ask(
                        exchange.caller(),
                        browser,
                        "inspector.pick",
                        wish,
                        byHand ? PICK_MS : Limits.REQUEST_TIMEOUT_MS);
        of(browser.id()).picked(found);
        exchange.respond(200, found);
    }

    private void stop(Exchange exchange) {
        ask(exchange, "inspector.stop", Json.object());
        exchange.respond(200, Json.object().put("ok", true));
    }

    private void apply(Exchange exchange) throws IOException {
        Browser browser = front.browser(exchange.caller(), exchange.query("browser"));
        Inspection inspection = of(browser.id());
        ObjectNode done =
                change(
                        exchange,
                        browser,
                        "inspector.apply",
                        answer ->
                                inspection.applied(
                                        answer.path("modification"), answer.path("data")));
        exchange.respond(200, done.path("modification"));
    }

    private void reset(Exchange exchange) throws IOException {
        Browser browser = front.browser(exchange.caller(), exchange.query("browser"));
        Inspection inspection = of(browser.id());
        ObjectNode done =
                change(
                        exchange,
                        browser,
                        "inspector.undo",
                        answer -> inspection.reset(answer.path("data")));
        ObjectNode answer = Json.object().put("ok", true);
        for (String field : List.of("undone", "lost", "left")) {
            answer.put(field, done.path(field).asInt());
        }
        exchange.respond(200, answer);
    }

    private ObjectNode change(
            Exchange exchange, Browser browser, String question, Consumer<ObjectNode> keep)
            throws IOException {
        ObjectNode wish = body(exchange);
        ReentrantLock changes = of(browser.id()).changes();
        changes.lock();
        try {
            ObjectNode done = front.act(exchange.caller(), browser, question, wish);
            keep.accept(done);
            return done;
        } finally {
            changes.unlock();
        }
    }

    private void events(Exchange exchange) throws IOException {
        Inspection inspection = of(exchange);
        Ring ring = inspection.events();
        long asked = Streams.position(exchange);
        long position = asked == 0 ? ring.position() : asked;
        try (EventStream stream = exchange.events()) {
            exchange.patient();
            stream.send("", NAMES.path("state").asString(), Json.write(inspection.state()));
            while (views.viewer(exchange.caller()).isPresent()) {
                Ring.Batch batch = ring.after(position, Streams.HEARTBEAT);
                position = batch.position();
                if (batch.entries().isEmpty()) {
                    stream.comment("heartbeat");
                }
                for (Ring.Entry entry : batch.entries()) {
                    stream.send(List.of(Streams.event(entry.id(), change(), entry.json())));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String change() {
        return NAMES.path("inspector").asString();
    }

    private ObjectNode ask(Exchange exchange, String question, ObjectNode payload) {
        Caller caller = exchange.caller();
        return front.ask(
                caller, front.browser(caller, exchange.query("browser")), question, payload);
    }

    /** A view token opens nothing that its maker's own does not. */
    private Caller viewer(Exchange exchange) {
        Caller viewer =
                views.viewer(exchange.caller())
                        .orElseThrow(() -> TandemException.of(ErrorCode.UNAUTHORIZED));
        if (viewer.kind() == TokenKind.CLIENT) {
            throw TandemException.of(ErrorCode.FORBIDDEN);
        }
        return viewer;
    }

    private static ObjectNode body(Exchange exchange) throws IOException {
        String text = new String(exchange.body(), StandardCharsets.UTF_8);
        return text.isBlank() ? Json.object() : Json.parseObject(text);
    }
}
