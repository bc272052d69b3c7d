package dev.tandem.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** {@code /ws}: exact Origin, then a token that is used up, and only then the upgrade. */
final class SocketDoor {
    private static final List<String> PREFIXES = List.of("gstack-pty.", "tandem-pty.");
    private static final String COOKIE = "gstack_pty";

    private final Gates gates;
    private final Terminals terminals;
    private final ServerWebSocketContainer container;

    /** A token that was good, and the protocol that carried it, empty for a cookie. */
    private record Proof(Grants.Grant grant, String protocol) {}

    SocketDoor(Gates gates, Terminals terminals, ServerWebSocketContainer container) {
        this.gates = gates;
        this.terminals = terminals;
        this.container = container;
    }

    void handle(Request request, Response response, Callback callback) {
        if (!gates.origin().test(request.getHeaders().getValuesList(HttpHeader.ORIGIN))) {
            Answers.text(response, callback, HttpStatus.FORBIDDEN_403, "forbidden origin");
            return;
        }
        if (!"websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))) {
            Answers.text(response, callback, HttpStatus.UPGRADE_REQUIRED_426, "upgrade required");
            return;
        }
        Optional<Proof> proof = proof(request);
        if (proof.isEmpty()) {
            Answers.text(response, callback, HttpStatus.UNAUTHORIZED_401, "unauthorized");
            return;
        }
        upgrade(proof.get(), request, response, callback);
    }

    private void upgrade(Proof proof, Request request, Response response, Callback callback) {
        boolean upgraded =
                container.upgrade(
                        (_, answer, _) -> {
                            if (!proof.protocol.isEmpty()) {
                                answer.setAcceptedSubProtocol(proof.protocol);
                            }
                            // Deflate costs more than loopback ever saves.
                            answer.setExtensions(List.of());
                            return new TerminalSocket(
                                    request.getComponents().getScheduler(),
                                    wire -> terminals.attach(proof.grant, wire));
                        },
                        request,
                        response,
                        callback);
        if (!upgraded) {
            Answers.text(response, callback, HttpStatus.BAD_REQUEST_400, "bad");
        }
    }

    private Optional<Proof> proof(Request request) {
        for (String offered : offered(request)) {
            Optional<Grants.Grant> grant = gates.token().apply(withoutPrefix(offered));
            if (grant.isPresent()) {
                return Optional.of(new Proof(grant.get(), offered));
            }
        }
        return cookie(request).flatMap(gates.token()).map(grant -> new Proof(grant, ""));
    }

    private static List<String> offered(Request request) {
        List<String> all = new ArrayList<>();
        for (HttpField field : request.getHeaders().getFields("Sec-WebSocket-Protocol")) {
            for (String one : field.getValue().split(",", -1)) {
                all.add(one.strip());
            }
        }
        return all;
    }

    private static String withoutPrefix(String offered) {
        return PREFIXES.stream()
                .filter(offered::startsWith)
                .findFirst()
                .map(prefix -> offered.substring(prefix.length()))
                .orElse(offered);
    }

    // For callers that are no browsers; one that is says where the request comes from.
    private static Optional<String> cookie(Request request) {
        String site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return Optional.empty();
        }
        return Request.getCookies(request).stream()
                .filter(cookie -> cookie.getName().equals(COOKIE))
                .map(HttpCookie::getValue)
                .findFirst();
    }
}
