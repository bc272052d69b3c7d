package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** How many sessions may have a process at a time: the user's {@code maxRunningSessions}. */
public final class RunningLimit {
    private static final String NAME = "maxRunningSessions";
    private static final int UNTOLD = 50;
    private static final int MOST = 1000;

    private RunningLimit() {}

    /** The number in that settings file, or the usual one where none is given. */
    public static int in(Path configFile) throws IOException {
        if (!Files.exists(configFile)) {
            return UNTOLD;
        }
        JsonNode given = read(configFile).path(NAME);
        if (given.isMissingNode()) {
            return UNTOLD;
        }
        if (given.isInt()) {
            int limit = given.intValue();
            if (limit >= 1 && limit <= MOST) {
                return limit;
            }
        }
        throw new IOException(
                "In %s \"%s\" must be a whole number from 1 to %d, not %s. Change it or take it out."
                        .formatted(configFile, NAME, MOST, Json.write(given)));
    }

    private static JsonNode read(Path configFile) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(configFile));
        } catch (TandemException broken) {
            throw new IOException(
                    "%s cannot be read: %s".formatted(configFile, broken.message()), broken);
        }
    }
}
