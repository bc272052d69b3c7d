package dev.tandem.cli;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** News, one after the other. */
public interface Following extends AutoCloseable {
    /** The next piece; empty when none came in time or none will come. */
    Optional<ObjectNode> next(Duration atMost);

    /** True when the caller is gone or nothing can follow. */
    boolean over();

    @Override
    void close();
}
