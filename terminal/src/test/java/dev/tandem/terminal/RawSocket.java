package dev.tandem.terminal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A WebSocket client written out by hand: nothing is hidden, reading happens only when asked. */
final class RawSocket implements AutoCloseable {
    static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final List<String> head = new ArrayList<>();

    /** One message from the server. */
    record Frame(int opcode, ByteBuffer data) {
        boolean binary() {
            return opcode == 2;
        }

        int size() {
            return data.remaining();
        }

        String text() {
            return StandardCharsets.UTF_8.decode(data.duplicate()).toString();
        }

        int closeCode() {
            return opcode == 8 && data.remaining() >= 2 ? data.getShort(0) & 0xFFFF : 0;
        }
    }

    private RawSocket(int port) throws IOException {
        socket = new Socket(LOOPBACK, port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(15_000);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 256 * 1024));
        out = socket.getOutputStream();
    }

    /** Sends the upgrade with exactly these further headers and reads the answer's head. */
    static RawSocket upgrade(int port, String host, String... headers) throws IOException {
        return upgradeAt("/ws", port, host, headers);
    }

    static RawSocket upgradeAt(String path, int port, String host, String... headers)
            throws IOException {
        RawSocket raw = new RawSocket(port);
        StringBuilder request =
                new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n")
                        .append("Connection: Upgrade\r\nUpgrade: websocket\r\n")
                        .append("Sec-WebSocket-Version: 13\r\n")
                        .append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        raw.out.write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        raw.readHead();
        return raw;
    }

    private void readHead() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int b = in.read();
            if (b < 0) {
                return;
            }
            if (b == '\n') {
                if (line.length() == 0) {
                    return;
                }
                head.add(line.toString());
                line.setLength(0);
            } else if (b != '\r') {
                line.append((char) b);
            }
        }
    }

    int status() {
        return head.isEmpty() ? 0 : Integer.parseInt(head.getFirst().split(" ", -1)[1]);
    }

    List<String> headers(String name) {
        return head.stream()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    void text(String message) throws IOException {
        send(1, message.getBytes(StandardCharsets.UTF_8));
    }

    void keys(String keys) throws IOException {
        send(2, keys.getBytes(StandardCharsets.UTF_8));
    }

    void send(int opcode, byte[] data) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(data.length + 14);
        frame.put((byte) (0x80 | opcode));
        if (data.length < 126) {
            frame.put((byte) (0x80 | data.length));
        } else if (data.length < 65536) {
            frame.put((byte) (0x80 | 126)).putShort((short) data.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(data.length);
        }
        frame.putInt(0).put(data);
        out.write(frame.array(), 0, frame.position());
    }

    /** Sends these bytes, whatever they are. */
    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    /** Sends the head of a frame of that length and only its first bytes. */
    void announce(int opcode, long length, int bytes) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(14 + bytes);
        head.put((byte) (0x80 | opcode)).put((byte) (0x80 | 127)).putLong(length).putInt(0);
        out.write(head.array());
    }

    /** The next message; a broken connection is a close without a code. */
    Frame read() throws IOException {
        try {
            int first = in.readUnsignedByte();
            long length = in.readUnsignedByte() & 0x7F;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] data = new byte[(int) length];
            in.readFully(data);
            return new Frame(first & 0x0F, ByteBuffer.wrap(data));
        } catch (EOFException | java.net.SocketException _) {
            return new Frame(8, ByteBuffer.allocate(0));
        }
    }

    void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Breaks the connection without a close frame. */
    void cut() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
