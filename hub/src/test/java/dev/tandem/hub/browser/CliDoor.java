package dev.tandem.hub.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
            return printed(socket.getInputStream().readAllBytes());
        }
    }

    private static Printed printed(byte[] answer) {
        String head = new String(answer, StandardCharsets.ISO_8859_1);
        int at = head.indexOf("\r\n\r\n") + 4;
        StringBuilder text = new StringBuilder();
        while (at + 10 <= answer.length) {
            char kind = (char) answer[at];
            int number = Integer.parseInt(head.substring(at + 1, at + 9));
            at += 10;
            if (kind == 'x') {
                return new Printed(text.toString(), number);
            }
            if (kind == 'o' || kind == 'e') {
                text.append(new String(answer, at, number, StandardCharsets.UTF_8));
                at += number;
            }
        }
        throw new AssertionError("no exit code: " + head);
    }
}
