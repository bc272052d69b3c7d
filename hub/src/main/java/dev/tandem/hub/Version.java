package dev.tandem.hub;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;

/** This build's version and the extension it belongs to. */
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "0.1.0" : version;
    }

    /** When the file was made that this hub runs from; empty where there is none. */
    static String builtAt() {
        try {
            Path file =
                    Path.of(
                            Version.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            return Files.getLastModifiedTime(file)
                    .toInstant()
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString();
        } catch (IOException | URISyntaxException | FileSystemNotFoundException e) {
            return "";
        }
    }

    /** The id that the manifest's key pins. */
    static String extensionId() {
        return Json.resource("identity.json").get("extensionId").asString();
    }
}
