package dev.tandem.hub.pairing;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.auth.PairingCodes;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** /api/v1/auth: pairing by code, refresh, logout, list. */
public final class PairingEndpoint {
    private final PairingCodes codes;
    private final ExtensionTokens tokens;
    private final PairedBrowsers browsers;

    public PairingEndpoint(
            PairingCodes codes, ExtensionTokens tokens, PairedBrowsers browsers, WebServer web) {
        this.codes = codes;
        this.tokens = tokens;
        this.browsers = browsers;
        web.http("auth-pair", this::pair)
                .http("auth-refresh", this::refresh)
                .http("auth-session", this::session)
                .http("auth-session-all", this::endAll)
                .http("auth-session-list", this::list);
    }

    private void pair(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        String code = asked.path("code").asString("");
        String device = asked.path("deviceName").asString("Tandem extension");
        boolean web = asked.path("kind").asString("").equals("web");
        // The token of the hub lets a page of ours in, which drives no browser; that takes a code.
        boolean user = web && exchange.caller().kind() == TokenKind.HUB;
        if ((code.isBlank() && !user) || device.isBlank() || device.length() > 100) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "Send a code and a deviceName of 1 to 100 characters.");
        }
        if (!user && !codes.redeem(code)) {
            throw TandemException.of(ErrorCode.PAIRING_FAILED);
        }
        if (web) {
            exchange.respond(200, device(device));
            return;
        }
        String browserId = asked.path("browserId").asString("");
        if (!browserId.matches("[A-Za-z0-9-]{8,64}")) {
            browserId = UUID.randomUUID().toString();
        }
        exchange.respond(200, paired(browserId, device));
    }

    /** A web page on some device: it chats, and no browser is driven through it. */
    private ObjectNode device(String name) {
        String id = "web-" + UUID.randomUUID();
        ObjectNode body = pairBody(tokens.createDevice(id, name));
        body.set("user", user());
        return body.put("browserId", id);
    }

    /** Remembers the browser and makes its first token pair. */
    public ObjectNode paired(String browserId, String device) {
        String key = browsers.pair(browserId, device);
        ObjectNode body = pairBody(tokens.create(browserId, device));
        body.set("user", user());
        body.put("browserId", browserId);
        body.put("hubKey", key);
        return body;
    }

    private void refresh(Exchange exchange) throws IOException {
        String token = exchange.json().path("refreshToken").asString("");
        if (token.isEmpty()) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "Invalid request data: refreshToken is missing.");
        }
        ExtensionTokens.Pair pair =
                tokens.refresh(token)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.UNAUTHORIZED,
                                        "Invalid or expired refresh token"));
        exchange.respond(200, pairBody(pair));
    }

    private void session(Exchange exchange) {
        String id = exchange.caller().id();
        if (exchange.method().equals("DELETE")) {
            tokens.revoke(id);
            exchange.respond(200, said("Logged out successfully"));
            return;
        }
        ObjectNode body = Json.object();
        body.put("userId", "user");
        body.put("sessionId", id);
        body.put("role", "owner");
        body.putNull("email");
        body.put("displayName", exchange.caller().name());
        exchange.respond(200, body);
    }

    private void endAll(Exchange exchange) {
        tokens.list().forEach(session -> tokens.revoke(session.id()));
        exchange.respond(200, said("Logged out from all devices"));
    }

    private void list(Exchange exchange) {
        ArrayNode sessions = Json.array();
        for (ExtensionTokens.Session session : tokens.list()) {
            sessions.addObject()
                    .put("id", session.id())
                    .put("deviceName", session.deviceName())
                    .put("createdAt", Instant.ofEpochMilli(session.createdAt()).toString())
                    .put("expiresAt", Instant.ofEpochMilli(session.refreshExpiresAt()).toString());
        }
        ObjectNode body = Json.object();
        body.set("sessions", sessions);
        exchange.respond(200, body);
    }

    private static ObjectNode pairBody(ExtensionTokens.Pair pair) {
        return Json.object()
                .put("success", true)
                .put("sessionToken", pair.access())
                .put("refreshToken", pair.refresh())
                .put("expiresAt", Instant.ofEpochMilli(pair.expiresAt()).toString());
    }

    private static ObjectNode user() {
        ObjectNode user = Json.object();
        user.put("id", "user");
        user.putNull("email");
        user.putNull("displayName");
        user.put("role", "owner");
        return user;
    }

    private static ObjectNode said(String message) {
        return Json.object().put("success", true).put("message", message);
    }
}
