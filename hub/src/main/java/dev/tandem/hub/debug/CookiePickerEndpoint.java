package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /cookie-picker*}: the cookies of the connected browser, by domain, to look through and to
 * remove. Values never come here, and no other browser's store is read.
 */
public final class CookiePickerEndpoint {
    private static final String COOKIE = "gstack_picker";
    private static final Pattern OWN =
            Pattern.compile("(?:^|;\\s*)" + COOKIE + "=([A-Za-z0-9_-]{20,100})(?:;|$)");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri"
                    + " 'none'; form-action 'none'; frame-ancestors 'none'";

    private final PickerSessions sessions;
    private final FrontTab front;
    private final Browsers browsers;

    public CookiePickerEndpoint(
            PickerSessions sessions, FrontTab front, Browsers browsers, WebServer web) {
        this.sessions = sessions;
        this.front = front;
        this.browsers = browsers;
        web.http("cookie-picker", this::page)
                .http("cookie-picker-code", this::code)
                .http("cookie-picker-script", e -> file(e, "picker.js", "text/javascript"))
                .http("cookie-picker-style", e -> file(e, "picker.css", "text/css"))
                .http("cookie-picker-browsers", this::list)
                .http("cookie-picker-domains", e -> ask(e, "domains", Json.object()))
                .http("cookie-picker-cookies", this::cookies)
                .http("cookie-picker-remove", this::remove);
    }

    private void code(Exchange exchange) throws IOException {
        String text = new String(exchange.body(), StandardCharsets.UTF_8);
        JsonNode wish = text.isBlank() ? Json.object() : Json.parseObject(text);
        boolean french = Json.text(wish, "language").orElse("").equals("fr");
        String browser = front.browserId(exchange.caller(), Json.text(wish, "browser"));
        String code = sessions.code(new PickerSessions.Opener(browser, french ? "fr" : "en"));
        exchange.respond(
                200, Json.object().put("code", code).put("path", "/cookie-picker?code=" + code));
    }

    private void page(Exchange exchange) throws IOException {
        exchange.set("Content-Security-Policy", POLICY).set("X-Frame-Options", "DENY");
        if (!fromHere(exchange, true)) {
            refuse(exchange);
            return;
        }
        Optional<String> code = exchange.query("code");
        if (code.isPresent()) {
            open(exchange, code.get());
            return;
        }
        Optional<PickerSessions.Session> session = cookie(exchange).flatMap(sessions::byCookie);
        if (session.isEmpty()) {
            refuse(exchange);
            return;
        }
        file(exchange, "picker." + session.get().opener().language() + ".html", "text/html");
    }

    /** The key travels behind the hash: it is in no request, no log and no cookie. */
    private void open(Exchange exchange, String code) {
        Optional<PickerSessions.Session> session = sessions.open(code);
        if (session.isEmpty()) {
            refuse(exchange);
            return;
        }
        exchange.add(
                "Set-Cookie",
                COOKIE
                        + "="
                        + session.get().cookie()
                        + "; HttpOnly; SameSite=Strict; Path=/cookie-picker; Max-Age="
                        + Limits.of("pickerSessionMs") / 1000);
        exchange.set("Location", "/cookie-picker#" + session.get().key());
        exchange.respond(302);
    }

    private void list(Exchange exchange) {
        Optional<String> own = browserOf(exchange);
        ObjectNode body = Json.object();
        var rows = body.putArray("browsers");
        for (Browser browser : browsers.connected()) {
            if (own.isEmpty() || own.get().equals(browser.id())) {
                rows.addObject().put("id", browser.id()).put("name", browser.name());
            }
        }
        exchange.respond(200, body);
    }

    private void cookies(Exchange exchange) {
        ask(exchange, "list", Json.object().put("domain", exchange.query("domain").orElse("")));
    }

    private void remove(Exchange exchange) throws IOException {
        ObjectNode wish = Json.object();
        wish.set("domains", exchange.json().path("domains"));
        Browser browser = browser(exchange);
        exchange.respond(200, front.act(asker(exchange), browser, "cookies.remove", wish));
    }

    private void ask(Exchange exchange, String question, ObjectNode payload) {
        Browser browser = browser(exchange);
        exchange.respond(200, front.ask(asker(exchange), browser, "cookies." + question, payload));
    }

    private Browser browser(Exchange exchange) {
        Optional<String> named = browserOf(exchange).or(() -> exchange.query("browser"));
        return front.browser(asker(exchange), named);
    }

    private static Caller asker(Exchange exchange) {
        return exchange.caller().kind() == TokenKind.PICKER ? Caller.USER : exchange.caller();
    }

    /** The browser a page is about; a page that does not prove itself ends here. */
    private Optional<String> browserOf(Exchange exchange) {
        Caller caller = exchange.caller();
        if (caller.kind() == TokenKind.EXTENSION) {
            return Optional.of(front.browserId(caller, Optional.empty()));
        }
        if (caller.kind() != TokenKind.PICKER) {
            return Optional.empty();
        }
        PickerSessions.Session session =
                cookie(exchange)
                        .filter(value -> fromHere(exchange, false))
                        .flatMap(value -> sessions.proven(caller.id(), value))
                        .orElseThrow(() -> TandemException.of(ErrorCode.UNAUTHORIZED));
        return Optional.of(session.opener().browserId());
    }

    /** Only a page of ours, or the person's own address bar, may present the cookie. */
    private static boolean fromHere(Exchange exchange, boolean typed) {
        String site = exchange.header("Sec-Fetch-Site").orElse("");
        return site.equals("same-origin") || (typed && site.equals("none"));
    }

    private static Optional<String> cookie(Exchange exchange) {
        return exchange.header("Cookie")
                .map(OWN::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1));
    }

    private static void refuse(Exchange exchange) {
        exchange.respond(
                403,
                "text/plain; charset=utf-8",
                "This page opens from the Cookies button of the Tandem panel.\n"
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static void file(Exchange exchange, String name, String type) throws IOException {
        try (InputStream in = CookiePickerEndpoint.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("Missing resource " + name);
            }
            exchange.respond(200, type + "; charset=utf-8", in.readAllBytes());
        }
    }
}
