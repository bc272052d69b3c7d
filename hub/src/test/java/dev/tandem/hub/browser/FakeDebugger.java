package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.node.ObjectNode;

/** A browser's debugging port that does not know the Extensions domain, or is none at all. */
final class FakeDebugger implements AutoCloseable {
    /** What is wrong with it. */
    enum Manner {
        /** It takes no extension. */
        KNOWS_NO_EXTENSIONS,
        /** It sends whoever asks to another machine. */
        SENDS_AWAY,
        /** It is some other program with a web page. */
        SPEAKS_OF_OTHER_THINGS,
        /** It has no socket. */
        REFUSES,
        /** It says goodbye instead of an answer. */
        LEAVES,
        /** It is gone without a word. */
        DIES,
        /** It has another extension in that folder. */
        LOADS_ANOTHER
    }

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final Manner manner;
    private final ServerSocket server;
    private final List<String> methods = new CopyOnWriteArrayList<>();

    FakeDebugger() throws IOException {
        this(Manner.KNOWS_NO_EXTENSIONS);
    }

    FakeDebugger(Manner manner) throws IOException {
        this.manner = manner;
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::listen);
    }

    int port() {
        return server.getLocalPort();
    }

    /** What it was asked to do. */
    List<String> methods() {
        return methods;
    }

    private void listen() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                serve(socket);
            } catch (IOException e) {
                // the caller hung up, or the test is over
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        String head = head(in);
        if (head.startsWith("GET /json/version")) {
            String host = manner == Manner.SENDS_AWAY ? "10.0.0.7" : "127.0.0.1";
            String url = "ws://" + host + ":" + port() + "/devtools/browser/one";
            String body =
                    manner == Manner.SPEAKS_OF_OTHER_THINGS
                            ? "<h1>Welcome</h1>"
                            : Json.write(Json.object().put("webSocketDebuggerUrl", url));
            send(out, "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            return;
        }
        if (manner == Manner.REFUSES) {
            send(out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        String key = head.replaceAll("(?is).*sec-websocket-key: *(\\S+).*", "$1");
        send(
                out,
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accept(key)
                        + "\r\n\r\n");
        while (true) {
            ObjectNode asked = Json.parseObject(frame(in));
            String method = asked.path("method").asString();
            methods.add(method);
            if (manner == Manner.DIES) {
                return;
            }
            if (manner == Manner.LEAVES) {
                out.write(new byte[] {(byte) 0x88, 2, 0x03, (byte) 0xe8});
                out.flush();
                in.readUnsignedByte();
                return;
            }
            ObjectNode answer = Json.object();
            answer.set("id", asked.path("id"));
            if (manner == Manner.LOADS_ANOTHER && method.startsWith("Extensions.")) {
                answer.putObject("result").put("id", "somebodyelse");
            } else if (method.startsWith("Extensions.")) {
                answer.putObject("error").put("message", "Method not available.");
            } else {
                answer.putObject("result");
            }
            byte[] bytes = Json.bytes(answer);
            out.write(new byte[] {(byte) 0x81, (byte) bytes.length});
            out.write(bytes);
            out.flush();
        }
    }

    private static String head(DataInputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    private static String frame(DataInputStream in) throws IOException {
        in.readUnsignedByte();
        int length = in.readUnsignedByte() & 0x7f;
        if (length == 126) {
            length = in.readUnsignedShort();
        }
        byte[] mask = in.readNBytes(4);
        byte[] data = in.readNBytes(length);
        for (int i = 0; i < data.length; i++) {
            data[i] ^= mask[i % 4];
        }
        return new String(data, StandardCharsets.UTF_8);
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
