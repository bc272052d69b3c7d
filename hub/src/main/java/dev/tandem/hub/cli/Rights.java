package dev.tandem.hub.cli;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one command line may do. The person may do everything; an agent's process sees its own
 * session and changes nothing.
 *
 * @param refused takes note of agents that tried what only the user may do
 */
record Rights(Caller caller, BiConsumer<Caller, String> refused) {
    private static final Logger LOG = LoggerFactory.getLogger(Rights.class);

    boolean isUser() {
        return caller.kind() == TokenKind.HUB;
    }

    /**
     * @param key a session's id, or the key of whoever asked for a permission
     */
    boolean mayRead(String key) {
        return isUser() || caller.session().filter(key::equals).isPresent();
    }

    /** Refuses what only the person may do, when an agent's process asks for it. */
    void userOnly(String what) {
        if (!isUser()) {
            LOG.warn("Refused to {} for {}", what, caller.name());
            refused.accept(caller, what);
            throw new TandemException(
                    ErrorCode.FORBIDDEN,
                    "Only you can " + what + "; this command runs for " + caller.name() + ".",
                    "user_only");
        }
    }
}
