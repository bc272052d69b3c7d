package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /refs}: the names that elements of the current page have for the tools. */
public final class RefsEndpoint {
    private final FrontTab front;

    public RefsEndpoint(FrontTab front, WebServer web) {
        this.front = front;
        web.http("refs", this::refs);
    }

    private void refs(Exchange exchange) {
        Caller caller = exchange.caller();
        ObjectNode wish = Json.object();
        exchange.query("sessionId").ifPresent(id -> wish.put("opsSessionId", id));
        exchange.query("targetId").ifPresent(id -> wish.put("targetId", id));
        // A program sees its own refs; those of others mean nothing to it.
        if (caller.kind() == TokenKind.CLIENT) {
            wish.put("ownerKey", "client:" + caller.id());
        }
        exchange.respond(
                200,
                front.ask(caller, front.browser(caller, exchange.query("browser")), "refs", wish));
    }
}
