package dev.tandem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A WebSocket client that does nothing by itself: no pongs, no reading. */
public final class BareSocket implements AutoCloseable {
    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    public BareSocket(int port, String path, int receiveBuffer, String... headers)
            throws IOException {
        socket.setReceiveBufferSize(receiveBuffer);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                "GET " + path + " HTTP/1.1",
                                "Host: 127.0.0.1:" + port,
                                "Upgrade: websocket",
                                "Connection: Upgrade",
                                "Sec-WebSocket-Version: 13",
                                "Sec-WebSocket-Protocol: tandem.v1",
                                "Sec-WebSocket-Extensions: permessage-deflate",
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
        lines.addAll(List.of(headers));
        String upgrade = String.join("\r\n", lines) + "\r\n\r\n";
        out.write(upgrade.getBytes(StandardCharsets.UTF_8));
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) in.readUnsignedByte());
        }
        assertThat(head.toString())
                .startsWith("HTTP/1.1 101")
                .doesNotContainIgnoringCase("Sec-WebSocket-Extensions");
    }

    /** How long a frame may keep the reader waiting. */
    public void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    public void say(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).isLessThan(126);
        out.write(new byte[] {(byte) 0x81, (byte) (0x80 | bytes.length), 0, 0, 0, 0});
        out.write(bytes);
        out.flush();
    }

    /** The next frame: its text, "close" with code and reason, or "frame" with its opcode. */
    public String frame() throws IOException {
        int opcode = in.readUnsignedByte() & 0x0f;
        long length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        byte[] payload = in.readNBytes((int) length);
        if (opcode == 8) {
            int code = (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
            String reason = new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
            return "close " + code + " " + reason;
        }
        return opcode == 1 ? new String(payload, StandardCharsets.UTF_8) : "frame " + opcode;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
