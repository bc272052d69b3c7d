package dev.tandem.hub.pairing;

import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import java.io.IOException;
import java.io.InputStream;

/**
 * /app/pair: the page that `tandem pair` and `tandem connect chrome` open. It holds no script and
 * sees no code (that is in the fragment); the extension notices the address and shows its own page.
 */
public final class PairPageEndpoint {
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    public PairPageEndpoint(WebServer web) {
        web.http("app-pair", PairPageEndpoint::page);
    }

    private static void page(Exchange exchange) throws IOException {
        boolean french =
                exchange.header("Accept-Language").filter(l -> l.startsWith("fr")).isPresent();
        exchange.set("Content-Security-Policy", POLICY);
        exchange.set("X-Frame-Options", "DENY");
        exchange.set("Cross-Origin-Resource-Policy", "same-origin");
        exchange.respond(200, "text/html; charset=utf-8", text(french ? "fr" : "en"));
    }

    private static byte[] text(String language) throws IOException {
        String name = "pair." + language + ".html";
        try (InputStream in = PairPageEndpoint.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("Missing resource " + name);
            }
            return in.readAllBytes();
        }
    }
}
