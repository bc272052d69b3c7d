package dev.tandem.terminal;

import java.time.Duration;

/** Sizes and times of the terminal agent; tests shorten the times. */
record Limits(
        int ringBytes,
        Duration detachWindow,
        Duration pinnedWindow,
        Duration resumeHold,
        Duration hangUpAfter,
        Duration killAfter,
        Duration ping,
        Duration ownerCheck,
        Duration ownerGrace) {
    // With its head 64 KiB, so that who reads that much at a time gets whole frames.
    static final int FRAME_BYTES = 64 * 1024 - 4;
    static final int INPUT_FRAME_BYTES = 1024 * 1024;
    static final int CONTROL_FRAME_BYTES = 256 * 1024;
    static final int PAUSE_ABOVE_BYTES = 256 * 1024;
    static final int RESUME_BELOW_BYTES = 64 * 1024;
    static final int ACK_EVERY_BYTES = 32 * 1024;
    static final int TERMINALS = 32;
    static final int VIEWERS = 8;
    static final int HEADER_BYTES = 4 * 1024;
    static final int BODY_BYTES = 2 * 1024 * 1024;
    static final int GRANTS = 10_000;
    static final int SMALLEST_SIDE = 2;
    static final int LARGEST_SIDE = 1000;

    static final Limits DEFAULT =
            new Limits(
                    1024 * 1024,
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(30),
                    Duration.ofSeconds(10),
                    Duration.ofMillis(500),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(60));
}
