package dev.tandem.hub;

import dev.tandem.hub.store.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/** The store at a start: one that cannot be read is moved aside and said aloud, never deleted. */
record StoreFile(StateDir state, String address, Clock clock) {
    Database open(Consumer<String> say) throws IOException {
        Path file = state.privateFile("tandem.db");
        try {
            return Database.open(address, file);
        } catch (RuntimeException e) {
            if (!address.isEmpty() || !Database.isCorrupt(e)) {
                throw new IOException(e.getMessage(), e);
            }
            say.accept(
                    "The store could not be read. It was moved to "
                            + setAside()
                            + " and a new one was started; browsers must be paired again.");
            return Database.open("", file);
        }
    }

    private Path setAside() throws IOException {
        Path aside = state.setAside("tandem.db", clock);
        state.delete("tandem.db-wal");
        state.delete("tandem.db-shm");
        return aside;
    }
}
