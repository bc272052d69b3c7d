package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Limits;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Who may use the cookie page. A code opens it once, within half a minute; then two secrets
 * together prove the page: a cookie, which every port of this machine could see, and a key that the
 * page alone holds. Neither is worth anything without the other. Thread-safe.
 */
public final class PickerSessions {
    private static final String PREFIX = "tdp_";
    private static final int CODE_MS = Limits.of("pickerCodeMs");
    private static final int SESSION_MS = Limits.of("pickerSessionMs");
    private static final int MOST = 1000;

    private final Clock clock;
    private final Map<String, Code> codes = new LinkedHashMap<>();
    private final Map<String, Session> byKey = new LinkedHashMap<>();

    /** What a code opens: the cookies of that browser, in that language. */
    private record Code(Opener opener, long expiresAt) {}

    /** For which browser, in which language. */
    record Opener(String browserId, String language) {}

    /** An open page. */
    record Session(Opener opener, String cookie, String key, long expiresAt) {}

    public PickerSessions(Clock clock) {
        this.clock = clock;
    }

    synchronized String code(Opener opener) {
        tidy();
        String code = UUID.randomUUID().toString();
        codes.put(code, new Code(opener, clock.millis() + CODE_MS));
        return code;
    }

    /** Takes a code, once. */
    synchronized Optional<Session> open(String code) {
        tidy();
        Code known = codes.remove(code);
        if (known == null || known.expiresAt <= clock.millis()) {
            return Optional.empty();
        }
        Session session =
                new Session(
                        known.opener,
                        Secrets.token(""),
                        Secrets.token(PREFIX),
                        clock.millis() + SESSION_MS);
        byKey.put(session.key, session);
        return Optional.of(session);
    }

    /** The caller who holds a page's key; the cookie is still to be seen. */
    public synchronized Optional<Caller> caller(String key) {
        tidy();
        return Optional.ofNullable(byKey.get(key))
                .map(session ->
                        new Caller(
                                TokenKind.PICKER,
                                key,
                                "Cookies",
                                "none",
                                Caller.Mode.READ_ONLY,
                                Optional.empty()));
    }

    /** The page of a key, if the cookie is that page's too. */
    synchronized Optional<Session> proven(String key, String cookie) {
        return Optional.ofNullable(byKey.get(key))
                .filter(session -> Secrets.same(session.cookie, cookie));
    }

    /** A page by its cookie, for what shows nothing. */
    synchronized Optional<Session> byCookie(String cookie) {
        tidy();
        return byKey.values().stream().filter(s -> Secrets.same(s.cookie, cookie)).findFirst();
    }

    private void tidy() {
        long now = clock.millis();
        codes.values().removeIf(code -> code.expiresAt <= now);
        byKey.values().removeIf(session -> session.expiresAt <= now);
        while (codes.size() > MOST) {
            codes.remove(codes.keySet().iterator().next());
        }
        while (byKey.size() > MOST) {
            byKey.remove(byKey.keySet().iterator().next());
        }
    }
}
