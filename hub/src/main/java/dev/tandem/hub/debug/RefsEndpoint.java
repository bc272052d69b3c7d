package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.Place;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /refs}: the names that elements of the current page have for the tools. */
public final class RefsEndpoint {
    private final FrontTab front;
    private final ToolRunner runner;

    public RefsEndpoint(FrontTab front, ToolRunner runner, WebServer web) {
        this.front = front;
        this.runner = runner;
        web.http("refs", this::refs);
    }

    private void refs(Exchange exchange) {
        Caller caller = exchange.caller();
        ObjectNode wish = Json.object();
        exchange.query("sessionId").ifPresent(id -> wish.put("opsSessionId", id));
        exchange.query("targetId").ifPresent(id -> wish.put("targetId", id));
        Browser browser = front.browser(caller, exchange.query("browser"));
        if (caller.kind() != TokenKind.CLIENT) {
            exchange.respond(200, front.ask(caller, browser, "refs", wish));
            return;
        }
        // A program sees its own refs; those of others mean nothing to it.
        wish.put("ownerKey", "client:" + caller.id());
        exchange.patient();
        exchange.respond(200, allowed(caller, browser, front.ask(caller, browser, "refs", wish)));
    }

    /** What a program may have of that, as if it had come by a snapshot of the page. */
    private ObjectNode allowed(Caller caller, Browser browser, ObjectNode found) {
        if (found.path("refs").isEmpty()) {
            return Json.object().put("url", "").put("mode", "none").set("refs", Json.array());
        }
        Place read = new Place(found.path("targetId").asString(""), found.path("url").asString(""));
        OpsClient client = OpsClient.inHub(caller, OpsClient.Door.COMMAND);
        if (!runner.lets(client, "snapshot", browser, read)) {
            found.set("refs", ofThePage(found.path("refs")));
        }
        return new Untrusted().markAll(found);
    }

    /** Refs in frames begin with the number of theirs. */
    private static ArrayNode ofThePage(JsonNode refs) {
        ArrayNode kept = Json.array();
        for (JsonNode each : refs) {
            if (each.path("ref").asString("").startsWith("r")) {
                kept.add(each);
            }
        }
        return kept;
    }
}
