package dev.tandem.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /internal/*}: what the hub may ask, with the internal token and the right generation. */
final class InternalEndpoint {
    static final String GENERATION = "X-Browse-Gen";
    private static final int SHORTEST_TOKEN = 17;

    private final String token;
    private final String generation;
    private final Grants grants;
    private final Terminals terminals;
    private final Programs programs;
    private final Owner owner;

    InternalEndpoint(
            Identity identity, Grants grants, Terminals terminals, Programs programs, Owner owner) {
        token = identity.internalToken();
        generation = identity.generation();
        this.grants = grants;
        this.terminals = terminals;
        this.programs = programs;
        this.owner = owner;
    }

    /** What tells this agent process from every other one. */
    record Identity(String internalToken, String generation) {}

    boolean authorised(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return header != null
                && header.startsWith("Bearer ")
                && Secrets.same(token, header.substring(7));
    }

    void handle(Request request, Response response, Callback callback, String name) {
        if (!authorised(request)) {
            Answers.text(response, callback, HttpStatus.FORBIDDEN_403, "forbidden");
            return;
        }
        String theirs = request.getHeaders().get(GENERATION);
        if (theirs != null && !theirs.equals(generation)) {
            Answers.text(response, callback, HttpStatus.CONFLICT_409, "stale generation");
            return;
        }
        ObjectNode body = request.getMethod().equals("POST") ? body(request) : emptyBody();
        if (body == null) {
            Answers.text(response, callback, HttpStatus.BAD_REQUEST_400, "bad");
            return;
        }
        switch (request.getMethod() + " " + name) {
            case "POST grant" -> grant(body, response, callback);
            case "POST revoke" -> revoke(body, response, callback);
            case "POST restart" -> end(body, response, callback, 4001, "restart");
            case "POST dispose" -> end(body, response, callback, 4410, "disposed");
            case "POST adopt" -> adopt(body, response, callback);
            case "POST owner-of" -> ownerOf(body, response, callback);
            case "POST tabs" -> tabs(body, response, callback);
            case "GET healthz" -> health(response, callback);
            case "GET list" -> list(response, callback);
            case "GET claude" -> ok(response, callback, programs.probeClaude());
            case "GET profiles" -> ok(response, callback, programs.profiles());
            default -> Answers.text(response, callback, HttpStatus.NOT_FOUND_404, "not found");
        }
    }

    private void grant(ObjectNode body, Response response, Callback callback) {
        String granted = body.path("token").asString("");
        String session = body.path("sessionId").asString("");
        if (granted.length() < SHORTEST_TOKEN) {
            Answers.text(response, callback, HttpStatus.BAD_REQUEST_400, "bad");
            return;
        }
        boolean attach = body.path("attach").asBoolean(false);
        if (attach && !terminals.resumable(session)) {
            Answers.text(response, callback, HttpStatus.GONE_410, "gone");
            return;
        }
        long longest = System.currentTimeMillis() + 30 * 60_000L;
        grants.add(
                granted,
                new Grants.Grant(
                        session.isEmpty() ? Secrets.make(32) : session,
                        body.path("profile").asString(Programs.CLAUDE),
                        body.path("cwd").asString(""),
                        body.path("resume").asBoolean(false),
                        body.path("readOnly").asBoolean(false),
                        strings(body.path("env")),
                        Math.min(longest, body.path("expiresAt").asLong(longest))));
        ok(
                response,
                callback,
                emptyBody()
                        .put("ok", true)
                        .put("leaseExpiresAt", terminals.leaseExpiresAt(session)));
    }

    private void revoke(ObjectNode body, Response response, Callback callback) {
        boolean known = grants.revoke(body.path("token").asString(""));
        ok(response, callback, emptyBody().put("revoked", known ? 1 : 0));
    }

    private void end(
            ObjectNode body, Response response, Callback callback, int code, String reason) {
        String session = body.path("sessionId").asString("");
        grants.revokeAll(session);
        boolean ended = terminals.end(session, code, reason);
        ok(response, callback, emptyBody().put("killed", ended ? 1 : 0));
    }

    private void adopt(ObjectNode body, Response response, Callback callback) {
        owner.adoptedBy(body.path("ownerPid").asInt(0));
        ok(response, callback, emptyBody().put("ok", true));
    }

    // SEC-1: a process below this agent belongs to a terminal even when which one is not known.
    private void ownerOf(ObjectNode body, Response response, Callback callback) {
        int pid = body.path("pid").asInt(0);
        boolean ours = ProcessTree.ancestors(pid).contains((int) ProcessHandle.current().pid());
        Optional<String> session = ours ? terminals.ownerOf(pid) : Optional.empty();
        ObjectNode answer = emptyBody().put("descendant", ours);
        session.ifPresentOrElse(
                id -> answer.put("sessionId", id), () -> answer.putNull("sessionId"));
        ok(response, callback, answer);
    }

    private void tabs(ObjectNode body, Response response, Callback callback) {
        if (body.has("tabs")) {
            terminals.tabs().all(body.path("tabs"), body.path("reason").asString(""));
        }
        terminals.tabs().active(body.path("active"));
        ok(response, callback, emptyBody().put("ok", true));
    }

    private void health(Response response, Callback callback) {
        ok(
                response,
                callback,
                emptyBody()
                        .put("pid", ProcessHandle.current().pid())
                        .put("gen", generation)
                        .put("sessions", terminals.running()));
    }

    private void list(Response response, Callback callback) {
        JsonNode list = Messages.list(terminals.list());
        for (JsonNode row : list.path("terminals")) {
            ((ObjectNode) row)
                    .put(
                            "leaseExpiresAt",
                            terminals.leaseExpiresAt(row.path("sessionId").asString("")));
        }
        ok(response, callback, list);
    }

    private static void ok(Response response, Callback callback, JsonNode body) {
        Answers.json(response, callback, HttpStatus.OK_200, body);
    }

    private static ObjectNode emptyBody() {
        return Messages.JSON.createObjectNode();
    }

    private static Map<String, String> strings(JsonNode node) {
        Map<String, String> all = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            all.put(entry.getKey(), entry.getValue().asString(""));
        }
        return all;
    }

    private static @Nullable ObjectNode body(Request request) {
        try (InputStream in = Content.Source.asInputStream(request)) {
            byte[] bytes = in.readNBytes(Limits.BODY_BYTES + 1);
            return bytes.length > Limits.BODY_BYTES
                    ? null
                    : Messages.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException _) {
            return null;
        }
    }
}
