package dev.tandem.terminal;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The three guarantees that nobody but the panel reaches a terminal. Each stands by itself, so a
 * test can take one away and see that the others do not hide its absence.
 *
 * @param address where the listener is bound
 * @param origin whether the Origin headers of an upgrade are the extension's
 * @param token the grant that a token is good for, used up by asking
 */
record Gates(
        String address,
        Predicate<List<String>> origin,
        Function<String, Optional<Grants.Grant>> token) {
    static final String LOOPBACK = "127.0.0.1";

    static Gates of(String origin, Grants grants) {
        return new Gates(LOOPBACK, sent -> sent.equals(List.of(origin)), grants::take);
    }
}
