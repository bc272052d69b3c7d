package dev.tandem.hub;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every test look again after 10 ms, as Awaitility's own 100 ms add up to a minute, and wait
 * for half a minute: on a busy machine ten seconds are the start of one program.
 */
public final class PromptWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }
}
