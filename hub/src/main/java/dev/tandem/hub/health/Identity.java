package dev.tandem.hub.health;

import java.util.UUID;

/** This run of the hub: a new instance at every start, so that clients notice a restart. */
public record Identity(String instanceId, long epoch, String version) {
    public static Identity fresh(String version, java.time.Clock clock) {
        return new Identity(UUID.randomUUID().toString(), clock.millis(), version);
    }
}
