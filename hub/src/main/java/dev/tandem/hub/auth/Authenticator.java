package dev.tandem.hub.auth;

import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Turns a presented token into the caller it proves. Any thread may call it. */
public final class Authenticator {
    private final CopyOnWriteArrayList<Function<String, Optional<Caller>>> issuers =
            new CopyOnWriteArrayList<>();

    /** Adds someone who knows tokens of one kind. */
    public Authenticator with(Function<String, Optional<Caller>> issuer) {
        issuers.add(issuer);
        return this;
    }

    public Optional<Caller> caller(String token) {
        if (token.length() < 20 || token.length() > 512) {
            return Optional.empty();
        }
        for (Function<String, Optional<Caller>> issuer : issuers) {
            Optional<Caller> caller = issuer.apply(token);
            if (caller.isPresent()) {
                return caller;
            }
        }
        return Optional.empty();
    }
}
