package dev.tandem.hub.app;

import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.nio.charset.StandardCharsets;

/** /app: the web app's files. Whoever opens it still has to sign in. */
public final class AppEndpoint {
    /** Showing what an agent or a page wrote never makes a request, wherever it points. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
                    + " connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-src 'none'; frame-ancestors 'none'";

    private static final byte[] UNBUILT =
            """
            <!doctype html><meta charset="utf-8"><title>Tandem</title>
            <p>The web app is not built. Run <code>./tandem build</code>, then start the hub again.</p>
            """
                    .getBytes(StandardCharsets.UTF_8);

    private final AppFiles files;

    public AppEndpoint(AppFiles files, WebServer web) {
        this.files = files;
        web.http("root", exchange -> lead(exchange, 302))
                .http("app", exchange -> lead(exchange, 308))
                .http("app-files", this::file);
    }

    /** A query stays behind: it may hold a token, and the app's own address has none. */
    private static void lead(Exchange exchange, int status) {
        exchange.query("token")
                .filter(token -> token.matches("[A-Za-z0-9._-]{1,200}"))
                .ifPresentOrElse(
                        token -> exchange.set("Location", "/app/#token=" + token),
                        () -> exchange.set("Location", "/app/"));
        secure(exchange).set("Cache-Control", "no-store").respond(status);
    }

    private void file(Exchange exchange) {
        secure(exchange);
        String path = exchange.parameter("*");
        if (path.isEmpty() && !files.complete()) {
            exchange.respond(503, "text/html; charset=utf-8", UNBUILT);
            return;
        }
        AppFiles.AppFile file =
                files.file(path).orElseThrow(() -> TandemException.of(ErrorCode.NOT_FOUND));
        String tag = "\"" + file.tag() + "\"";
        exchange.set("ETag", tag).set("Cache-Control", "no-cache");
        if (exchange.header("If-None-Match").filter(tag::equals).isPresent()) {
            exchange.respond(304);
            return;
        }
        exchange.respond(200, file.type(), file.bytes());
    }

    private static Exchange secure(Exchange exchange) {
        return exchange.set("Content-Security-Policy", POLICY)
                .set("X-Content-Type-Options", "nosniff")
                .set("X-Frame-Options", "DENY")
                .set("Referrer-Policy", "no-referrer")
                .set("Cross-Origin-Opener-Policy", "same-origin")
                .set("Cross-Origin-Resource-Policy", "same-origin")
                .set("Permissions-Policy", "camera=(self), microphone=(), geolocation=()");
    }
}
