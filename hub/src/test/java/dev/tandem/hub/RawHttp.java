package dev.tandem.hub;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Speaks HTTP byte by byte, so that a test can send what a polite client cannot. */
public final class RawHttp {
    private RawHttp() {}

    /** An answer: its status and everything after the status line. */
    public record Answer(int status, String rest) {
        public String body() {
            int end = rest.indexOf("\r\n\r\n");
            return end < 0 ? "" : rest.substring(end + 4);
        }
    }

    /** Sends one request with exactly these header lines and reads until the hub closes. */
    public static Answer send(int port, String requestLine, String body, String... headers)
            throws IOException {
        StringBuilder request = new StringBuilder(requestLine).append(" HTTP/1.1\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        return raw(port, request.append("Connection: close\r\n\r\n").append(body).toString());
    }

    /** Sends exactly this and reads until the hub closes. */
    public static Answer raw(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            return answer(socket.getInputStream());
        }
    }

    private static Answer answer(InputStream in) throws IOException {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(
                Integer.parseInt(text.substring(9, 12)), text.substring(text.indexOf('\n') + 1));
    }
}
