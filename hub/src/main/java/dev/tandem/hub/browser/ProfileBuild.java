package dev.tandem.hub.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which build of the extension a profile had last. Chrome keeps a worker's scripts in the profile
 * and takes new ones only for a new version, so that an update would leave the old worker running.
 */
record ProfileBuild(Path profile, String build) {
    private static final String NOTE = "tandem-extension";

    static ProfileBuild of(Path profile, Path extension) throws IOException {
        return new ProfileBuild(profile, digest(extension));
    }

    /**
     * Before the browser runs. Sites that have workers register them again when they are visited.
     */
    void forgetAnother() throws IOException {
        Path note = profile.resolve(NOTE);
        if (Files.exists(note) && Files.readString(note).equals(build)) {
            return;
        }
        for (String kept : List.of("Database", "ScriptCache")) {
            Path folder = profile.resolve("Default/Service Worker").resolve(kept);
            if (Files.isDirectory(folder)) {
                ProfileFolders.delete(folder);
            }
        }
    }

    void note() throws IOException {
        Files.writeString(profile.resolve(NOTE), build);
    }

    private static String digest(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString();
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
