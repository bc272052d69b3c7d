package dev.tandem.bench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The least WebSocket client: one for every server under test, so that ratios are fair. */
final class FrameSocket implements AutoCloseable {
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /** One message; the bytes are valid until the next read. */
    record Frame(int opcode, ByteBuffer data) {
        String text() {
            return StandardCharsets.UTF_8.decode(data.duplicate()).toString();
        }
    }

    FrameSocket(int port, String path, String... headers) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 256 * 1024));
        out = socket.getOutputStream();
        StringBuilder request =
                new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n")
                        .append("Connection: Upgrade\r\nUpgrade: websocket\r\n")
                        .append("Sec-WebSocket-Version: 13\r\n")
                        .append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        out.write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("No socket: " + head.substring(0, head.indexOf("\r\n")));
        }
    }

    void text(String message) throws IOException {
        send(TEXT, message.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a short message; the mask is zeros. */
    void send(int opcode, byte[] data) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(data.length + 8);
        frame.put((byte) (0x80 | opcode));
        if (data.length < 126) {
            frame.put((byte) (0x80 | data.length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) data.length);
        }
        frame.putInt(0).put(data);
        out.write(frame.array(), 0, frame.position());
    }

    Frame read() throws IOException {
        try {
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte() & 0x7F;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = (int) in.readLong();
            }
            byte[] data = new byte[length];
            in.readFully(data);
            return new Frame(first & 0x0F, ByteBuffer.wrap(data));
        } catch (EOFException | java.net.SocketException e) {
            return new Frame(CLOSE, ByteBuffer.allocate(0));
        }
    }

    /** Breaks the connection without a word. */
    void cut() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
