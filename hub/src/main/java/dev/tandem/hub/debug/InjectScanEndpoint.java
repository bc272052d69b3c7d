package dev.tandem.hub.debug;

import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code POST /pty-inject-scan}: looks at text of a page before it may be put before a program. It
 * never says yes by itself: without a classifier a person is asked.
 */
public final class InjectScanEndpoint {
    private static final int MOST_BYTES = Limits.of("injectScanBytes");

    /** Addresses that hide where they lead, or lead to strangers. */
    private static final Pattern BLOCKED =
            Pattern.compile(
                    "(?<![\\w-])(?:bit\\.ly|tinyurl\\.com|discord\\.gg)(?![\\w-]|\\.\\w)",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern CONTROL =
            Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]");
    private static final Pattern UNSEEN =
            Pattern.compile(
                    "[\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]"
                            + "|[\\x{e0000}-\\x{e007f}]");

    public InjectScanEndpoint(WebServer web) {
        web.http("pty-inject-scan", InjectScanEndpoint::scan);
    }

    private static void scan(Exchange exchange) throws IOException {
        byte[] body;
        try {
            body = exchange.body(MOST_BYTES);
        } catch (TandemException e) {
            if (e.code() != ErrorCode.PAYLOAD_TOO_LARGE) {
                throw e;
            }
            refuse(exchange.set("Connection", "close"), 413, "payload-too-large");
            return;
        }
        JsonNode asked;
        try {
            asked = Json.parse(body);
        } catch (TandemException e) {
            refuse(exchange, 400, "malformed-json");
            return;
        }
        if (!asked.path("text").isString()) {
            refuse(exchange, 400, "missing-text");
            return;
        }
        exchange.respond(200, verdict(asked.path("text").stringValue()));
    }

    static ObjectNode verdict(String text) {
        Set<String> reasons = new LinkedHashSet<>();
        // What is invisible must not hide an address either.
        String seen = UNSEEN.matcher(CONTROL.matcher(text).replaceAll("")).replaceAll("");
        boolean blocked = BLOCKED.matcher(seen).find();
        if (blocked) {
            reasons.add("url-blocklist");
        }
        if (CONTROL.matcher(text).find()) {
            reasons.add("control-bytes");
        }
        if (UNSEEN.matcher(text).find()) {
            reasons.add("hidden-characters");
        }
        if (text.isBlank()) {
            reasons.add("empty-text");
        }
        reasons.add("l4-unavailable");
        ObjectNode answer = Json.object().put("verdict", blocked ? "BLOCK" : "WARN");
        var list = answer.putArray("reasons");
        reasons.forEach(list::add);
        answer.putObject("l4").put("available", false).put("error", "no classifier is installed");
        return answer.put("datamark", "<untrusted-page-content>");
    }

    private static void refuse(Exchange exchange, int status, String error) {
        ObjectNode body = Json.object().put("error", error);
        exchange.respond(status, status == 413 ? body.put("limit", MOST_BYTES) : body);
    }
}
