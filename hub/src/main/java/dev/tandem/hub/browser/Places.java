package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds out at which page a call would act, by asking the browser that holds it. */
final class Places {
    private static final int PATIENCE_MS = 10_000;

    private final Catalogue catalogue;
    private final Browsers browsers;
    private final Dispatch dispatch;

    Places(Catalogue catalogue, Browsers browsers, Dispatch dispatch) {
        this.catalogue = catalogue;
        this.browsers = browsers;
        this.dispatch = dispatch;
    }

    Place of(OpsClient client, Optional<OpsSession> session, ObjectNode arguments) {
        JsonNode tabId = arguments.path("tabId");
        if (session.isPresent()) {
            return ofTarget(client, session.get(), Json.text(arguments, "targetId"));
        }
        if (tabId.isIntegralNumber() || Json.flag(arguments, "useActiveTab", false)) {
            return ofTab(client, arguments, tabId);
        }
        return Place.NOWHERE;
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
        String wanted = named.filter(id -> !id.isEmpty()).orElseGet(session::activeTargetId);
        for (JsonNode target : targets.path("targets")) {
            if (Json.text(target, "targetId").orElse("").equals(wanted)) {
                return new Place(wanted, Json.text(target, "url").orElse(""));
            }
        }
        return new Place(wanted, "");
    }

    private Place ofTab(OpsClient client, ObjectNode arguments, JsonNode tabId) {
        Browser browser = browsers.choose(Json.text(arguments, "browser"));
        Tool listing = catalogue.byName("browser_tabs").orElseThrow();
        JsonNode tabs =
                ask(
                        new Dispatch.Order(
                                listing,
                                client,
                                browser,
                                Optional.empty(),
                                Json.object(),
                                PATIENCE_MS,
                                Watch.nobody()));
        for (JsonNode tab : tabs.path("tabs")) {
            boolean meant =
                    tabId.isIntegralNumber()
                            ? tab.path("id").asLong(-1) == tabId.longValue()
                            : Json.flag(tab, "active", false);
            if (meant) {
                return new Place(
                        "tab-" + tab.path("id").asString(""), Json.text(tab, "url").orElse(""));
            }
        }
        return Place.NOWHERE;
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
                Watch.nobody());
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
