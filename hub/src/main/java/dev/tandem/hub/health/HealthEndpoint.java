package dev.tandem.hub.health;

import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** /health, /version, /metrics and /config: what anyone on loopback may know. */
public final class HealthEndpoint {
    private final Identity identity;
    private final Gauges gauges;
    private final PairedBrowsers browsers;
    private final WebServer web;

    public HealthEndpoint(
            Identity identity, Gauges gauges, PairedBrowsers browsers, WebServer web) {
        this.identity = identity;
        this.gauges = gauges;
        this.browsers = browsers;
        this.web = web;
        web.http("health", this::health)
                .http("version", this::version)
                .http("metrics", this::metrics)
                .http("config", this::config);
    }

    private void health(Exchange exchange) {
        ObjectNode body = Json.object();
        body.put("status", "healthy");
        body.put("ok", true);
        body.put("mode", gauges.mode());
        body.put("uptime", (System.currentTimeMillis() - identity.epoch()) / 1000);
        body.put("tabs", gauges.value("tandem_tabs"));
        int terminalPort = (int) gauges.value("tandem_terminal_port");
        if (terminalPort > 0) {
            body.put("terminalPort", terminalPort);
        } else {
            body.putNull("terminalPort");
        }
        exchange.respond(200, body);
    }

    private void version(Exchange exchange) {
        exchange.respond(
                200, Json.object().put("name", "Tandem").put("version", identity.version()));
    }

    private void metrics(Exchange exchange) {
        exchange.respond(
                200,
                "text/plain; version=0.0.4; charset=utf-8",
                gauges.text().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Facts for a browser that looks for its hub. With a nonce and the browser's id it also proves
     * that this is the hub it was paired with, before the browser says anything.
     */
    private void config(Exchange exchange) {
        ObjectNode body = Json.object();
        body.put("relayPort", web.port());
        body.put("discoveryPort", web.port());
        body.put("pairingRequired", true);
        body.put("instanceId", identity.instanceId());
        body.put("epoch", identity.epoch());
        Optional<String> nonce = exchange.query("nonce").filter(n -> n.matches("[0-9a-f]{32,128}"));
        Optional<String> key = exchange.query("browser").flatMap(browsers::key);
        if (nonce.isPresent() && key.isPresent()) {
            body.put(
                    "proof",
                    Secrets.hmac(
                            key.get(),
                            nonce.get()
                                    + "|"
                                    + web.port()
                                    + "|"
                                    + identity.instanceId()
                                    + "|"
                                    + identity.epoch()));
        }
        exchange.respond(200, body);
    }
}
