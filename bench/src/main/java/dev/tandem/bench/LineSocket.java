package dev.tandem.bench;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;

/** The floor for streams: each line of a program goes straight to one WebSocket client. */
final class LineSocket implements AutoCloseable {
    private static final int TEXT = 0x81;

    private final ServerSocket server;
    private final List<String> command;

    LineSocket(List<String> command) throws IOException {
        this.command = List.copyOf(command);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::serve);
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        try (Socket socket = server.accept()) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            EchoSocket.upgrade(new DataInputStream(socket.getInputStream()), out);
            Process program = new ProcessBuilder(command).start();
            BufferedReader lines = program.inputReader(StandardCharsets.UTF_8);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.write(EchoSocket.frame(TEXT, line.getBytes(StandardCharsets.UTF_8)));
                out.flush();
            }
            out.write(EchoSocket.frame(TEXT, "end".getBytes(StandardCharsets.UTF_8)));
            out.flush();
            program.waitFor();
            while (socket.getInputStream().read() >= 0) {
                // until the client leaves
            }
        } catch (IOException | GeneralSecurityException e) {
            // the measurement is over
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
