package dev.tandem.e2e;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A site on a free port: the pages that tests drive. */
final class Pages implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, String> pages = new ConcurrentHashMap<>();
    private final Map<String, String> policies = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private static final class Shared {
        static final Pages PAGES = new Pages();
    }

    Pages() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                    String page = pages.get(path);
                    byte[] body =
                            (page == null ? "<h1>Not here</h1>" : page)
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
                    String policy = policies.get(path);
                    if (policy != null) {
                        exchange.getResponseHeaders().set("Content-Security-Policy", policy);
                    }
                    exchange.sendResponseHeaders(page == null ? 404 : 200, body.length);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(body);
                    }
                });
        server.setExecutor(
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory()));
        server.start();
        put("/", "<!doctype html><title>Counter</title><h1>Counter</h1>" + COUNTER);
    }

    private static final String COUNTER =
            """
            <button id="add">Add one</button>
            <p id="count" role="status">0 times</p>
            <label>Name <input id="name"></label>
            <script>
              let count = 0;
              document.getElementById('add').addEventListener('click', (event) => {
                if (event.isTrusted) count++;
                document.getElementById('count').textContent = `${count} times`;
              });
            </script>
            """;

    static Pages shared() {
        return Shared.PAGES;
    }

    /** Serves a page and answers its address. */
    String put(String path, String html) {
        pages.put(path, html);
        return url(path);
    }

    /** Serves a page under a content security policy. */
    String put(String path, String html, String policy) {
        policies.put(path, policy);
        return put(path, html);
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Every request so far, as "GET /path". */
    List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
