package dev.tandem.hub.browser;

import dev.tandem.hub.health.Identity;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The state of links and clients as /status and the heartbeat report it. */
public final class RelayStatus {
    private final Browsers browsers;
    private final OpsSessions sessions;
    private final Identity identity;
    private final IntSupplier port;
    private final HandshakeErrors errors = new HandshakeErrors();
    private volatile BooleanSupplier cdpClient = () -> false;
    private volatile BooleanSupplier annotationClient = () -> false;
    private final AtomicInteger waiting = new AtomicInteger();

    public RelayStatus(
            Browsers browsers, OpsSessions sessions, Identity identity, IntSupplier port) {
        this.browsers = browsers;
        this.sessions = sessions;
        this.identity = identity;
        this.port = port;
    }

    int port() {
        return port.getAsInt();
    }

    /** Names those who know whether a client of the other two doors is there. */
    public void watch(BooleanSupplier cdp, BooleanSupplier annotation) {
        cdpClient = cdp;
        annotationClient = annotation;
    }

    /** A browser's socket came, or is no longer waiting to be told who it is. */
    void waits(boolean more) {
        waiting.addAndGet(more ? 1 : -1);
    }

    /** What keeps the extension from working, as the beginning of a sentence. */
    String trouble() {
        if (tokenRefused()) {
            return "Extension relay connection failed: relay /ops unauthorized (token mismatch)";
        }
        return switch (reason()) {
            case "handshake_incomplete" -> "Extension websocket connected but handshake incomplete";
            case "pairing_invalid" -> "Extension not connected to the expected relay instance";
            default -> "Extension not connected";
        };
    }

    private String reason() {
        if (!browsers.connected().isEmpty()) {
            return "ok";
        }
        if (waiting.get() > 0) {
            return "handshake_incomplete";
        }
        return errors.latest()
                .map(HandshakeErrors.One::code)
                .filter("pairing_invalid"::equals)
                .orElse("extension_disconnected");
    }

    /** Whether the last that was heard of an extension is that its token was refused. */
    boolean tokenRefused() {
        return browsers.connected().isEmpty()
                && errors.latest().filter(HandshakeErrors.One::tokenRefused).isPresent();
    }

    /**
     * An extension was turned away at its own door, before any greeting.
     *
     * @param browserId whose token it showed, where that is known
     */
    public void refused(ErrorCode why, String origin, Optional<String> browserId) {
        if (why == ErrorCode.FORBIDDEN_ORIGIN) {
            failed(
                    origin,
                    "origin_blocked",
                    "Refused " + origin + ", which is not this hub's.",
                    false);
        } else if (why == ErrorCode.UNAUTHORIZED) {
            failed(
                    browserId.orElse(origin),
                    "pairing_invalid",
                    "The extension's token is not valid.",
                    true);
        }
    }

    /**
     * A browser is through: what went wrong with it before is over. Of a token that nobody knows
     * only the extension is known, and one that the hub prepared says nothing of the user's.
     */
    void greeted(String browserId, String extensionId) {
        errors.over(browserId);
        if (!Browsers.prepares(browserId)) {
            errors.over("chrome-extension://" + extensionId);
        }
    }

    void handshakeFailed(String browserId, String code, String message) {
        failed(browserId, code, message, false);
    }

    private void failed(String from, String code, String message, boolean tokenRefused) {
        errors.add(
                from,
                new HandshakeErrors.One(code, message, System.currentTimeMillis(), tokenRefused));
    }

    /** Every fact; for callers who proved themselves. */
    public ObjectNode full() {
        ObjectNode status = Json.object();
        status.put("instanceId", identity.instanceId());
        status.put("running", true);
        status.put("port", port.getAsInt());
        status.put("discoveryPort", port.getAsInt());
        links(status);
        status.put("browserComing", browsers.oneComes());
        ArrayNode failed = status.putArray("handshakeErrors");
        errors.all().forEach(error -> failed.add(described(error)));
        ArrayNode tabs = status.putArray("opsOwnedTabIds");
        ArrayNode extensions = status.putArray("extensions");
        for (Browser browser : browsers.connected()) {
            ObjectNode entry = extensions.addObject();
            Browser.Facts facts = browser.facts();
            entry.put("browserId", browser.id());
            entry.put("name", facts.name());
            entry.put("mode", facts.mode());
            entry.put("extensionId", facts.extensionId());
            entry.put("version", facts.version());
            entry.put("profileName", facts.profileName());
            entry.put("browserVersion", facts.browserVersion());
            entry.put("connectedAt", facts.connectedAt());
            entry.put("sessions", sessions.of(browser).size());
            browser.attachRefused().ifPresent(refused -> entry.set("attachRefused", refused));
            ArrayNode owned = entry.putArray("opsOwnedTabIds");
            tabsOf(browser).forEach(owned::add);
            tabsOf(browser).forEach(tabs::add);
        }
        status.set("health", health());
        return status;
    }

    /** Whether work can be done, and if not, why. */
    public ObjectNode health() {
        ObjectNode health = Json.object();
        health.put("ok", reason().equals("ok"));
        health.put("reason", reason());
        links(health);
        return health;
    }

    private void links(ObjectNode target) {
        boolean connected = !browsers.connected().isEmpty();
        target.put("extensionConnected", connected || waiting.get() > 0);
        target.put("extensionHandshakeComplete", connected);
        target.put("cdpConnected", cdpClient.getAsBoolean());
        target.put("annotationConnected", annotationClient.getAsBoolean());
        target.put("opsConnected", !browsers.clients().isEmpty());
        target.put(
                "opsOwnedTargetCount",
                sessions.all().stream()
                        .filter(session -> session.browser().connected())
                        .mapToInt(session -> session.targets().size())
                        .sum());
        target.put("canvasConnected", false);
        target.put("pairingRequired", true);
        errors.latest().ifPresent(error -> target.set("lastHandshakeError", described(error)));
    }

    private static ObjectNode described(HandshakeErrors.One error) {
        return Json.object()
                .put("code", error.code())
                .put("message", error.message())
                .put("at", error.at());
    }

    private Collection<Long> tabsOf(Browser browser) {
        return sessions.of(browser).stream()
                .flatMap(session -> session.targets().stream())
                .filter(target -> target.matches("tab-\\d{1,15}"))
                .map(target -> Long.valueOf(target.substring(4)))
                .sorted()
                .toList();
    }
}
