package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the requests of the /ops protocol: which tool, in which session, by whose right, for which
 * browser. Throws what is wrong with them. Any thread may call it.
 */
final class OpsRequests {
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

    /** The browser that it is for. */
    Browser browser(
            Tool tool, Optional<OpsSession> session, ObjectNode payload, ObjectNode request) {
        if (session.isPresent()) {
            return session.get().browser();
        }
        Optional<Browser> holder =
                tool.name().equals("connect")
                        ? Json.text(payload, "sessionId")
                                .flatMap(sessions::find)
                                .map(OpsSession::browser)
                        : Optional.empty();
        return holder.orElseGet(() -> browsers.choose(Json.text(request, "browser")));
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
