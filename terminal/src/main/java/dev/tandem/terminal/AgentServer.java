package dev.tandem.terminal;

import java.io.IOException;
import java.net.BindException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import tools.jackson.databind.node.ObjectNode;

/** The agent's listener: loopback, one port, few paths. */
final class AgentServer extends Handler.Abstract {
    // Below the ephemeral range, where a long-lived listener would take other servers' ports.
    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 49_151;
    private static final int BIND_TRIES = 5;
    private static final long HTTP_IDLE_MS = 10_000;

    private final Server server;
    private final ServerConnector connector;
    private final SocketDoor door;
    private final InternalEndpoint internal;
    private final Programs programs;

    AgentServer(Gates gates, Terminals terminals, InternalEndpoint internal, Programs programs) {
        this.internal = internal;
        this.programs = programs;
        QueuedThreadPool threads = new QueuedThreadPool(24, 4);
        threads.setName("http");
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(Limits.HEADER_BYTES);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(gates.address());
        connector.setIdleTimeout(HTTP_IDLE_MS);
        connector.addBean(new Unproven());
        server.addConnector(connector);
        ServerWebSocketContainer container = ServerWebSocketContainer.ensure(server);
        container.setIdleTimeout(Duration.ZERO);
        container.setMaxBinaryMessageSize(Limits.INPUT_FRAME_BYTES);
        container.setMaxTextMessageSize(Limits.CONTROL_FRAME_BYTES);
        container.setMaxFrameSize(Limits.INPUT_FRAME_BYTES);
        container.setAutoFragment(false);
        door = new SocketDoor(gates, terminals, container);
        server.setHandler(this);
    }

    /** Starts on a random free port and returns it. */
    int open() throws Exception {
        SecureRandom random = new SecureRandom();
        for (int tries = 1; ; tries++) {
            connector.setPort(random.nextInt(LOWEST_PORT, HIGHEST_PORT + 1));
            try {
                connector.open();
                break;
            } catch (BindException e) {
                if (tries == BIND_TRIES) {
                    throw e;
                }
            } catch (IOException e) {
                if (tries == BIND_TRIES || !(e.getCause() instanceof BindException)) {
                    throw e;
                }
            }
        }
        server.start();
        return connector.getLocalPort();
    }

    void close() throws Exception {
        server.stop();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!hostIsOurs(request)) {
            Answers.text(response, callback, HttpStatus.FORBIDDEN_403, "forbidden host");
            return true;
        }
        String path = Request.getPathInContext(request);
        if (path.equals("/ws") && request.getMethod().equals("GET")) {
            door.handle(request, response, callback);
        } else if (path.equals("/claude-available") && request.getMethod().equals("GET")) {
            claude(request, response, callback);
        } else if (path.startsWith("/internal/")) {
            internal.handle(request, response, callback, path.substring("/internal/".length()));
        } else {
            Answers.text(response, callback, HttpStatus.NOT_FOUND_404, "not found");
        }
        return true;
    }

    private boolean hostIsOurs(Request request) {
        List<String> hosts = request.getHeaders().getValuesList(HttpHeader.HOST);
        int port = connector.getLocalPort();
        return hosts.size() == 1
                && (hosts.getFirst().equals(Gates.LOOPBACK + ":" + port)
                        || hosts.getFirst().equals("localhost:" + port));
    }

    private void claude(Request request, Response response, Callback callback) {
        ObjectNode found = programs.probeClaude();
        if (!internal.authorised(request)) {
            found.remove("path");
        }
        Answers.json(response, callback, HttpStatus.OK_200, found);
    }
}
