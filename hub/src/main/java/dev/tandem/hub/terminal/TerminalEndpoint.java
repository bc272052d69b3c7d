package dev.tandem.hub.terminal;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.Launch;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /pty-session*}, {@code /pty-restart}, {@code /pty-dispose}, {@code /terminals}. */
public final class TerminalEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalEndpoint.class);
    private static final String PROFILE = "claude";
    private static final String SIGN_IN = "sign-in:";
    private static final int TOKEN_MS = Limits.of("terminalTokenMs");
    private static final long YOUNG_MS = 60_000;

    private final TerminalAgent agent;
    private final TerminalTokens tokens;
    private final Clock clock;
    private final Predicate<String> folders;
    private final SignIns signIns;
    private final IntSupplier port;
    private final Map<String, Opened> opened = new ConcurrentHashMap<>();
    private final AttachTokens minted;

    /** What a terminal was opened with, to open it again after a restart. */
    private record Opened(String profile, boolean resume, String cwd, long at) {}

    /** What runs an agent's own sign-in; empty where it has none for a terminal. */
    @FunctionalInterface
    public interface SignIns {
        Optional<Launch> launch(String agentId, String methodId);
    }

    /**
     * @param folders whether a terminal may start in that folder
     */
    public TerminalEndpoint(
            TerminalAgent agent,
            TerminalTokens tokens,
            Predicate<String> folders,
            SignIns signIns,
            Clock clock,
            WebServer web) {
        this.agent = agent;
        this.tokens = tokens;
        this.folders = folders;
        this.signIns = signIns;
        this.clock = clock;
        this.port = web::port;
        minted = new AttachTokens(clock);
        var _ = agent.inherited().thenAccept(this::takeOver);
        web.face("terminal", new TerminalFace())
                .http("pty-session", this::open)
                .http("pty-reattach", this::reattach)
                .http("pty-restart", this::restart)
                .http("pty-dispose", this::dispose)
                .http("terminals", this::list)
                .http("claude-available", this::claude)
                .http("extension-token", exchange -> refuse(exchange, 403, "Forbidden"));
    }

    /** Terminals of an earlier hub go on: their programs' tokens and their beacons hold. */
    private void takeOver(JsonNode list) {
        for (JsonNode row : list.path("terminals")) {
            String session = row.path("sessionId").asString("");
            if (!row.has("exit")) {
                opened.put(session, opening(row.path("profile").asString(PROFILE), true, ""));
                tokens.mint(session);
            }
        }
    }

    private void open(Exchange exchange) throws IOException {
        JsonNode body = body(exchange);
        Opened wanted =
                opening(
                        Json.text(body, "profile").orElse(PROFILE),
                        Json.flag(body, "resume", false),
                        Json.text(body, "cwd").orElse(""));
        launch(exchange, wanted).ifPresent(grant -> mint(exchange, wanted, grant));
    }

    private Opened opening(String profile, boolean resume, String cwd) {
        return new Opened(profile, resume, cwd, clock.millis());
    }

    /** What the agent is to start; when that cannot be, the refusal has been sent. */
    private Optional<ObjectNode> launch(Exchange exchange, Opened wanted) {
        if (!wanted.cwd.isEmpty() && !folders.test(wanted.cwd)) {
            refuse(exchange, 400, "cwd is not a folder that was registered");
            return Optional.empty();
        }
        ObjectNode grant = Json.object();
        grant.put("profile", wanted.profile);
        grant.put("resume", wanted.resume);
        grant.put("cwd", wanted.cwd);
        ObjectNode env = grant.putObject("env");
        if (wanted.profile.startsWith(SIGN_IN)) {
            Optional<Launch> login = login(wanted.profile);
            if (login.isEmpty()) {
                refuse(exchange, 400, "the agent has no such sign-in for a terminal");
                return Optional.empty();
            }
            login.get().argv().forEach(grant.putArray("command")::add);
            login.get().env().forEach(env::put);
        }
        return Optional.of(grant);
    }

    private void mint(Exchange exchange, Opened wanted, ObjectNode grant) {
        String session = Secrets.token("");
        String token = tokens.mint(session);
        // Who only signs in gets nothing of ours.
        if (!wanted.profile.startsWith(SIGN_IN)) {
            ((ObjectNode) grant.path("env"))
                    .put("TANDEM_TOKEN", token)
                    .put("TANDEM_URL", "http://127.0.0.1:" + port.getAsInt())
                    .put("BROWSE_PORT", Integer.toString(port.getAsInt()));
        }
        Optional<ObjectNode> answer = grant(exchange, session, grant);
        if (answer.isEmpty()) {
            tokens.revoke(session);
            return;
        }
        opened.put(session, wanted);
        answer.get().put("disposeSecret", tokens.disposeSecret(session));
        exchange.respond(200, answer.get());
    }

    /** Callers name an agent and one of its ways; which program that is, the catalogue knows. */
    private Optional<Launch> login(String profile) {
        try {
            JsonNode names = Json.parse(profile.substring(SIGN_IN.length()));
            return signIns.launch(names.path(0).asString(""), names.path(1).asString(""));
        } catch (AgentException | TandemException notThere) {
            return Optional.empty();
        }
    }

    /** Grants a fresh token; when that fails the refusal has been sent and nothing is left. */
    private Optional<ObjectNode> grant(Exchange exchange, String session, ObjectNode grant) {
        String token = Secrets.token("");
        long expiresAt = clock.millis() + TOKEN_MS;
        grant.put("token", token).put("sessionId", session).put("expiresAt", expiresAt);
        try {
            JsonNode granted = agent.post("grant", grant);
            int port = agent.port().orElseThrow(TerminalAgent.NotReady::new);
            minted.add(exchange.caller().id(), token, expiresAt);
            if (!browser(exchange)) {
                exchange.add(
                        "Set-Cookie",
                        "gstack_pty="
                                + AttachTokens.cookieOf(token)
                                + "; HttpOnly; SameSite=Strict; Path=/ws; Max-Age="
                                + TOKEN_MS / 1000);
            }
            return Optional.of(
                    Json.object()
                            .put("terminalPort", port)
                            .put("ptySessionToken", token)
                            .put("expiresAt", expiresAt)
                            .put("sessionId", session)
                            .put("attachToken", token)
                            .put("leaseExpiresAt", granted.path("leaseExpiresAt").asLong()));
        } catch (TerminalAgent.NotReady _) {
            notReady(exchange);
        } catch (AgentLink.Refused e) {
            if (e.status() == 410) {
                refuse(exchange, 410, "lease expired or unknown");
            } else {
                refuse(exchange, 503, "failed to grant terminal session");
            }
        } catch (IOException _) {
            refuse(exchange, 503, "failed to grant terminal session");
        }
        return Optional.empty();
    }

    /** A browser would send a cookie to every other port of this machine as well. */
    private static boolean browser(Exchange exchange) {
        return exchange.header("Origin").isPresent()
                || exchange.header("Sec-Fetch-Site").isPresent();
    }

    /** Whoever logged out opens no terminal any more with what they were given. */
    public void loggedOut(String callerId) {
        for (String token : minted.take(callerId)) {
            try {
                agent.post("revoke", Json.object().put("token", token));
            } catch (IOException gone) {
                LOG.debug("The token went with the terminal agent", gone);
            }
        }
    }

    private void reattach(Exchange exchange) throws IOException {
        JsonNode body = body(exchange);
        String session = Json.text(body, "sessionId").orElse("");
        ObjectNode grant = Json.object().put("attach", true).put("resume", true);
        grant.put("readOnly", Json.flag(body, "readOnly", false));
        grant(exchange, session, grant).ifPresent(answer -> exchange.respond(200, answer));
    }

    private void restart(Exchange exchange) throws IOException {
        agent.revive();
        JsonNode body = body(exchange);
        Optional<String> session = Json.text(body, "sessionId");
        Opened before = session.map(opened::get).orElseGet(() -> opening(PROFILE, true, ""));
        Opened wanted =
                opening(
                        Json.text(body, "profile").orElse(before.profile),
                        Json.flag(body, "resume", before.resume),
                        // A folder that was taken off the list meanwhile is no reason to fail.
                        Json.text(body, "cwd").orElse(folders.test(before.cwd) ? before.cwd : ""));
        Optional<ObjectNode> grant = launch(exchange, wanted);
        if (grant.isEmpty()) {
            return;
        }
        // Only now: who is refused keeps what runs.
        session.ifPresent(id -> end(exchange, "restart", id));
        mint(exchange, wanted, grant.get());
    }

    private void dispose(Exchange exchange) throws IOException {
        JsonNode body = body(exchange);
        String session = Json.text(body, "sessionId").orElse("");
        String secret = Json.text(body, "authToken").orElse("");
        boolean proven = exchange.caller().proven();
        if (!proven
                && !(opened.containsKey(session)
                        && Secrets.same(tokens.disposeSecret(session), secret))) {
            refuse(exchange, 401, "Unauthorized");
            return;
        }
        if (end(exchange, "dispose", session)) {
            exchange.respond(200, Json.object().put("ok", true));
        }
    }

    private boolean end(Exchange exchange, String how, String session) {
        opened.remove(session);
        tokens.revoke(session);
        try {
            agent.post(how, Json.object().put("sessionId", session));
            return true;
        } catch (IOException _) {
            if (how.equals("dispose")) {
                notReady(exchange);
            }
            return false;
        }
    }

    private void list(Exchange exchange) {
        try {
            JsonNode list = agent.get("list");
            ObjectNode answer = Json.object();
            answer.set("terminals", list.path("terminals"));
            JsonNode programs = agent.get("profiles");
            answer.set("profiles", programs.path("profiles"));
            if (programs.has("problem")) {
                answer.set("problem", programs.get("problem"));
            }
            forgetAllBut(list.path("terminals"));
            exchange.respond(200, answer);
        } catch (IOException _) {
            // It has just died, or is too busy to answer: the next one, or a moment, helps.
            notReady(exchange);
        }
    }

    private void forgetAllBut(JsonNode rows) {
        Set<String> alive = new HashSet<>();
        rows.forEach(row -> alive.add(row.path("sessionId").asString("")));
        // One that was just opened has not started its program yet.
        long young = clock.millis() - YOUNG_MS;
        opened.entrySet().removeIf(e -> !alive.contains(e.getKey()) && e.getValue().at < young);
        tokens.keep(opened.keySet());
    }

    private void claude(Exchange exchange) {
        try {
            ObjectNode found = (ObjectNode) agent.get("claude");
            if (!exchange.caller().proven()) {
                found.remove("path");
            }
            exchange.respond(200, found);
        } catch (IOException _) {
            notReady(exchange);
        }
    }

    private static JsonNode body(Exchange exchange) throws IOException {
        byte[] bytes = exchange.body();
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.isBlank() ? Json.object() : Json.parseObject(text);
    }

    /** With {@code off} when waiting does not help: only a person's restart starts it again. */
    private void notReady(Exchange exchange) {
        ObjectNode answer = Json.object().put("error", "terminal-agent not ready");
        if (agent.off()) {
            answer.put("off", true)
                    .put(
                            "hint",
                            "It died too often. Restart a terminal in the panel, or the hub; see"
                                    + " logs/terminal.log.");
        }
        exchange.respond(503, answer);
    }

    private static void refuse(Exchange exchange, int status, String error) {
        exchange.respond(status, Json.object().put("error", error));
    }
}
