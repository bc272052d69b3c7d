package dev.tandem.hub.browser;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The launcher's end of /cli, played by the test's own process. */
public final class CliDoor {
    private final int port;
    private final String token;

    CliDoor(TestHub hub) throws IOException {
        this(hub.port(), hub.hubToken());
    }

    public CliDoor(int port, String token) {
        this.port = port;
        this.token = token;
    }

    /** What a command printed, both streams together, and how it ended. */
    public record Printed(String text, int exit) {}

    public Printed run(boolean tty, String... words) throws IOException {
        return run(tty, _ -> {}, words);
    }

    /**
     * The same; whoever listens is told all that was printed until then, each time there is more.
     */
    Printed run(boolean tty, Consumer<String> listener, String... words) throws IOException {
        List<String> fields = new ArrayList<>(List.of("/", tty ? "1" : "0", "0", "200"));
        fields.addAll(List.of(words));
        StringBuilder body = new StringBuilder();
        body.append(fields.size()).append('\0');
        fields.forEach(field -> body.append(field).append('\0'));
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            String head =
                    "POST /cli HTTP/1.1\r\nHost: 127.0.0.1:"
                            + port
                            + "\r\nAuthorization: Bearer "
                            + token
                            + "\r\nTandem-Pid: "
                            + ProcessHandle.current().pid()
                            + "\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(bytes.length)
                            + "\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().write("\r\n".getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return printed(socket, listener);
        }
    }

    private static Printed printed(Socket socket, Consumer<String> listener) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        StringBuilder text = new StringBuilder();
        for (byte[] frame = in.readNBytes(10); frame.length == 10; frame = in.readNBytes(10)) {
            char kind = (char) frame[0];
            int number = Integer.parseInt(new String(frame, 1, 8, StandardCharsets.ISO_8859_1));
            if (kind == 'x') {
                return new Printed(text.toString(), number);
            }
            if (kind == 'o' || kind == 'e') {
                text.append(new String(in.readNBytes(number), StandardCharsets.UTF_8));
                listener.accept(text.toString());
            }
            if (kind == 'u') {
                in.readNBytes(number);
                // there is no screen here
                socket.getOutputStream().write("3\r\nno\0\r\n".getBytes(StandardCharsets.UTF_8));
            }
        }
        throw new AssertionError("no exit code: " + head);
    }
}
