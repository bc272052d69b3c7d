package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Every request comes through here: guards, then the handler of its route. */
final class Doors extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);

    private final RouteTable table;
    private final Guard guard;
    private final Map<String, HttpHandler> handlers;
    private final Map<String, DoorFace> faces;
    private final Upgrades upgrades;
    private final Duration untilProof;
    private final Set<Exchange> running = ConcurrentHashMap.newKeySet();

    Doors(
            RouteTable table,
            Guard guard,
            Map<String, HttpHandler> handlers,
            Map<String, DoorFace> faces,
            Upgrades upgrades,
            Duration untilProof) {
        this.table = table;
        this.guard = guard;
        this.handlers = handlers;
        this.faces = faces;
        this.upgrades = upgrades;
        this.untilProof = untilProof;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Newcomers.asked(request);
        int port = Request.getLocalPort(request);
        Optional<RouteTable.Match> found = table.match(Request.getPathInContext(request));
        // No browser gets through the launcher's door, and a shell reads headers letter by letter.
        if (found.filter(match -> match.route().door().equals("cli")).isEmpty()) {
            seal(response);
        }
        DoorFace face =
                found.map(match -> faces.getOrDefault(match.route().door(), OwnFace.INSTANCE))
                        .orElse(OwnFace.INSTANCE);
        Map<String, String> headers = face.headers();
        headers.forEach((name, value) -> response.getHeaders().put(name, value));
        try {
            guard.checkHost(request, port);
            RouteTable.Match match =
                    found.orElseThrow(() -> TandemException.of(ErrorCode.NOT_FOUND));
            guard.checkOrigin(request, match.route(), port);
            // A page that may read the answer may read a refusal, too.
            guard.allowReading(request, response, match.route());
            if (request.getMethod().equals("OPTIONS")) {
                preflight(response, match.route());
                callback.succeeded();
                return true;
            }
            Caller caller = guard.checkToken(request, match.route());
            guard.checkMethod(request, response, match.route());
            guard.checkKin(request, match.route(), caller);
            if (match.route().kind() == Route.Kind.WS) {
                upgrades.upgrade(request, response, callback, match, caller);
            } else {
                run(
                        new Exchange(
                                request,
                                response,
                                callback,
                                match,
                                caller,
                                () -> guard.checkToken(request, match.route()),
                                untilProof),
                        match.route(),
                        response,
                        callback);
            }
        } catch (TandemException e) {
            found.filter(match -> match.route().door().equals("browser"))
                    .ifPresent(match -> guard.turnedAway(request, match.route(), e.code()));
            DoorFace.Asked asked =
                    new DoorFace.Asked(
                            Request.getPathInContext(request),
                            Optional.ofNullable(request.getHeaders().get("Authorization")),
                            headers);
            refuse(face.refuse(e, asked), response, callback);
        }
        return true;
    }

    /** Keeps an answer from being guessed at, told on or kept. */
    static void seal(Response response) {
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put("Referrer-Policy", "no-referrer");
        response.getHeaders().put("Cache-Control", "no-store");
    }

    private void run(Exchange exchange, Route route, Response response, Callback callback) {
        HttpHandler handler = handlers.get(route.id());
        if (handler == null) {
            throw TandemException.of(ErrorCode.NOT_FOUND);
        }
        running.add(exchange);
        try {
            handler.handle(exchange);
            if (!exchange.answered() || exchange.streamed()) {
                exchange.finish();
            }
        } catch (TandemException e) {
            if (exchange.answered()) {
                callback.failed(e);
            } else {
                throw e;
            }
        } catch (Exception e) {
            if (response.isCommitted() || exchange.answered()) {
                endedEarly(route, e);
                callback.failed(e);
            } else {
                LOG.error("{} failed", route.id(), e);
                throw TandemException.of(ErrorCode.INTERNAL);
            }
        } finally {
            running.remove(exchange);
        }
    }

    /** Whoever goes away while it is being answered is no fault of ours; anything else is. */
    private static void endedEarly(Route route, Exception why) {
        if (why instanceof IOException || why instanceof UncheckedIOException) {
            LOG.debug("{} ended early: {}", route.id(), why.toString());
        } else {
            LOG.error("{} failed while it was being answered", route.id(), why);
        }
    }

    /** Breaks off what is being streamed to these callers. */
    void dismiss(Predicate<Caller> whose) {
        for (Exchange exchange : running) {
            if (whose.test(exchange.caller())) {
                exchange.dismiss();
            }
        }
    }

    private static void preflight(Response response, Route route) {
        if (response.getHeaders().contains("Access-Control-Allow-Origin")) {
            response.getHeaders()
                    .put("Access-Control-Allow-Methods", String.join(", ", route.methods()));
            response.getHeaders()
                    .put(
                            "Access-Control-Allow-Headers",
                            "authorization, content-type, accept, cache-control, last-event-id,"
                                    + " user-agent, x-ambient-project");
        }
        response.setStatus(204);
    }

    private static void refuse(DoorFace.Refusal refusal, Response response, Callback callback) {
        response.setStatus(refusal.status());
        if (refusal.status() == 401) {
            response.getHeaders().put("WWW-Authenticate", "Bearer realm=\"tandem\"");
        }
        response.getHeaders().put("Content-Type", "application/json");
        // What was not read of a refused body must not be taken for the next request.
        response.getHeaders().put("Connection", "close");
        response.write(true, ByteBuffer.wrap(Json.bytes(refusal.body())), callback);
    }

    /** The look of every door that has no other. */
    private static final class OwnFace implements DoorFace {
        static final OwnFace INSTANCE = new OwnFace();

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public Refusal refuse(TandemException problem, Asked asked) {
            ObjectNode body = Json.object();
            body.put("error", problem.getMessage());
            body.put("code", problem.code().code());
            body.put("hint", problem.hint());
            // For surfaces that say it in the person's language.
            problem.reason().ifPresent(reason -> body.put("reason", reason));
            Json.text(problem.details(), "field").ifPresent(field -> body.put("field", field));
            return new Refusal(problem.code().http(), body);
        }
    }
}
