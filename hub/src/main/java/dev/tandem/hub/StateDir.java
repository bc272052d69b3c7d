package dev.tandem.hub;

import dev.tandem.cli.OwnFolder;
import dev.tandem.hub.auth.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Set;

/** The folder with everything the hub keeps: mode 0700, files 0600, written whole or not at all. */
public final class StateDir {
    private static final Set<PosixFilePermission> OWNER_DIR =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> DIR_MODE =
            PosixFilePermissions.asFileAttribute(OWNER_DIR);
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;

    private StateDir(Path path) {
        this.path = path;
    }

    /** Opens or makes the folder; refuses a link, somebody else's folder, or one open to others. */
    public static StateDir open(Path path) throws IOException {
        Path absolute = path.toAbsolutePath().normalize();
        if (Files.isSymbolicLink(absolute)) {
            throw new StateException(
                    "The state dir " + absolute + " is a link. Name the folder itself.");
        }
        if (!Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            make(absolute);
        }
        if (!Files.isDirectory(absolute, LinkOption.NOFOLLOW_LINKS)) {
            throw new StateException(
                    "The state dir "
                            + absolute
                            + " is not a folder. Name another with --state-dir.");
        }
        if (!OwnFolder.is(absolute)) {
            throw new StateException(
                    "The state dir "
                            + absolute
                            + " belongs to "
                            + Files.getOwner(absolute, LinkOption.NOFOLLOW_LINKS).getName()
                            + ". Name one of your own with --state-dir.");
        }
        Set<PosixFilePermission> open =
                EnumSet.copyOf(Files.getPosixFilePermissions(absolute, LinkOption.NOFOLLOW_LINKS));
        open.removeAll(OWNER_DIR);
        if (!open.isEmpty()) {
            throw new StateException(
                    "The state dir "
                            + absolute
                            + " is open to other users. Close it: chmod 700 "
                            + absolute);
        }
        if (!Files.isWritable(absolute)) {
            throw new StateException(
                    "The state dir "
                            + absolute
                            + " cannot be written. Check its permissions and the disk.");
        }
        return new StateDir(absolute);
    }

    private static void make(Path path) throws StateException {
        try {
            Files.createDirectories(path.getParent());
            Files.createDirectory(path, DIR_MODE);
        } catch (IOException e) {
            // another hub may have made it just now
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new StateException(
                        "The state dir "
                                + path
                                + " cannot be made. Name another with --state-dir.");
            }
        }
    }

    public Path path() {
        return path;
    }

    public Path file(String name) {
        return path.resolve(name);
    }

    /** A folder inside, made with mode 0700 when it is missing. */
    public Path folder(String name) throws IOException {
        Path folder = path.resolve(name);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, DIR_MODE);
        }
        return folder;
    }

    /** A file inside, made empty with mode 0600 when it is missing. */
    public Path privateFile(String name) throws IOException {
        Path file = path.resolve(name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(file, FILE_MODE);
        }
        return file;
    }

    /** 32 random bytes in hex, made at the first use and kept. */
    public String secret(String name) throws IOException {
        Path file = privateFile(name);
        String kept = Files.readString(file).strip();
        if (!kept.matches("[0-9a-f]{64}")) {
            kept = Secrets.hex(32);
            write(name, kept);
        }
        return kept;
    }

    /** Writes a file under a temporary name and moves it into place. */
    public void write(String name, String text) throws IOException {
        Path temporary = Files.createTempFile(path, "." + name, ".new", FILE_MODE);
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        Files.move(
                temporary,
                path.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    public void delete(String name) throws IOException {
        Files.deleteIfExists(path.resolve(name));
    }

    /** Moves a file that cannot be read out of the way and answers its new place. */
    public Path setAside(String name, Clock clock) throws IOException {
        String stamp =
                DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
                        .withZone(ZoneOffset.UTC)
                        .format(clock.instant());
        Path aside = path.resolve(name + ".unreadable-" + stamp);
        Files.move(path.resolve(name), aside);
        return aside;
    }

    /** The state dir cannot be used; the message says why and what to do. */
    public static final class StateException extends IOException {
        private static final long serialVersionUID = 1L;

        StateException(String message) {
            super(message);
        }
    }
}
