package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds out at which page one call would act, by asking the browser that holds it. */
final class Places {
    private static final int PATIENCE_MS = 10_000;

    private final Catalogue catalogue;
    private final Dispatch dispatch;
    private final Watch watch;

    Places(Catalogue catalogue, Dispatch dispatch, Watch watch) {
        this.catalogue = catalogue;
        this.dispatch = dispatch;
        this.watch = watch;
    }

    /**
     * @param browser the one that a call without a session goes to
     */
    Place of(
            OpsClient client,
            Optional<OpsSession> session,
            Supplier<Browser> browser,
            ObjectNode arguments) {
        if (session.isPresent()) {
            return ofTarget(client, session.get(), Json.text(arguments, "targetId"));
        }
        return namesTab(arguments) ? ofTab(client, browser.get(), arguments) : Place.NOWHERE;
    }

    /** Whether a call means a tab of the browser's, by its id or as the one in front. */
    static boolean namesTab(ObjectNode arguments) {
        return arguments.path("tabId").isIntegralNumber() || inFront(arguments);
    }

    static boolean inFront(ObjectNode arguments) {
        return Json.flag(arguments, "useActiveTab", false);
    }

    /** What the ref of a call stands for; nothing where it has none, or the page does not say. */
    PageElement element(OpsClient client, Optional<OpsSession> session, ObjectNode arguments) {
        String ref = Json.text(arguments, "ref").orElse("");
        if (ref.isEmpty() || session.isEmpty()) {
            return PageElement.NONE;
        }
        ObjectNode wish = Json.object().put("ref", ref);
        wish.put(
                "targetId",
                Json.text(arguments, "targetId").orElseGet(session.get()::activeTargetId));
        try {
            Dispatch.Order listing = order("targets_list", client, session, Json.object());
            JsonNode found = ask(listing.describing(wish)).path("element");
            return new PageElement(
                    Json.text(found, "role").orElse(""), Json.text(found, "name").orElse(""));
        } catch (TandemException e) {
            return PageElement.NONE;
        }
    }

    /** The browser says which target is meant: the one before may have closed by itself. */
    private Place ofTarget(OpsClient client, OpsSession session, Optional<String> named) {
        ObjectNode payload = Json.object().put("includeUrls", true);
        JsonNode targets = ask(order("targets_list", client, Optional.of(session), payload));
        String wanted =
                session.current(
                        named.filter(id -> !id.isEmpty()).orElseGet(session::activeTargetId));
        for (JsonNode target : targets.path("targets")) {
            if (Json.text(target, "targetId").orElse("").equals(wanted)) {
                return new Place(wanted, Json.text(target, "url").orElse(""));
            }
        }
        return new Place(wanted, "");
    }

    private Place ofTab(OpsClient client, Browser browser, ObjectNode arguments) {
        Dispatch.Order listing =
                new Dispatch.Order(
                        catalogue.byName("browser_tabs").orElseThrow(),
                        client,
                        browser,
                        Optional.empty(),
                        Json.object(),
                        PATIENCE_MS,
                        watch);
        JsonNode given = arguments.path("tabId");
        if (given.isIntegralNumber()) {
            return listed(ask(listing), given).orElse(Place.NOWHERE);
        }
        // Every window has an active tab: only the browser knows which one the user looks at.
        JsonNode answer = ask(listing.describing(Json.object().put("front", true)));
        JsonNode front = answer.path("front");
        if (!front.isIntegralNumber()) {
            throw new TandemException(
                    ErrorCode.OPS_UNAVAILABLE, "No active tab to attach.", "no_active_tab");
        }
        // Of a file the list says nothing; the browser decides about it when the tab is taken.
        Optional<Place> unlisted =
                client.isUser()
                        ? Optional.of(new Place("tab-" + front.asString(), ""))
                        : Optional.empty();
        return listed(answer, front)
                .or(() -> unlisted)
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.RESTRICTED_URL,
                                "No tool may use the active tab. Focus a normal http(s) tab and"
                                        + " retry.",
                                "policy"));
    }

    private static Optional<Place> listed(JsonNode answer, JsonNode id) {
        for (JsonNode tab : answer.path("tabs")) {
            if (tab.path("id").asLong(-1) == id.longValue()) {
                return Optional.of(
                        new Place("tab-" + id.asString(), Json.text(tab, "url").orElse("")));
            }
        }
        return Optional.empty();
    }

    private Dispatch.Order order(
            String name, OpsClient client, Optional<OpsSession> session, ObjectNode payload) {
        return new Dispatch.Order(
                catalogue.byName(name).orElseThrow(),
                client,
                session.orElseThrow().browser(),
                session,
                payload,
                PATIENCE_MS,
                watch);
    }

    private JsonNode ask(Dispatch.Order order) {
        try {
            return dispatch.send(order, dispatch.nextId()).get();
        } catch (ExecutionException e) {
            throw Dispatch.unwrap(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Dispatch.unwrap(e);
        }
    }
}
