package dev.tandem.hub.browser;

import dev.tandem.protocol.Limits;
import java.time.Duration;

/**
 * How long the hub waits for a browser; tests wait less.
 *
 * @param hold for one that is away, before a call fails
 * @param greeting for its part of a program's greeting
 */
public record Patience(Duration hold, Duration greeting) {
    public static Patience standard() {
        return new Patience(
                Duration.ofMillis(Limits.EXTENSION_HOLD_MS),
                Duration.ofMillis(Limits.HELLO_ACK_MS));
    }
}
