package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the requests of the /ops protocol: which tool, in which session, by whose right, for which
 * browser. Throws what is wrong with them. Any thread may call it.
 */
final class OpsRequests {
    /** A look at the session, or its end; in the browser these wait for none either. */
    private static final Set<String> WAITS_FOR_NONE =
            Set.of(
                    "session.status",
                    "session.disconnect",
                    "targets.list",
                    "page.list",
                    "devtools.consolePoll",
                    "devtools.networkPoll");

    private final Catalogue catalogue;
    private final OpsSessions sessions;
    private final Browsers browsers;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    OpsRequests(Catalogue catalogue, OpsSessions sessions, Browsers browsers) {
        this.catalogue = catalogue;
        this.sessions = sessions;
        this.browsers = browsers;
    }

    Tool tool(ObjectNode request) {
        String command = request.path("command").asString("");
        return catalogue
                .byCommand(command)
                .orElseThrow(() ->
                        new TandemException(
                                        ErrorCode.INVALID_REQUEST,
                                        "Unknown ops command: " + command,
                                        "unknown_command")
                                .with("command", command));
    }

    /** Behind which others of its connection it has to stay; a wrong one may wait for all. */
    OpsLane lane(ObjectNode request) {
        String command = request.path("command").asString("");
        JsonNode payload = request.path("payload");
        String id = request.path("opsSessionId").asString("");
        if (id.isEmpty()) {
            JsonNode tab = payload.path("tabId");
            return tab.isIntegralNumber() && !command.startsWith("session.")
                    ? OpsLane.named("tabs", tab.asString())
                    : OpsLane.FREE;
        }
        if (WAITS_FOR_NONE.contains(command)) {
            return OpsLane.FREE;
        }
        if (command.equals("page.dialog")) {
            return OpsLane.all("dialogs of " + id);
        }
        String queue = "session " + id;
        Optional<OpsSession> session = sessions.find(id);
        if (session.isEmpty() || !atOneTarget(command)) {
            return OpsLane.all(queue);
        }
        return Json.text(payload, "targetId")
                .map(named -> OpsLane.named(queue, session.get().current(named)))
                .orElseGet(() -> OpsLane.active(queue, session.get().activeTargetId()));
    }

    /** Whether a command acts at a target and leaves it to the session which one is active. */
    private boolean atOneTarget(String command) {
        return !command.startsWith("targets.")
                && catalogue
                        .byCommand(command)
                        .filter(tool -> tool.input().path("properties").has("targetId"))
                        .isPresent();
    }

    /** Its payload, in the catalogue's words. */
    ObjectNode payload(Tool tool, ObjectNode request) {
        JsonNode given = request.path("payload");
        ObjectNode payload = given instanceof ObjectNode object ? object : Json.object();
        if (!given.isMissingNode() && !given.isObject()) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "The payload must be an object", "wrong_type");
        }
        if (!tool.wire().has("payload")) {
            return tool.read(payload);
        }
        Schema schema =
                schemas.computeIfAbsent(tool.name(), name -> Schema.of(tool.wire().get("payload")));
        ObjectNode named = payload.deepCopy();
        if (named.has("sessionLeaseId")) {
            named.putIfAbsent("leaseId", named.remove("sessionLeaseId"));
        }
        schema.check(named)
                .ifPresent(problem -> {
                    throw new TandemException(
                                    ErrorCode.INVALID_REQUEST, problem.message(), problem.reason())
                            .with("argument", problem.path());
                });
        return named;
    }

    /** The session that it names, if the sender may use the tool there. */
    Optional<OpsSession> session(Tool tool, ObjectNode request, OpsClient client) {
        boolean needed = tool.needsSession() || tool.name().equals("status");
        if (!needed) {
            return Optional.empty();
        }
        String id =
                Json.text(request, "opsSessionId")
                        .orElseThrow(() ->
                                new TandemException(
                                                ErrorCode.INVALID_REQUEST,
                                                "Missing opsSessionId",
                                                "missing_field")
                                        .with("field", "opsSessionId"));
        OpsSession session = sessions.admit(id, client, tool);
        boolean reader = session.sharedForReading() && tool.readShare();
        if (!holdsLease(request, session) && !reader) {
            throw new TandemException(
                    ErrorCode.NOT_OWNER, "Lease does not match session owner", "wrong_lease");
        }
        return Optional.of(session);
    }

    /** The sender in that session: its owner with the lease, a reader without. */
    static OpsClient client(OpsClient sender, ObjectNode request, Optional<OpsSession> session) {
        return session.isEmpty() || holdsLease(request, session.get()) ? sender : sender.asReader();
    }

    /** The browser of the session that it works in or takes back. */
    Optional<Browser> holder(Tool tool, Optional<OpsSession> session, ObjectNode payload) {
        return session.or(() ->
                        tool.name().equals("connect")
                                ? Json.text(payload, "sessionId").flatMap(sessions::find)
                                : Optional.empty())
                .map(OpsSession::browser);
    }

    /** The browser that one without such a session is for; waits for it no longer than others. */
    Browser choose(ObjectNode request, Watch watch) {
        long hold = browsers.patience().hold().toMillis() - watch.ageMs();
        return browsers.choose(Json.text(request, "browser"), Math.max(0, hold));
    }

    static int timeoutMs(Tool tool, ObjectNode payload, ObjectNode request) {
        return request.path("timeoutMs").asInt(payload.path("timeoutMs").asInt(tool.timeoutMs()));
    }

    private static boolean holdsLease(ObjectNode request, OpsSession session) {
        return Json.text(request, "leaseId")
                .or(() -> Json.text(request, "sessionLeaseId"))
                .filter(session.leaseId()::equals)
                .isPresent();
    }
}
