package dev.tandem.hub.web;

import dev.tandem.protocol.ErrorCode;
import java.util.Optional;

/** Hears of an extension that was turned away at its own door, with the token it showed. */
@FunctionalInterface
public interface TurnedAway {
    void accept(ErrorCode why, String origin, Optional<String> token);
}
