package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
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

    private Place ofTarget(OpsClient client, OpsSession session, Optional<String> named) {
        String wanted = named.filter(id -> !id.isEmpty()).orElseGet(session::activeTargetId);
        ObjectNode payload = Json.object().put("includeUrls", true);
        JsonNode targets =
                ask("targets_list", client, session.browser(), Optional.of(session), payload);
        for (JsonNode target : targets.path("targets")) {
            if (Json.text(target, "targetId").orElse("").equals(wanted)) {
                return new Place(wanted, Json.text(target, "url").orElse(""));
            }
        }
        return new Place(wanted, "");
    }

    private Place ofTab(OpsClient client, ObjectNode arguments, JsonNode tabId) {
        Browser browser = browsers.choose(Json.text(arguments, "browser"));
        JsonNode tabs = ask("browser_tabs", client, browser, Optional.empty(), Json.object());
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

    private JsonNode ask(
            String name,
            OpsClient client,
            Browser browser,
            Optional<OpsSession> session,
            ObjectNode payload) {
        Tool tool = catalogue.byName(name).orElseThrow();
        Dispatch.Order order =
                new Dispatch.Order(
                        tool, client, browser, session, payload, PATIENCE_MS, Watch.nobody());
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
