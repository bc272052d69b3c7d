package dev.tandem.terminal;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agent's listener: loopback, one port, few paths, a thread per connection. By hand, because a
 * key should wake as few threads as possible and the process should be small.
 */
final class AgentServer {
    // Below the ephemeral range, where a long-lived listener would take other servers' ports.
    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 49_151;
    private static final int BIND_TRIES = 5;
    private static final int BACKLOG = 128;
    private static final long NO_DESCRIPTORS_NANOS = 50_000_000;

    private final Gates gates;
    private final SocketDoor door;
    private final InternalEndpoint internal;
    private final Programs programs;
    private final Unproven unproven = new Unproven();
    private final ServerSocketChannel listener;
    private int port;

    AgentServer(Gates gates, Terminals terminals, InternalEndpoint internal, Programs programs)
            throws IOException {
        this.gates = gates;
        this.internal = internal;
        this.programs = programs;
        door = new SocketDoor(gates, terminals);
        listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
    }

    /** Starts on a random free port and returns it. */
    int open() throws IOException {
        SecureRandom random = new SecureRandom();
        for (int tries = 1; port == 0; tries++) {
            int candidate = random.nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
            try {
                listener.bind(new InetSocketAddress(gates.address(), candidate), BACKLOG);
                port = candidate;
            } catch (BindException e) {
                if (tries == BIND_TRIES) {
                    throw e;
                }
            }
        }
        Thread.ofPlatform().daemon().name("accept").start(this::accept);
        return port;
    }

    private void accept() {
        while (listener.isOpen()) {
            try {
                SocketChannel channel = listener.accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                Connection connection = new Connection(channel, this, unproven);
                Thread.ofPlatform().daemon().name("connection").start(connection);
            } catch (ClosedChannelException _) {
                return;
            } catch (IOException e) {
                // Out of descriptors, most likely: others close theirs.
                Log.error("a connection was not taken", e);
                LockSupport.parkNanos(NO_DESCRIPTORS_NANOS);
            }
        }
    }

    void close() throws IOException {
        listener.close();
    }

    SocketDoor.Outcome handle(Request request, Socket socket) throws IOException {
        Kin kin = new Kin(socket, internal.hub());
        if (kin.below()) {
            return refuse(Answer.text(Answer.FORBIDDEN, "forbidden"));
        }
        if (!hostIsOurs(request)) {
            return refuse(Answer.text(Answer.FORBIDDEN, "forbidden host"));
        }
        List<String> origins = request.all("Origin");
        if (!origins.isEmpty() && !gates.origin().test(origins)) {
            return refuse(Answer.text(Answer.FORBIDDEN, "forbidden origin"));
        }
        String path = request.path();
        if (path.equals("/ws") && request.method().equals("GET")) {
            return door.open(request);
        }
        if (path.equals("/claude-available") && request.method().equals("GET")) {
            return refuse(claude(request));
        }
        if (path.startsWith("/internal/")) {
            String name = path.substring("/internal/".length());
            return refuse(internal.handle(request, name, kin));
        }
        return refuse(Answer.text(Answer.NOT_FOUND, "not found"));
    }

    private static SocketDoor.Outcome refuse(Answer answer) {
        return new SocketDoor.Refusal(answer);
    }

    private boolean hostIsOurs(Request request) {
        List<String> hosts = request.all("Host");
        return hosts.equals(List.of(Gates.LOOPBACK + ":" + port))
                || hosts.equals(List.of("localhost:" + port));
    }

    private Answer claude(Request request) {
        ObjectNode found = programs.probeClaude();
        if (!internal.authorised(request)) {
            found.remove("path");
        }
        return Answer.json(found);
    }
}
