package dev.tandem.hub.web;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.exceptions.MessageTooLargeException;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns guarded upgrade requests into sockets. */
final class Upgrades {
    private static final Logger LOG = LoggerFactory.getLogger(Upgrades.class);
    private static final String SUBPROTOCOL = "tandem.v1";
    private static final int GOODBYE_MS = 200;

    private final ServerWebSocketContainer container;
    private final Map<String, SocketHandler> handlers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    Upgrades(ServerWebSocketContainer container, Map<String, SocketHandler> handlers) {
        this.container = container;
        this.handlers = handlers;
    }

    void upgrade(
            Request request,
            Response response,
            Callback callback,
            RouteTable.Match match,
            Caller caller) {
        SocketHandler handler = handlers.get(match.route().id());
        if (handler == null || !"websocket".equalsIgnoreCase(request.getHeaders().get("Upgrade"))) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "This path speaks WebSocket; ask for an upgrade.");
        }
        boolean upgraded =
                container.upgrade(
                        (asked, answer, failed) -> {
                            // Compressing for a peer on the same machine costs more than it saves.
                            answer.setExtensions(List.of());
                            List<String> offered = asked.getSubProtocols();
                            String chosen = offered.contains(SUBPROTOCOL) ? SUBPROTOCOL : "";
                            if (!chosen.isEmpty()) {
                                answer.setAcceptedSubProtocol(chosen);
                            }
                            Socket.Upgrade facts =
                                    new Socket.Upgrade(
                                            Guard.token(request, match.route()),
                                            Optional.ofNullable(request.getHeaders().get("Origin")),
                                            chosen,
                                            Optional.ofNullable(request.getHttpURI().getQuery())
                                                    .orElse(""),
                                            missed(match));
                            Socket socket =
                                    new Socket(caller, match.parameters(), facts, room(match));
                            return new Ear(socket, handler);
                        },
                        request,
                        response,
                        callback);
        if (!upgraded) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "This path speaks WebSocket; ask for an upgrade.");
        }
    }

    /** To a browser the calls of many programs go: one long frame must not end the link for all. */
    private static long room(RouteTable.Match match) {
        int queue = Limits.of("socketQueueBytes");
        return match.route().door().equals("browser")
                ? (long) queue + Limits.of("maxFrameBytes")
                : queue;
    }

    private static String missed(RouteTable.Match match) {
        return match.route().id().equals("ops") ? "Ops heartbeat missed" : "Heartbeat missed";
    }

    void close(Predicate<Caller> whose, int code, String reason) {
        for (Socket socket : open) {
            if (whose.test(socket.caller())) {
                socket.close(code, reason);
            }
        }
    }

    /** Tells every peer that the hub stops; who does not read is not waited for. */
    void goodbye() {
        List<Socket> all = List.copyOf(open);
        CountDownLatch told = new CountDownLatch(all.size());
        all.forEach(socket -> socket.close(1001, "The hub stopped", told::countDown));
        try {
            if (!told.await(GOODBYE_MS, MILLISECONDS)) {
                LOG.debug("{} sockets were not told that the hub stops", told.getCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void beat() {
        for (Socket socket : open) {
            socket.beat();
        }
    }

    /** Public because Jetty calls it by reflection. */
    public final class Ear extends Session.Listener.AbstractAutoDemanding {
        private final Socket socket;
        private final SocketHandler handler;
        private SocketHandler.@Nullable Listener listener;

        Ear(Socket socket, SocketHandler handler) {
            this.socket = socket;
            this.handler = handler;
        }

        @Override
        public void onWebSocketOpen(Session session) {
            super.onWebSocketOpen(session);
            socket.opened(session);
            open.add(socket);
            listener = handler.open(socket);
        }

        @Override
        public void onWebSocketText(String text) {
            socket.heard();
            if (listener != null) {
                listener.onText(text);
            }
        }

        @Override
        public void onWebSocketBinary(
                ByteBuffer payload, org.eclipse.jetty.websocket.api.Callback callback) {
            callback.succeed();
            // a request that nobody reads would let its sender wait in vain
            socket.close(1003, "Only text frames are read here");
        }

        @Override
        public void onWebSocketPong(ByteBuffer payload) {
            socket.heard();
        }

        @Override
        public void onWebSocketError(Throwable cause) {
            if (!(cause instanceof MessageTooLargeException)) {
                LOG.debug("A socket failed: {}", cause.toString());
            }
        }

        @Override
        public void onWebSocketClose(
                int code, String reason, org.eclipse.jetty.websocket.api.Callback callback) {
            open.remove(socket);
            try {
                if (listener != null) {
                    listener.onClose(code, reason == null ? "" : reason);
                }
            } finally {
                callback.succeed();
            }
        }
    }
}
