package dev.tandem.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;

/** The floor for sockets: the least WebSocket server that sends a message back. */
final class EchoSocket implements AutoCloseable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket server;

    EchoSocket() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::serve);
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        try (Socket socket = server.accept()) {
            socket.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            upgrade(in, out);
            while (echo(in, out)) {
                // until the peer closes
            }
        } catch (IOException | GeneralSecurityException e) {
            // the measurement is over
        }
    }

    static void upgrade(DataInputStream in, OutputStream out)
            throws IOException, GeneralSecurityException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        String key = "";
        for (String line : head.toString().split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
                key = line.substring(line.indexOf(':') + 1).strip();
            }
        }
        byte[] sha =
                MessageDigest.getInstance("SHA-1")
                        .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
        String answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(sha)
                        + "\r\n\r\n";
        out.write(answer.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Reads one masked frame of at most 64 KiB and writes it back; false on anything but a message.
     */
    private static boolean echo(DataInputStream in, OutputStream out) throws IOException {
        int first = in.readUnsignedByte();
        int size = in.readUnsignedByte() & 0x7f;
        if (size == 126) {
            size = in.readUnsignedShort();
        }
        byte[] mask = in.readNBytes(4);
        byte[] data = in.readNBytes(size);
        if (first != 0x81 && first != 0x82) {
            return false;
        }
        for (int i = 0; i < data.length; i++) {
            data[i] ^= mask[i & 3];
        }
        out.write(frame(first, data));
        out.flush();
        return true;
    }

    /** An unmasked frame of at most 64 KiB. */
    static byte[] frame(int first, byte[] data) {
        int size = data.length;
        byte[] frame = new byte[(size < 126 ? 2 : 4) + size];
        frame[0] = (byte) first;
        if (size < 126) {
            frame[1] = (byte) size;
        } else {
            frame[1] = 126;
            frame[2] = (byte) (size >> 8);
            frame[3] = (byte) size;
        }
        System.arraycopy(data, 0, frame, frame.length - size, size);
        return frame;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
