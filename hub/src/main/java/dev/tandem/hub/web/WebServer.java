package dev.tandem.hub.web;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * The hub's listener. Handlers are registered by route id before {@link #start}; a row without a
 * handler, or a handler without a row, refuses to start.
 */
public final class WebServer {
    private final Map<String, HttpHandler> handlers = new HashMap<>();
    private final Map<String, SocketHandler> sockets = new HashMap<>();
    private final Map<String, DoorFace> faces = new HashMap<>();
    private final Set<String> shut = new HashSet<>();
    private final Server server;
    private final ServerConnector connector;
    private final Guard guard;
    private final Duration beatEvery;
    private final Duration untilProof;
    private volatile @Nullable Upgrades upgrades;
    private volatile @Nullable Doors doors;
    private final ScheduledExecutorService heartbeat =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("heartbeat").daemon().factory());

    public WebServer(Authenticator authenticator, Origins origins, Clock clock) {
        this(
                authenticator,
                origins,
                clock,
                new Pace(
                        Duration.ofMillis(Limits.PING_INTERVAL_MS),
                        Duration.ofMillis(Limits.UNPROVEN_MS)));
    }

    /**
     * How patient the listener is.
     *
     * @param beatEvery how often sockets are pinged; a peer that is silent for two beats is gone
     * @param untilProof how long a connection may take for its first request, and for the body of
     *     one that proves nothing
     */
    public record Pace(Duration beatEvery, Duration untilProof) {}

    public WebServer(Authenticator authenticator, Origins origins, Clock clock, Pace pace) {
        this.beatEvery = pace.beatEvery();
        this.untilProof = pace.untilProof();
        this.guard = new Guard(authenticator, origins, clock);
        QueuedThreadPool threads = new QueuedThreadPool(16, 2);
        threads.setName("web");
        threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("web-"));
        this.server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(UnreadRequests.MAX_HEADER_BYTES);
        // What sockets bring is read byte by byte, which costs a multiple outside of the heap.
        http.setUseInputDirectByteBuffers(false);
        // No thread of its own accepts: handing each connection over would cost a wake-up more.
        this.connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(Duration.ofSeconds(90).toMillis());
        connector.addEventListener(new Newcomers(connector, pace.untilProof()));
        server.addConnector(connector);
        server.setErrorHandler(new UnreadRequests());
    }

    public WebServer http(String routeId, HttpHandler handler) {
        handlers.put(routeId, handler);
        return this;
    }

    public WebServer socket(String routeId, SocketHandler handler) {
        sockets.put(routeId, handler);
        return this;
    }

    /** Says who knows the processes that agents started. */
    public WebServer kin(Kin known) {
        guard.kin(known);
        return this;
    }

    /**
     * Counts a wrong token that a socket said after its upgrade; throws {@code rate_limited} when
     * there were too many of late.
     */
    public void wrongToken() {
        guard.wrongToken();
    }

    /** Who hears of extensions that were refused at the browsers' doors, and why. */
    public void onExtensionRefused(TurnedAway listener) {
        guard.onTurnedAway(listener);
    }

    /** Gives a door headers and refusals of its own. */
    public WebServer face(String door, DoorFace face) {
        faces.put(door, face);
        return this;
    }

    /** Leaves out routes that the user did not ask for: they answer like any unknown path. */
    public WebServer without(String... routeIds) {
        shut.addAll(List.of(routeIds));
        return this;
    }

    /** Whether a route is served by this run of the hub. */
    public boolean serves(String routeId) {
        return !shut.contains(routeId);
    }

    /** Starts listening; an I/O failure means the port cannot be had. */
    public void start(int port) throws IOException {
        checkComplete();
        connector.setPort(port);
        ServerWebSocketContainer container = ServerWebSocketContainer.ensure(server);
        container.setIdleTimeout(Duration.ofSeconds(60));
        container.setMaxTextMessageSize(Limits.MAX_FRAME_BYTES);
        container.setMaxBinaryMessageSize(Limits.MAX_FRAME_BYTES);
        container.setMaxFrameSize(Limits.MAX_FRAME_BYTES);
        Upgrades made = new Upgrades(container, sockets);
        upgrades = made;
        Doors open = new Doors(new RouteTable(served()), guard, handlers, faces, made, untilProof);
        doors = open;
        server.setHandler(open);
        try {
            server.start();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("The web server did not start: " + e.getMessage(), e);
        }
        long every = beatEvery.toMillis();
        var _ = heartbeat.scheduleAtFixedRate(made::beat, every, every, TimeUnit.MILLISECONDS);
    }

    /** Ends sockets and streams of callers whose rights changed or ended, at every door. */
    public void dismiss(Predicate<Caller> whose, String reason) {
        Upgrades open = upgrades;
        if (open != null) {
            open.close(whose, 4001, reason);
        }
        Doors answering = doors;
        if (answering != null) {
            answering.dismiss(whose);
        }
    }

    /** The same for one caller. */
    public void dismiss(TokenKind kind, String callerId, String reason) {
        dismiss(caller -> caller.kind() == kind && caller.id().equals(callerId), reason);
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Stops taking requests and closes sockets with 1001. */
    public void stop() {
        heartbeat.shutdownNow();
        Upgrades open = upgrades;
        if (open != null) {
            open.goodbye();
        }
        try {
            server.setStopTimeout(0);
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("The web server did not stop: " + e.getMessage(), e);
        }
    }

    private List<Route> served() {
        return Routes.all().stream().filter(route -> serves(route.id())).toList();
    }

    private void checkComplete() {
        TreeSet<String> missing = new TreeSet<>();
        TreeSet<String> unknown = new TreeSet<>(handlers.keySet());
        unknown.addAll(sockets.keySet());
        for (Route route : served()) {
            unknown.remove(route.id());
            Map<String, ?> where = route.kind() == Route.Kind.WS ? sockets : handlers;
            if (!where.containsKey(route.id())) {
                missing.add(route.id());
            }
        }
        if (!missing.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalStateException(
                    "routes.json and the endpoints disagree: rows without a handler "
                            + missing
                            + ", handlers without a row "
                            + unknown);
        }
    }
}
