package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Permissions;
import dev.tandem.protocol.TandemException;
import java.util.Optional;

/** Steps that only the page can tell to be sensitive: a secret field, a payment, the clipboard. */
final class Sensitive {
    private Sensitive() {}

    /** The permission that a browser missed for a step, when that is why it refused. */
    static Optional<String> refusedFor(TandemException failure) {
        return Json.text(failure.details(), "needs")
                .filter(name ->
                        Permissions.byName(name)
                                .filter(known -> known.risk() == Permissions.Risk.SENSITIVE)
                                .isPresent());
    }
}
