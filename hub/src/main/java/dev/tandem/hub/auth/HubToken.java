package dev.tandem.hub.auth;

import java.util.Optional;

/** The user's own token: new at each start, written to browse.json with mode 0600. */
public final class HubToken {
    private final String value = Secrets.token("tdh_");

    public String value() {
        return value;
    }

    public Optional<Caller> caller(String token) {
        return Secrets.same(token, value) ? Optional.of(Caller.USER) : Optional.empty();
    }
}
