package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Limits;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Tokens that only look: they open the event streams for half an hour and nothing else. In memory;
 * one ends with the login it was made by. Thread-safe.
 */
public final class ViewTokens {
    private static final String PREFIX = "tdv_";
    private static final int LIFE_MS = Limits.of("viewTokenMs");
    private static final int MOST = 10_000;

    private final Clock clock;
    private final Predicate<Caller> loggedIn;
    private final Map<String, View> views = new LinkedHashMap<>();

    /** Who looks, until when. */
    private record View(Caller by, long expiresAt) {}

    /** A token as handed out. */
    record Minted(String token, long expiresAt) {}

    /**
     * @param loggedIn whether the one who asked for a token still has access
     */
    public ViewTokens(Predicate<Caller> loggedIn, Clock clock) {
        this.loggedIn = loggedIn;
        this.clock = clock;
    }

    synchronized Minted mint(Caller by) {
        long now = clock.millis();
        views.values().removeIf(view -> view.expiresAt <= now);
        if (views.size() >= MOST) {
            views.remove(views.keySet().iterator().next());
        }
        String token = Secrets.token(PREFIX);
        views.put(token, new View(by, now + LIFE_MS));
        return new Minted(token, now + LIFE_MS);
    }

    /** The caller behind a token; it is known by the one who asked for it. */
    public Optional<Caller> caller(String token) {
        return view(token)
                .map(view ->
                        new Caller(
                                TokenKind.VIEW,
                                token,
                                view.by.name(),
                                "none",
                                Caller.Mode.READ_ONLY,
                                Optional.empty()));
    }

    /**
     * Who really looks: the maker of a view token, anybody else themselves; none when it is over.
     */
    Optional<Caller> viewer(Caller caller) {
        if (caller.kind() != TokenKind.VIEW) {
            return loggedIn.test(caller) ? Optional.of(caller) : Optional.empty();
        }
        return view(caller.id()).map(View::by);
    }

    private Optional<View> view(String token) {
        if (!token.startsWith(PREFIX)) {
            return Optional.empty();
        }
        View view;
        synchronized (this) {
            view = views.get(token);
        }
        if (view == null || view.expiresAt <= clock.millis() || !loggedIn.test(view.by)) {
            return Optional.empty();
        }
        return Optional.of(view);
    }
}
