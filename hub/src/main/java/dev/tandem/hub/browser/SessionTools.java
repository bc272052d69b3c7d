package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** launch, connect, disconnect, status: which browser, which session, and the truth about them. */
public final class SessionTools {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTools.class);
    private static final long IDLE_CHECK_MS = 60_000;

    private final ToolRunner runner;
    private final Browsers browsers;
    private final OpsSessions sessions;
    private final ManagedBrowsers managed;
    private final DebuggedBrowsers debugged;
    private final RelayStatus relay;
    private final Facts facts;
    private final BrowserChoice choice;

    /** What status says about this installation. */
    public record Facts(String version, String extensionPath) {}

    public SessionTools(
            ToolRunner runner,
            Browsers browsers,
            OpsSessions sessions,
            ManagedBrowsers managed,
            DebuggedBrowsers debugged,
            RelayStatus relay,
            Facts facts) {
        this.runner = runner;
        this.browsers = browsers;
        this.sessions = sessions;
        this.managed = managed;
        this.debugged = debugged;
        this.relay = relay;
        this.facts = facts;
        this.choice = new BrowserChoice(browsers, managed, relay);
        runner.choosing(choice::of);
        runner.with("launch", this::launch)
                .with("connect", this::connect)
                .with("disconnect", this::disconnect)
                .with("status", this::status);
        var _ =
                browsers.timer()
                        .scheduleWithFixedDelay(
                                () -> Thread.startVirtualThread(this::endIdle),
                                IDLE_CHECK_MS,
                                IDLE_CHECK_MS,
                                TimeUnit.MILLISECONDS);
    }

    /** A session without a socket behind it ends when nobody used it for long. */
    private void endIdle() {
        long before = System.currentTimeMillis() - Limits.IDLE_SESSION_MS;
        for (OpsSession session : sessions.all()) {
            if (session.connection().door() != OpsClient.Door.OPS && session.usedAt() < before) {
                end(session);
            }
        }
    }

    private void end(OpsSession session) {
        try {
            runner.run(
                    "disconnect",
                    Json.object().put("sessionId", session.id()),
                    session.connection(),
                    Watch.nobody());
        } catch (TandemException e) {
            LOG.info("An idle session could not be ended: {}", e.message());
        }
    }

    private ToolResult launch(ToolCall call) {
        try {
            return opened(call, call.browser().get());
        } catch (TandemException e) {
            // None was there, or it left just before: the ways on are the same.
            boolean gone =
                    e.reason().orElse("").equals("extension_disconnected")
                            && !Json.flag(e.details(), "dispatched", true);
            throw gone ? choice.notConnected() : e;
        }
    }

    private ToolResult connect(ToolCall call) {
        Optional<String> sessionId = call.text("sessionId");
        if (sessionId.isPresent()) {
            return rejoin(call, sessionId.get());
        }
        Optional<Endpoint> endpoint = Endpoint.of(call, relay.port());
        if (endpoint.filter(one -> one.kind() == Endpoint.Kind.LEGACY).isPresent()
                && !call.flag("extensionLegacy")) {
            throw new TandemException(
                    ErrorCode.EXTENSION_LEGACY_REQUIRED,
                    "Legacy extension relay (/cdp) requires extensionLegacy=true.");
        }
        BrowserChoice.refuseLegacy(call.arguments());
        if (endpoint.filter(one -> one.kind() == Endpoint.Kind.DEBUGGER).isPresent()) {
            return opened(call, debugged.open(endpoint.get()));
        }
        try {
            return opened(call, browsers.choose(call.text("browser")));
        } catch (TandemException e) {
            if (e.code() != ErrorCode.OPS_UNAVAILABLE) {
                throw e;
            }
            throw new TandemException(
                    ErrorCode.EXTENSION_NOT_CONNECTED,
                    "Extension relay not available. Connect the extension or pass"
                            + " wsEndpoint/host/port.");
        }
    }

    private ToolResult rejoin(ToolCall call, String sessionId) {
        OpsSession known = sessions.find(sessionId).orElseThrow(() -> sessions.unknown(sessionId));
        ObjectNode payload = Json.object().put("sessionId", sessionId);
        call.text("leaseId").ifPresent(lease -> payload.put("leaseId", lease));
        call.text("shareMode").ifPresent(mode -> payload.put("shareMode", mode));
        ObjectNode answer = runner.forward(call, known.browser(), payload);
        return ToolResult.of(call.tool(), described(known.browser(), answer));
    }

    private ToolResult opened(ToolCall call, Browser browser) {
        ObjectNode payload = runner.dispatch().payload(call);
        payload.remove("sessionId");
        ObjectNode answer = runner.forward(call, browser, payload);
        return ToolResult.of(call.tool(), described(browser, answer));
    }

    private static ObjectNode described(Browser browser, ObjectNode answer) {
        ObjectNode data = Json.object();
        data.set("sessionId", answer.path("opsSessionId"));
        data.put("mode", browser.mode());
        data.set("activeTargetId", answer.path("activeTargetId"));
        data.set("leaseId", answer.path("leaseId"));
        data.put("state", Json.text(answer, "state").orElse("active"));
        data.put(
                "sessionMode",
                browser.mode().equals("extension") ? "extension_ops" : browser.mode());
        data.put("browser", browser.name());
        copy(answer, data, "url", "title", "warnings");
        return data;
    }

    private ToolResult disconnect(ToolCall call) {
        OpsSession session = call.requireSession();
        ObjectNode payload = Json.object();
        boolean closeBrowser = call.flag("closeBrowser");
        if (closeBrowser && !call.client().isUser()) {
            refuseSharedBrowser(session);
        }
        payload.put("closeTabs", call.flag("closeTabs"));
        try {
            runner.forward(call, session.browser(), payload);
        } catch (TandemException e) {
            if (e.code() != ErrorCode.OPS_UNAVAILABLE && e.code() != ErrorCode.INVALID_SESSION) {
                throw e;
            }
            sessions.end(session, "closed");
        }
        if (closeBrowser) {
            managed.end(session.browser());
        }
        return ToolResult.of(call.tool(), Json.object());
    }

    /** Whoever ends a browser ends the sessions of all others there. */
    private void refuseSharedBrowser(OpsSession session) {
        boolean alone =
                sessions.of(session.browser()).stream()
                        .allMatch(one -> one.ownerKey().equals(session.ownerKey()));
        if (!alone) {
            throw new TandemException(
                    ErrorCode.NOT_OWNER, "Others work in this browser, too.", "browser_in_use");
        }
    }

    private ToolResult status(ToolCall call) {
        Optional<String> named = call.text("sessionId");
        if (named.isPresent() && call.flag("daemon")) {
            throw new TandemException(
                    ErrorCode.USAGE, "--session-id and --daemon exclude each other.");
        }
        Optional<OpsSession> session =
                call.flag("daemon")
                        ? Optional.empty()
                        : named.isPresent()
                                ? Optional.of(
                                        sessions.admit(named.get(), call.client(), call.tool()))
                                : theOnlyOne(call.client());
        ObjectNode data = session.map(s -> sessionStatus(call, s)).orElseGet(Json::object);
        data.put("version", facts.version());
        data.put("hubEnabled", true);
        data.put("extensionPath", facts.extensionPath());
        data.set("health", relay.health());
        if (session.isEmpty()) {
            describeHub(data, call.client());
        }
        return ToolResult.of(call.tool(), data);
    }

    private Optional<OpsSession> theOnlyOne(OpsClient client) {
        List<OpsSession> mine = sessions.ownedBy(client);
        return mine.size() == 1 && mine.getFirst().browser().connected()
                ? Optional.of(mine.getFirst())
                : Optional.empty();
    }

    private ObjectNode sessionStatus(ToolCall call, OpsSession session) {
        ToolCall inSession =
                new ToolCall(
                        call.tool(),
                        call.arguments(),
                        call.client(),
                        Optional.of(session),
                        call.watch());
        ObjectNode answer = runner.forward(inSession, session.browser(), Json.object());
        ObjectNode data = Json.object();
        data.put("sessionId", session.id());
        data.put("mode", session.browser().mode());
        copy(answer, data, "activeTargetId", "url", "title", "state");
        JsonNode dialog = answer.path("dialog");
        boolean asks = dialog.path("open").asBoolean(false);
        ObjectNode meta = data.putObject("meta").put("blockerState", asks ? "active" : "clear");
        if (answer.path("meta") instanceof ObjectNode known) {
            copy(known, meta, "blockerState", "blocker");
        }
        meta.set("dialog", dialog.isObject() ? dialog : Json.object().put("open", false));
        data.put("sessionMode", session.sessionMode());
        data.put("browser", session.browser().name());
        data.put("owner", session.label());
        data.put("shareMode", session.shareMode());
        return data;
    }

    private void describeHub(ObjectNode data, OpsClient client) {
        data.set("daemon", relay.full());
        ArrayNode known = data.putArray("browsers");
        for (Browser browser : browsers.connected()) {
            known.addObject()
                    .put("name", browser.name())
                    .put("mode", browser.mode())
                    .put("browserVersion", browser.facts().browserVersion())
                    .put("sessions", sessions.of(browser).size());
        }
        ArrayNode mine = data.putArray("sessions");
        for (OpsSession session : sessions.ownedBy(client)) {
            mine.addObject()
                    .put("sessionId", session.id())
                    .put("label", session.label())
                    .put("state", session.state())
                    .put("mode", session.browser().mode())
                    .put("browser", session.browser().name());
        }
        ArrayNode clients = data.putArray("clients");
        for (OpsClient other : browsers.clients()) {
            clients.addObject().put("name", other.label()).put("door", other.door().word());
        }
    }

    private static void copy(ObjectNode from, ObjectNode to, String... fields) {
        for (String field : fields) {
            if (from.has(field)) {
                to.set(field, from.get(field));
            }
        }
    }
}
