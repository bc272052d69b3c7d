package dev.tandem.hub.ops;

import dev.tandem.hub.auth.Pairings;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.RelayStatus;
import dev.tandem.hub.browser.ToolResult;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.ToolText;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** /command, /status and /stop: one tool call over plain HTTP, the state, and the end. */
public final class CommandEndpoint {
    /** Answers the form that has a {@code command} and words instead of a name and an object. */
    @FunctionalInterface
    public interface InWords {
        void answer(Exchange exchange, JsonNode asked) throws IOException;
    }

    private final ToolRunner runner;
    private final InWords inWords;
    private final RelayStatus relay;
    private final Identity identity;
    private final Pairings pairings;
    private final Supplier<ObjectNode> parts;
    private final Runnable stop;

    public CommandEndpoint(
            ToolRunner runner,
            InWords inWords,
            RelayStatus relay,
            Identity identity,
            Pairings pairings,
            Supplier<ObjectNode> parts,
            Runnable stop,
            WebServer web) {
        this.runner = runner;
        this.inWords = inWords;
        this.pairings = pairings;
        this.parts = parts;
        this.relay = relay;
        this.identity = identity;
        this.stop = stop;
        web.http("command", this::command).http("status", this::status).http("stop", this::stop);
    }

    private void command(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        if (asked.has("command")) {
            inWords.answer(exchange, asked);
            return;
        }
        String name = Json.text(asked, "name").orElse("");
        try {
            if (name.isEmpty()) {
                throw new TandemException(
                        ErrorCode.INVALID_REQUEST, "Missing name", "missing_field");
            }
            JsonNode params = asked.path("params");
            OpsClient client = OpsClient.inHub(exchange.caller(), OpsClient.Door.COMMAND);
            ToolResult result =
                    runner.run(
                            name,
                            params.isMissingNode() ? Json.object() : params,
                            client,
                            Watch.nobody());
            ObjectNode body = Json.object().put("ok", true);
            body.set("data", marks(exchange) ? marked(result) : result.data());
            exchange.respond(200, body);
        } catch (TandemException e) {
            ObjectNode body = Json.object().put("ok", false);
            body.set("error", marks(exchange) ? marked(e) : e.toJson());
            exchange.respond(400, body);
        }
    }

    /** Behind a program's own token there may be a model; the user and the panel read plain. */
    private static boolean marks(Exchange exchange) {
        return exchange.caller().kind() == TokenKind.CLIENT;
    }

    private static ObjectNode marked(ToolResult result) {
        return ToolText.structured(result, new Untrusted());
    }

    private static ObjectNode marked(TandemException failure) {
        ObjectNode said = ToolText.failureData(failure, new Untrusted());
        ObjectNode error = failure.toJson();
        error.set("message", said.path("error"));
        if (error.has("details")) {
            error.set("details", said.path("details"));
        }
        return error;
    }

    private void status(Exchange exchange) {
        if (exchange.caller().kind() == TokenKind.NONE) {
            exchange.respond(200, Json.object().put("running", true));
            return;
        }
        ObjectNode status = relay.full();
        status.put("ok", true);
        status.put("pid", ProcessHandle.current().pid());
        status.put("fingerprint", identity.instanceId());
        status.putObject("hub").put("instanceId", identity.instanceId());
        status.set("relay", relay.full());
        status.set("pairings", pairings.toJson());
        status.setAll(parts.get());
        exchange.respond(200, status);
    }

    /** Ends the hub, unless the caller means another run of it. */
    private void stop(Exchange exchange) {
        boolean stale =
                exchange.header("x-tandem-stop-fingerprint")
                        .filter(meant -> !meant.equals(identity.instanceId()))
                        .isPresent();
        if (stale) {
            exchange.respond(
                    409,
                    Json.object()
                            .put("ok", false)
                            .put("error", "Stale daemon stop request.")
                            .put("reason", "daemon_fingerprint_mismatch"));
            return;
        }
        exchange.respond(200, Json.object().put("ok", true));
        stop.run();
    }
}
