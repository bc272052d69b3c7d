package dev.tandem.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One WebSocket client for the product and for the floor, so that the client costs both alike. */
final class TextSocket implements AutoCloseable, WebSocket.Listener {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();
    private final HttpClient client;
    private final boolean own;
    private final WebSocket socket;

    TextSocket(int port, String path, String token) {
        this(HttpClient.newHttpClient(), true, port, path, token);
    }

    /** One of many sockets that share a client. */
    TextSocket(HttpClient client, int port, String path, String token) {
        this(client, false, port, path, token);
    }

    private TextSocket(HttpClient client, boolean own, int port, String path, String token) {
        this.client = client;
        this.own = own;
        WebSocket.Builder builder = client.newWebSocketBuilder();
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + path), this).join();
    }

    /** Sends a text and answers the next one that contains the words. */
    String ask(String text, String words) throws InterruptedException {
        say(text);
        while (true) {
            String answer = next();
            if (answer.contains(words)) {
                return answer;
            }
        }
    }

    void say(String text) {
        socket.sendText(text, true).join();
    }

    /** The next text that comes. */
    String next() throws InterruptedException {
        String text = heard.poll(120, TimeUnit.SECONDS);
        if (text == null) {
            throw new IllegalStateException("Nothing came for two minutes.");
        }
        return text;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        part.append(data);
        if (last) {
            heard.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public void close() {
        socket.abort();
        if (own) {
            client.close();
        }
    }
}
