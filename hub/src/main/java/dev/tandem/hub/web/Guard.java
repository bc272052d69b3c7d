package dev.tandem.hub.web;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.TandemException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What every request and upgrade passes, in this order: Host, Origin, token, method. Nothing of the
 * body is read before.
 */
final class Guard {
    private static final String KIN = "dev.tandem.kin";
    private static final Set<String> USERS_OWN = Set.of("auth-pair", "auth-refresh");
    private static final Set<String> COMMANDS = Set.of("command", "batch");
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

    private final Authenticator authenticator;
    private final Origins origins;
    private final Throttle throttle;
    private final Throttle guesses;
    private volatile Kin kin = Kin.NONE;
    private volatile TurnedAway turnedAway = (why, origin, token) -> {};

    Guard(Authenticator authenticator, Origins origins, Clock clock) {
        this.authenticator = authenticator;
        this.origins = origins;
        this.throttle = new Throttle(clock, Throttle.FAILURES);
        this.guesses = new Throttle(clock, Throttle.GUESSES);
    }

    void kin(Kin known) {
        kin = known;
    }

    void onTurnedAway(TurnedAway listener) {
        turnedAway = listener;
    }

    /** Extensions only: nothing but a browser can name one of those as its origin. */
    void turnedAway(Request request, Route route, ErrorCode why) {
        String origin = request.getHeaders().get("Origin");
        if (origin != null && origin.matches("chrome-extension://[a-p]{32}")) {
            turnedAway.accept(why, origin, token(request, route));
        }
    }

    /**
     * The user's own credentials are worth nothing in the hands of an agent's process: what widens
     * rights is reached by them. Its command lines have a door of their own.
     */
    void checkKin(Request request, Route route, Caller caller) {
        boolean usersOwn =
                caller.kind() == TokenKind.HUB
                        || caller.kind() == TokenKind.EXTENSION
                        || caller.kind() == TokenKind.DEVICE
                        || route.door().equals("relay")
                        || USERS_OWN.contains(route.id());
        if (!usersOwn || route.door().equals("cli")) {
            return;
        }
        // Asked once for each connection: finding its process takes a walk over all of them.
        var connection = request.getConnectionMetaData();
        boolean browser =
                caller.kind() == TokenKind.EXTENSION
                        || caller.kind() == TokenKind.DEVICE
                        || (USERS_OWN.contains(route.id()) && caller.kind() != TokenKind.HUB);
        String name = KIN + (browser ? ".browser" : "");
        Object known = connection.getAttribute(name);
        if (known == null) {
            known = kin.of(ends(request), browser);
            connection.setAttribute(name, known);
        }
        if (known instanceof Optional<?> found
                && found.orElse(null) instanceof Kin.Refusal refusal) {
            kin.refused(
                    refusal.who(), request.getMethod() + " " + Request.getPathInContext(request));
            throw new TandemException(ErrorCode.FORBIDDEN, refusal.why(), "agent_process");
        }
    }

    static TcpEnds ends(Request request) {
        var connection = request.getConnectionMetaData();
        return new TcpEnds(
                (InetSocketAddress) connection.getRemoteSocketAddress(),
                (InetSocketAddress) connection.getLocalSocketAddress());
    }

    void checkHost(Request request, int port) {
        String host = request.getHeaders().get("Host");
        if (host == null || request.getHeaders().getFields("Host").size() != 1) {
            throw TandemException.of(ErrorCode.FORBIDDEN_HOST);
        }
        String suffix = ":" + port;
        String name =
                host.endsWith(suffix) ? host.substring(0, host.length() - suffix.length()) : host;
        if (!LOOPBACK.contains(name) || (!host.endsWith(suffix) && port != 80)) {
            throw TandemException.of(ErrorCode.FORBIDDEN_HOST);
        }
    }

    void checkOrigin(Request request, Route route, int port) {
        HttpFields headers = request.getHeaders();
        if (headers.getFields("Origin").size() > 1) {
            throw TandemException.of(ErrorCode.FORBIDDEN_ORIGIN);
        }
        String origin = headers.get("Origin");
        if (origin == null) {
            if (route.door().equals("browser")) {
                throw TandemException.of(ErrorCode.FORBIDDEN_ORIGIN);
            }
            return;
        }
        if (origins.isExtension(origin)) {
            return;
        }
        boolean own =
                LOOPBACK.stream().anyMatch(name -> origin.equals("http://" + name + ":" + port));
        boolean welcome = own || origins.isAdded(origin);
        if (!welcome || route.door().equals("browser") || route.door().equals("cli")) {
            throw TandemException.of(ErrorCode.FORBIDDEN_ORIGIN);
        }
    }

    /**
     * Lets a page the user added, or the extension, read the answer; no other origin is echoed, and
     * none at the door for MCP clients, which are no pages.
     */
    void allowReading(Request request, Response response, Route route) {
        String origin = request.getHeaders().get("Origin");
        boolean known = origin != null && (origins.isExtension(origin) || origins.isAdded(origin));
        if (known && !route.door().equals("mcp")) {
            response.getHeaders().put("Access-Control-Allow-Origin", origin);
            response.getHeaders().add("Vary", "Origin");
        }
    }

    void checkMethod(Request request, Response response, Route route) {
        if (!route.methods().contains(request.getMethod())) {
            response.getHeaders().put("Allow", String.join(", ", route.methods()));
            throw TandemException.of(ErrorCode.METHOD_NOT_ALLOWED);
        }
    }

    /** The caller, proven by one of the kinds of token that this route takes. */
    Caller checkToken(Request request, Route route) {
        Optional<String> token = token(request, route);
        if (route.tokens().contains(TokenKind.NONE.word())) {
            Optional<Caller> known = token.flatMap(authenticator::caller);
            if (route.door().equals("relay") && token.isPresent() && known.isEmpty()) {
                // A browser sees no status of an upgrade, so the socket itself says "wrong token";
                // only somebody who keeps guessing is turned away before.
                wrongToken();
            }
            // A token for other doors is nothing here, as at every door.
            return known.filter(caller -> route.tokens().contains(caller.kind().word()))
                    .orElse(Caller.NOBODY);
        }
        if (token.isEmpty()) {
            throw unauthorized(route);
        }
        Optional<Caller> caller = authenticator.caller(token.get());
        if (caller.isEmpty()) {
            throttle.failed();
            throw unauthorized(route);
        }
        if (!route.tokens().contains(caller.get().kind().word())) {
            ErrorCode code = wrongKind(route);
            throw code == ErrorCode.UNAUTHORIZED ? unauthorized(route) : TandemException.of(code);
        }
        return caller.get();
    }

    /** Counts a wrong token at a door that answers it politely; throws when there were many. */
    void wrongToken() {
        guesses.failed();
    }

    /** With the advice of that door: who may come with less is not sent for the user's token. */
    private static TandemException unauthorized(Route route) {
        Set<String> taken = route.tokens();
        String reason =
                taken.contains(TokenKind.CLIENT.word())
                        ? "no_client"
                        : taken.contains(TokenKind.SESSION.word())
                                ? "no_session"
                                : route.door().equals("browser") ? "no_browser" : "";
        return reason.isEmpty()
                ? TandemException.of(ErrorCode.UNAUTHORIZED)
                : new TandemException(
                        ErrorCode.UNAUTHORIZED, ErrorCode.UNAUTHORIZED.message(), reason);
    }

    private static ErrorCode wrongKind(Route route) {
        // The ways to a shell and to commands do not tell a token of something else from a made-up
        // one; the address of a session is not there for anybody but its agent.
        if (route.door().equals("terminal") || COMMANDS.contains(route.id())) {
            return ErrorCode.UNAUTHORIZED;
        }
        return route.id().equals("mcp-session") ? ErrorCode.NOT_FOUND : ErrorCode.FORBIDDEN;
    }

    /** A token from the header, the subprotocol, or, for sockets without an Origin, the query. */
    static Optional<String> token(Request request, Route route) {
        String authorization = request.getHeaders().get("Authorization");
        if (authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return Optional.of(authorization.substring(7).strip());
        }
        if (authorization == null && route.door().equals("ambient")) {
            return Optional.ofNullable(request.getHeaders().get("X-Forwarded-Access-Token"));
        }
        if (route.kind() == Route.Kind.WS) {
            for (String offered : request.getHeaders().getCSV("Sec-WebSocket-Protocol", false)) {
                if (offered.startsWith("bearer.")) {
                    return Optional.of(offered.substring("bearer.".length()));
                }
            }
            if (request.getHeaders().get("Origin") == null || route.door().equals("relay")) {
                return Optional.ofNullable(
                        Request.extractQueryParameters(request).getValue("token"));
            }
        }
        return Optional.empty();
    }
}
