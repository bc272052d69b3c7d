package dev.tandem.hub.guidance;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** More folders with skill packs: the user's {@code skillPaths}. */
public final class SkillPaths {
    private static final String NAME = "skillPaths";

    private SkillPaths() {}

    /** The folders in that settings file; one that begins with ~/ is below the user's home. */
    public static List<Path> in(Path configFile, Path home) throws IOException {
        if (!Files.exists(configFile)) {
            return List.of();
        }
        JsonNode given;
        try {
            given = Json.parse(Files.readAllBytes(configFile)).path(NAME);
        } catch (TandemException broken) {
            throw new IOException(
                    "%s cannot be read: %s".formatted(configFile, broken.message()), broken);
        }
        if (given.isMissingNode()) {
            return List.of();
        }
        List<Path> folders = new ArrayList<>();
        for (JsonNode one : given.isArray() ? given : List.<JsonNode>of(given)) {
            folders.add(folder(one, configFile, home));
        }
        return folders;
    }

    private static Path folder(JsonNode given, Path configFile, Path home) throws IOException {
        String text = given.isString() ? given.stringValue() : "";
        try {
            Path folder = text.startsWith("~/") ? home.resolve(text.substring(2)) : Path.of(text);
            if (folder.isAbsolute()) {
                return folder;
            }
        } catch (InvalidPathException e) {
            // said below
        }
        throw new IOException(
                "In %s \"%s\" must be a list of folders, each with its whole path, not %s."
                        .formatted(configFile, NAME, Json.write(given)));
    }
}
