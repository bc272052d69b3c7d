package dev.tandem.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The floor: a TCP server that sends back the line it got. */
final class Echo implements AutoCloseable {
    private final ServerSocket server;

    Echo() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::serve);
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[256];
                int size = in.read(buffer);
                if (size > 0) {
                    socket.getOutputStream().write(buffer, 0, size);
                }
            } catch (IOException e) {
                // closed, by us or by the peer
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
