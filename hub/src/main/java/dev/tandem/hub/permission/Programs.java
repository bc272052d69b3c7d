package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.OpsClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Programs with a token of their own, as the desk knows them. Any thread may call it. */
final class Programs {
    /** A program has no turns; after this long without a call a new one begins. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final PermissionDesk desk;
    private final Clock clock;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    Programs(PermissionDesk desk, Clock clock) {
        this.desk = desk;
        this.clock = clock;
    }

    /** Who asks; act mode works inside the fence of what the user named or allowed. */
    Ask.Who who(OpsClient client) {
        Caller caller = client.caller();
        heard(client.key());
        return new Ask.Who(
                client.door().word(), client.key(), caller.name(), "", caller.mode(), "");
    }

    void heard(String key) {
        long now = clock.millis();
        Long before = seen.put(key, now);
        if (before != null && now - before > QUIET.toMillis()) {
            desk.turnStarted(key, List.of());
        }
    }
}
