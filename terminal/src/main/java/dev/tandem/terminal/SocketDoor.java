package dev.tandem.terminal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** {@code /ws}: exact Origin, then a token that is used up, and only then the upgrade. */
final class SocketDoor {
    private static final List<String> PREFIXES = List.of("gstack-pty.", "tandem-pty.");
    private static final String COOKIE = "gstack_pty";
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final Gates gates;
    private final Terminals terminals;

    /** What becomes of a request. */
    sealed interface Outcome {}

    /** It is answered, and that was it. */
    record Refusal(Answer answer) implements Outcome {}

    /** It becomes a terminal's socket, after this head. */
    @SuppressWarnings("ArrayRecordComponent") // written once, never compared
    record Passage(byte[] head, Function<Wire, Attachment> attach) implements Outcome {}

    /** A token that was good, and the protocol that carried it, empty for a header. */
    private record Proof(Grants.Grant grant, String protocol) {}

    SocketDoor(Gates gates, Terminals terminals) {
        this.gates = gates;
        this.terminals = terminals;
    }

    Outcome open(Request request) {
        if (!gates.origin().test(request.all("Origin"))) {
            return refuse(Answer.FORBIDDEN, "forbidden origin");
        }
        if (!names(request, "Upgrade", "websocket")) {
            return refuse(Answer.UPGRADE_REQUIRED, "upgrade required");
        }
        List<String> keys = request.all("Sec-WebSocket-Key");
        if (!names(request, "Connection", "upgrade")
                || !request.all("Sec-WebSocket-Version").equals(List.of("13"))
                || keys.size() != 1
                || !keys.getFirst().matches("[A-Za-z0-9+/]{22}==")) {
            return refuse(Answer.BAD_REQUEST, "bad");
        }
        Optional<Proof> proof = proof(request);
        if (proof.isEmpty()) {
            return refuse(Answer.UNAUTHORIZED, "unauthorized");
        }
        Grants.Grant grant = proof.get().grant;
        return new Passage(
                head(keys.getFirst(), proof.get().protocol), wire -> terminals.attach(grant, wire));
    }

    private static Outcome refuse(int status, String text) {
        return new Refusal(Answer.text(status, text));
    }

    // Whatever extensions were offered, none is taken: deflate costs more than loopback ever saves.
    private static byte[] head(String key, String protocol) {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 101 Switching Protocols\r\n")
                        .append("Upgrade: websocket\r\nConnection: Upgrade\r\n")
                        .append("Sec-WebSocket-Accept: ")
                        .append(accept(key))
                        .append("\r\n");
        if (!protocol.isEmpty()) {
            head.append("Sec-WebSocket-Protocol: ").append(protocol).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String accept(String key) {
        return Base64.getEncoder().encodeToString(digest("SHA-1", key + GUID));
    }

    private static byte[] digest(String kind, String text) {
        try {
            return MessageDigest.getInstance(kind)
                    .digest(text.getBytes(StandardCharsets.ISO_8859_1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no " + kind + ".", e);
        }
    }

    private static boolean names(Request request, String field, String word) {
        return words(request, field).anyMatch(w -> w.toLowerCase(Locale.ROOT).equals(word));
    }

    private static Stream<String> words(Request request, String field) {
        return request.all(field).stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .map(String::strip);
    }

    private Optional<Proof> proof(Request request) {
        for (String offered : words(request, "Sec-WebSocket-Protocol").toList()) {
            Optional<Grants.Grant> grant = gates.token().apply(withoutPrefix(offered));
            if (grant.isPresent()) {
                return Optional.of(new Proof(grant.get(), offered));
            }
        }
        return bearer(request).flatMap(gates.token()).map(grant -> new Proof(grant, ""));
    }

    private static String withoutPrefix(String offered) {
        return PREFIXES.stream()
                .filter(offered::startsWith)
                .findFirst()
                .map(prefix -> offered.substring(prefix.length()))
                .orElse(offered);
    }

    // SEC-16: for callers that are no browsers, in a header. Ports share cookies, so the one that
    // goes with the token says only that both came from the hub.
    private static Optional<String> bearer(Request request) {
        String header = request.one("Authorization").orElse("");
        if (!request.all("Sec-Fetch-Site").isEmpty() || !header.startsWith("Bearer ")) {
            return Optional.empty();
        }
        String token = header.substring("Bearer ".length());
        return cookie(request)
                .filter(given -> Secrets.same(cookieOf(token), given))
                .map(_ -> token);
    }

    private static Optional<String> cookie(Request request) {
        List<String> pairs = new ArrayList<>();
        request.all("Cookie").forEach(value -> pairs.addAll(List.of(value.split(";", -1))));
        return pairs.stream()
                .map(String::strip)
                .filter(pair -> pair.startsWith(COOKIE + "="))
                .map(pair -> pair.substring(COOKIE.length() + 1))
                .findFirst();
    }

    /** The cookie that the hub gives out beside a token. */
    static String cookieOf(String token) {
        byte[] hash = digest("SHA-256", COOKIE + " " + token);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }
}
