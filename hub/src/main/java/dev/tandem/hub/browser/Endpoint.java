package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The address that {@code connect} was given: the hub's own doors, or a browser's debugger. */
record Endpoint(Kind kind, URI address) {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

    enum Kind {
        /** The hub itself: the same as no address at all. */
        OPS,
        /** The hub's raw CDP door. */
        LEGACY,
        /** Another browser's debugging endpoint. */
        DEBUGGER
    }

    /** What the arguments name; none is no address. */
    static Optional<Endpoint> of(ToolCall call, int hubPort) {
        Optional<String> given = call.text("wsEndpoint");
        boolean byPort = call.arguments().has("port");
        if (given.isPresent() && (byPort || call.text("host").isPresent())) {
            throw usage("--ws-endpoint and --host/--cdp-port exclude each other.");
        }
        if (call.text("host").isPresent() && !byPort) {
            throw usage("--host needs --cdp-port.");
        }
        if (byPort) {
            String host = call.text("host").orElse("127.0.0.1");
            return Optional.of(
                    of("ws://" + host + ":" + call.arguments().path("port").asInt(), hubPort));
        }
        return given.map(address -> of(address, hubPort));
    }

    private static Endpoint of(String text, int hubPort) {
        URI address;
        try {
            address = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw usage("Invalid --ws-endpoint: " + text + ". It looks like ws://127.0.0.1:9222.");
        }
        String host = String.valueOf(address.getHost());
        if (!"ws".equals(address.getScheme()) || address.getHost() == null) {
            throw usage("Invalid --ws-endpoint: " + text + ". It looks like ws://127.0.0.1:9222.");
        }
        if (!LOOPBACK.contains(host)) {
            throw new TandemException(
                    ErrorCode.UNSUPPORTED_MODE,
                    "A debugging endpoint on another machine ("
                            + host
                            + ") is not used: whoever listens between would own that browser."
                            + " Forward its port to this machine, or install the extension there.");
        }
        if (address.getPort() != hubPort) {
            return new Endpoint(Kind.DEBUGGER, address);
        }
        return new Endpoint("/cdp".equals(address.getPath()) ? Kind.LEGACY : Kind.OPS, address);
    }

    /** The browser's socket: an address without a path is asked for it. */
    URI debugger() throws IOException {
        if (!List.of("", "/").contains(address.getPath())) {
            return address;
        }
        String where = "http://" + address.getHost() + ":" + address.getPort() + "/json/version";
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(where)).timeout(PATIENCE).build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            String socket = Json.text(Json.parse(answer.body()), "webSocketDebuggerUrl").orElse("");
            URI found = URI.create(socket);
            if (found.getPath() == null || !LOOPBACK.contains(String.valueOf(found.getHost()))) {
                throw new IOException("No browser's debugger answers at " + where + ".");
            }
            return found;
        } catch (TandemException | IllegalArgumentException e) {
            throw new IOException("No browser's debugger answers at " + where + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while asking " + where + ".", e);
        }
    }

    private static TandemException usage(String text) {
        return new TandemException(ErrorCode.USAGE, text);
    }
}
