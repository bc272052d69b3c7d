package dev.tandem.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The process of the hub that this agent obeys; zero while there is none. */
    int hub() {
        return owner.pid();
    }

    boolean authorised(Request request) {
        String header = request.one("Authorization").orElse("");
        return header.startsWith("Bearer ") && Secrets.same(token, header.substring(7));
    }

    Answer handle(Request request, String name, Kin kin) throws IOException {
        // SEC-1: an agent that the hub runs can read the token, too, and is no terminal.
        if (!authorised(request) || !kin.hubs()) {
            return Answer.text(Answer.FORBIDDEN, "forbidden");
        }
        if (!request.one(GENERATION).orElse(generation).equals(generation)) {
            return Answer.text(Answer.CONFLICT, "stale generation");
        }
        ObjectNode body = request.method().equals("POST") ? body(request) : emptyBody();
        if (body == null) {
            return Answer.text(Answer.BAD_REQUEST, "bad");
        }
        return switch (request.method() + " " + name) {
            case "POST grant" -> grant(body);
            case "POST revoke" -> revoke(body);
            case "POST restart" -> end(body, 4001, "restart");
            case "POST dispose" -> end(body, 4410, "disposed");
            case "POST adopt" -> adopt(body);
            case "POST owner-of" -> ownerOf(body);
            case "POST tabs" -> tabs(body);
            case "GET healthz" -> health();
            case "GET list" -> list();
            case "GET claude" -> ok(programs.probeClaude());
            case "GET profiles" -> ok(programs.profiles());
            default -> Answer.text(Answer.NOT_FOUND, "not found");
        };
    }

    private Answer grant(ObjectNode body) {
        String granted = body.path("token").asString("");
        String session = body.path("sessionId").asString("");
        if (granted.length() < SHORTEST_TOKEN) {
            return Answer.text(Answer.BAD_REQUEST, "bad");
        }
        boolean readOnly = body.path("readOnly").asBoolean(false);
        boolean attach = readOnly || body.path("attach").asBoolean(false);
        if (attach && !terminals.resumable(session)) {
            return Answer.text(Answer.GONE, "gone");
        }
        grants.add(
                granted,
                new Grants.Grant(
                        session.isEmpty() ? Secrets.make(32) : session,
                        body.path("profile").asString(Programs.CLAUDE),
                        words(body.path("command")),
                        body.path("cwd").asString(""),
                        body.path("resume").asBoolean(false),
                        attach,
                        readOnly,
                        strings(body.path("env")),
                        body.path("expiresAt").asLong(Long.MAX_VALUE)));
        return ok(
                emptyBody()
                        .put("ok", true)
                        .put("leaseExpiresAt", terminals.leaseExpiresAt(session)));
    }

    private static List<String> words(JsonNode list) {
        List<String> words = new ArrayList<>();
        list.forEach(word -> words.add(word.asString("")));
        return List.copyOf(words);
    }

    private Answer revoke(ObjectNode body) {
        boolean known = grants.revoke(body.path("token").asString(""));
        return ok(emptyBody().put("revoked", known ? 1 : 0));
    }

    private Answer end(ObjectNode body, int code, String reason) {
        String session = body.path("sessionId").asString("");
        grants.revokeAll(session);
        boolean ended = terminals.end(session, code, reason);
        return ok(emptyBody().put("killed", ended ? 1 : 0));
    }

    private Answer adopt(ObjectNode body) {
        owner.adoptedBy(body.path("ownerPid").asInt(0));
        return ok(emptyBody().put("ok", true));
    }

    // SEC-1: a process below this agent belongs to a terminal even when which one is not known.
    private Answer ownerOf(ObjectNode body) {
        int pid = body.path("pid").asInt(0);
        int self = (int) ProcessHandle.current().pid();
        boolean ours = ProcessTree.ancestors(pid).filter(all -> all.contains(self)).isPresent();
        Optional<String> session = ours ? terminals.ownerOf(pid) : Optional.empty();
        ObjectNode answer = emptyBody().put("descendant", ours);
        session.ifPresentOrElse(
                id -> answer.put("sessionId", id), () -> answer.putNull("sessionId"));
        return ok(answer);
    }

    private Answer tabs(ObjectNode body) {
        if (body.has("tabs")) {
            terminals.tabs().all(body.path("tabs"), body.path("reason").asString(""));
        }
        terminals.tabs().active(body.path("active"));
        return ok(emptyBody().put("ok", true));
    }

    private Answer health() {
        return ok(
                emptyBody()
                        .put("pid", ProcessHandle.current().pid())
                        .put("gen", generation)
                        .put("sessions", terminals.running()));
    }

    private Answer list() {
        JsonNode list = Messages.list(terminals.list());
        for (JsonNode row : list.path("terminals")) {
            ((ObjectNode) row)
                    .put(
                            "leaseExpiresAt",
                            terminals.leaseExpiresAt(row.path("sessionId").asString("")));
        }
        return ok(list);
    }

    private static Answer ok(JsonNode body) {
        return Answer.json(body);
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

    private static @Nullable ObjectNode body(Request request) throws IOException {
        Optional<byte[]> bytes = request.body(Limits.BODY_BYTES);
        return bytes.isPresent()
                ? Messages.parse(new String(bytes.get(), StandardCharsets.UTF_8))
                : null;
    }
}
