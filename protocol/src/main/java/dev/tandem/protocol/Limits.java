package dev.tandem.protocol;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The numbers of limits.json, with their unit in the name. */
public final class Limits {
    private static final ObjectNode ALL = Json.resource("limits.json");

    public static final int MAX_OPS_PAYLOAD_BYTES = of("maxOpsPayloadBytes");
    public static final int MAX_SNAPSHOT_BYTES = of("maxSnapshotBytes");
    public static final int MAX_FRAME_BYTES = of("maxFrameBytes");
    public static final int CHUNK_THRESHOLD_BYTES = of("chunkThresholdBytes");
    public static final int CHUNK_BYTES = of("chunkBytes");
    public static final int CHUNK_GAP_MS = of("chunkGapMs");
    public static final int HELLO_ACK_MS = of("helloAckMs");
    public static final int PING_INTERVAL_MS = of("pingIntervalMs");
    public static final int PONG_TIMEOUT_MS = of("pongTimeoutMs");
    public static final int MISSED_PONGS = of("missedPongs");
    public static final int EXTENSION_HOLD_MS = of("extensionHoldMs");
    public static final int REQUEST_TIMEOUT_MS = of("requestTimeoutMs");
    public static final int REQUEST_TIMEOUT_MAX_MS = of("requestTimeoutMaxMs");
    public static final int SESSION_TTL_MS = of("sessionTtlMs");
    public static final int IDLE_SESSION_MS = of("idleSessionMs");
    public static final int HTTP_BODY_BYTES = of("httpBodyBytes");
    public static final int UNPROVEN_BYTES = of("unprovenBytes");
    public static final int UNPROVEN_MS = of("unprovenMs");
    public static final int UNPROVEN_SOCKETS = of("unprovenSockets");
    public static final int ACCESS_TOKEN_MS = of("accessTokenMs");
    public static final int PAIRING_CODE_MS = of("pairingCodeMs");
    public static final int PAIRING_TRIES = of("pairingTries");
    public static final int REFRESH_REUSE_GRACE_MS = of("refreshReuseGraceMs");
    public static final int DEFAULT_PORT = of("defaultPort");

    private Limits() {}

    /** The number of that name; an unknown name is a mistake in the program. */
    public static int of(String name) {
        return Math.toIntExact(big(name));
    }

    /** Like {@link #of}, for those beyond two thousand million. */
    public static long big(String name) {
        JsonNode value = ALL.path(name);
        if (!value.isIntegralNumber()) {
            throw new IllegalArgumentException("limits.json has no number called " + name + ".");
        }
        return value.longValue();
    }

    static ObjectNode all() {
        return ALL;
    }
}
