package dev.tandem.hub.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Adds a token to every request on its way to a hub, for clients that have no way to send one. Host
 * and Origin stay as they came, but for the port.
 */
final class TokenForwarder implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final String token;

    TokenForwarder(int target, String token) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        this.token = token;
        Thread.startVirtualThread(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/mcp";
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> forward(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void forward(Socket client) {
        try (client;
                Socket hub = new Socket(InetAddress.getLoopbackAddress(), target)) {
            InputStream in = client.getInputStream();
            hub.getOutputStream().write(changed(head(in)).getBytes(StandardCharsets.ISO_8859_1));
            Thread.startVirtualThread(() -> copy(in, hub));
            InputStream answer = hub.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = answer.read(buffer); read >= 0; read = answer.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // one side hung up; the other sees it too
        }
    }

    private static void copy(InputStream in, Socket hub) {
        try {
            in.transferTo(hub.getOutputStream());
        } catch (IOException e) {
            // the answer is over
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.write(next);
            text = head.toString(StandardCharsets.ISO_8859_1);
        }
        return text;
    }

    /** One request a connection, so that the body needs no reading. */
    private String changed(String head) {
        StringBuilder out = new StringBuilder();
        for (String line : head.strip().split("\r\n", -1)) {
            String name = line.toLowerCase(java.util.Locale.ROOT);
            if (name.startsWith("connection:")) {
                continue;
            }
            boolean address = name.startsWith("host:") || name.startsWith("origin:");
            String own = ":" + server.getLocalPort();
            out.append(address ? line.replace(own, ":" + target) : line).append("\r\n");
        }
        return out + "Connection: close\r\nAuthorization: Bearer " + token + "\r\n\r\n";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
