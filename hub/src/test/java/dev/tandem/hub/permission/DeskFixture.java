package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A desk with a clock that only tests move. */
final class DeskFixture implements AutoCloseable {
    static final String SITE = "https://shop.example";

    final Time time = new Time();
    final PermissionRules rules;
    final PermissionDesk desk;

    DeskFixture(Database database) {
        this(database, PermissionDesk.CARD_LIFE);
    }

    DeskFixture(Database database, Duration cardLife) {
        rules = new PermissionRules(database, time);
        desk = new PermissionDesk(rules, database, time, cardLife);
    }

    static final class Time extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void pass(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    static Ask.Who who(Caller.Mode mode) {
        return new Ask.Who("mcp", "s1", "Agent", "default", mode, "t1");
    }

    Ask browser(Caller.Mode mode, String tool, ObjectNode arguments, String origin) {
        Tool known = Catalogue.load().byName(tool).orElseThrow();
        ObjectNode read = known.read(arguments);
        return Asks.browser(
                who(mode),
                new Asks.OurCall(known, read),
                Catalogue.load().permissions(known, read),
                new Ask.Where(origin, origin + "/page", "tab1", "doc1"));
    }

    Ask click(Caller.Mode mode, String ref) {
        return browser(mode, "click", Json.object().put("ref", ref), SITE);
    }

    Ask snapshot(Caller.Mode mode, String origin) {
        return browser(mode, "snapshot", Json.object(), origin);
    }

    /** The decision that comes without a person. */
    Outcome now(Ask ask) throws Exception {
        CompletableFuture<Outcome> outcome = desk.ask(ask).outcome();
        if (!desk.open(ask.who().key()).isEmpty()) {
            throw new AssertionError("a card is open for " + ask.what());
        }
        return outcome.get(10, TimeUnit.SECONDS);
    }

    /** Whether a person is asked. */
    boolean asks(Ask ask) {
        desk.ask(ask);
        return !desk.open(ask.who().key()).isEmpty();
    }

    Outcome answer(String optionId) {
        return desk.answer(desk.open().getFirst().requestId(), optionId, Caller.USER);
    }

    static ArrayNode options(String... kinds) {
        ArrayNode options = Json.array();
        for (String kind : kinds) {
            options.addObject().put("optionId", "o-" + kind).put("kind", kind).put("name", kind);
        }
        return options;
    }

    @Override
    public void close() {
        desk.close();
    }
}
