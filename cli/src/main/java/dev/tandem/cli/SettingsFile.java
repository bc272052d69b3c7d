package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** A file that another program keeps its settings in: written whole, or left alone. */
final class SettingsFile {
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rwx------");
    private static final int LINKS = 40;

    private final Path path;

    SettingsFile(Path named) throws IOException {
        this.path = real(named);
    }

    Path path() {
        return path;
    }

    boolean exists() {
        return Files.exists(path);
    }

    String text() throws IOException {
        try {
            return exists() ? Files.readString(path) : "";
        } catch (CharacterCodingException e) {
            throw refused("It is not written in UTF-8.", "Store it as UTF-8, then try again.");
        }
    }

    /** Refuses what would fail half-way, before anything is done. */
    void checkWritable() throws IOException {
        if (exists()
                && !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OWNER_WRITE)) {
            throw refused("It is read-only.", "If it may be changed: chmod u+w " + path);
        }
        Path folder = path;
        for (int up = missingFolders(); up >= 0; up--) {
            folder = above(folder);
        }
        try {
            Files.delete(fresh(folder));
        } catch (IOException e) {
            throw refused(
                    "No file can be made in " + folder + ".",
                    "See that it is a folder in which you may write.");
        }
    }

    /** Who may do what with it; with a new one only the user. */
    Set<PosixFilePermission> mode() throws IOException {
        return exists() ? Files.getPosixFilePermissions(path) : PRIVATE;
    }

    void mode(Set<PosixFilePermission> mode) throws IOException {
        Files.setPosixFilePermissions(path, mode);
    }

    /** Takes it from everybody but the user, and says whether somebody else had it. */
    boolean close() throws IOException {
        Set<PosixFilePermission> mode = EnumSet.copyOf(mode());
        boolean open = exists() && mode.retainAll(OWNERS);
        if (open) {
            mode(mode);
        }
        return open;
    }

    /** All or nothing, with the mode the file had. */
    void write(String text) throws IOException {
        Path folder = Files.createDirectories(above(path));
        Set<PosixFilePermission> mode = mode();
        Path fresh = fresh(folder);
        try {
            Files.writeString(fresh, text);
            Files.setPosixFilePermissions(fresh, mode);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** How many folders have to be made before the file can be. */
    int missingFolders() {
        int missing = 0;
        for (Path folder = above(path); !Files.exists(folder); folder = above(folder)) {
            missing++;
        }
        return missing;
    }

    /** Takes the file away, and as many of the folders around it, where they hold nothing else. */
    void delete(int folders) throws IOException {
        Files.deleteIfExists(path);
        Path folder = above(path);
        for (int left = folders; left > 0 && isEmpty(folder); left--) {
            Files.delete(folder);
            folder = above(folder);
        }
    }

    TandemException refused(String why, String remedy) {
        return new TandemException(
                ErrorCode.CONFLICT,
                path + " cannot be changed safely, so nothing was. " + why,
                Json.object().put("hint", remedy));
    }

    private static Path above(Path path) {
        return Objects.requireNonNull(path.getParent(), "the root itself is no settings file");
    }

    private static Path fresh(Path folder) throws IOException {
        return Files.createTempFile(
                folder, ".tandem-", ".tmp", PosixFilePermissions.asFileAttribute(PRIVATE));
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.findAny().isEmpty();
        }
    }

    /** Settings that are a link stay one, also where what it leads to is not there yet. */
    private static Path real(Path named) throws IOException {
        Path path = named.toAbsolutePath();
        for (int i = 0; i < LINKS && Files.isSymbolicLink(path); i++) {
            path = path.resolveSibling(Files.readSymbolicLink(path)).normalize();
        }
        return path;
    }
}
