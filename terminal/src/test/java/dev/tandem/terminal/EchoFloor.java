package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/** The floor of the echo measure: a WebSocket server that returns each message and does no more. */
public final class EchoFloor {
    private EchoFloor() {}

    /** Prints its port and runs until its input ends. */
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServerWebSocketContainer container = ServerWebSocketContainer.ensure(server);
        container.setIdleTimeout(Duration.ZERO);
        server.setHandler(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        return container.upgrade(
                                (_, answer, _) -> {
                                    answer.setExtensions(java.util.List.of());
                                    return new Echo();
                                },
                                request,
                                response,
                                callback);
                    }
                });
        server.start();
        System.out.println(connector.getLocalPort());
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
        server.stop();
    }

    /** Public because Jetty asks for it. */
    public static final class Echo implements Session.Listener.AutoDemanding {
        private @Nullable Session session;

        @Override
        public void onWebSocketOpen(Session opened) {
            session = opened;
        }

        @Override
        public void onWebSocketBinary(
                ByteBuffer payload, org.eclipse.jetty.websocket.api.Callback callback) {
            Session open = session;
            if (open != null) {
                open.sendBinary(payload, callback);
            }
        }
    }
}
