package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that tools make: one folder per ops session, mode 0600, never over an existing file, so
 * many bytes for a caller and so many days for a file.
 */
public final class Artifacts {
    private static final Logger LOG = LoggerFactory.getLogger(Artifacts.class);
    private static final Duration LOOK_EVERY = Duration.ofDays(1);
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;
    private final Clock clock;
    private final Map<Path, Long> kept = new HashMap<>();
    private Instant swept = Instant.MIN;

    /**
     * Where the files of one ops session lie, and with whose others they are counted: a caller may
     * have many ops sessions, one after another. Nobody's name: each session counts by itself.
     */
    record Shelf(String who, String sessionId) {
        static Shelf ofUser(String sessionId) {
            return new Shelf("", sessionId);
        }

        private String counted() {
            return plain(who.isEmpty() ? sessionId : who);
        }

        private String folder() {
            return who.isEmpty() ? plain(sessionId) : plain(who) + "/" + plain(sessionId);
        }

        private static String plain(String name) {
            return name.replaceAll("[^A-Za-z0-9-]", "_");
        }
    }

    public Artifacts(Path root, Clock clock) {
        this.root = root;
        this.clock = clock;
    }

    /** Writes under a name inside the session's folder; anything but a plain name is refused. */
    Path write(Shelf shelf, String name, byte[] content) throws IOException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9 ._-]{0,119}") || name.contains("..")) {
            throw new TandemException(
                    ErrorCode.PATH_DENIED,
                    "Give a plain file name; the file goes into the session's folder.");
        }
        Path folder = folder(shelf);
        admit(root.resolve(shelf.counted()), content.length);
        return create(folder, name, content);
    }

    /** Writes under a new name in a folder of its own. */
    Path writeNew(Shelf shelf, String kind, String name, byte[] content) throws IOException {
        Path own = folder(shelf);
        admit(root.resolve(shelf.counted()), content.length);
        Path folder = own.resolve(kind).resolve(UUID.randomUUID().toString());
        Files.createDirectories(folder, PRIVATE_FOLDER);
        return create(folder, name, content);
    }

    /** The file of this session that a path names, by its real path; none for any other file. */
    Optional<Path> find(Shelf shelf, String path) throws IOException {
        try {
            Path folder = folder(shelf).toRealPath();
            Path real = folder.resolve(path).toRealPath();
            return real.startsWith(folder) && Files.isRegularFile(real)
                    ? Optional.of(real)
                    : Optional.empty();
        } catch (NoSuchFileException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /**
     * Refuses what a caller may no longer keep; somebody may have made room since the last look.
     */
    private synchronized void admit(Path folder, long more) throws IOException {
        if (swept.plus(LOOK_EVERY).isBefore(clock.instant())) {
            sweep();
        }
        long most = Limits.big("sessionArtifactBytes");
        Long known = kept.get(folder);
        long now = known == null || known + more > most ? size(folder) : known;
        if (now + more > most) {
            throw new TandemException(
                    ErrorCode.STORE_FULL,
                    "The files of this caller would take more than "
                            + (most >> 20)
                            + " MiB. Delete some in "
                            + folder
                            + ".");
        }
        kept.put(folder, now + more);
    }

    private static long size(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    bytes += Files.size(file);
                }
            }
        }
        return bytes;
    }

    /** Deletes files that are past their days, and the folders that held nothing else. */
    public synchronized void sweep() {
        swept = clock.instant();
        kept.clear();
        Instant oldest = swept.minusMillis(Limits.big("sessionArtifactMs"));
        try (Stream<Path> all = Files.walk(root)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!one.equals(root) && isOver(one, oldest)) {
                    Files.deleteIfExists(one);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Old files stay: {}", e.getMessage());
        }
    }

    private static boolean isOver(Path one, Instant oldest) throws IOException {
        if (!Files.getLastModifiedTime(one, LinkOption.NOFOLLOW_LINKS)
                .toInstant()
                .isBefore(oldest)) {
            return false;
        }
        if (!Files.isDirectory(one, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (Stream<Path> inside = Files.list(one)) {
            return inside.findAny().isEmpty();
        }
    }

    private Path folder(Shelf shelf) throws IOException {
        Path folder = root.resolve(shelf.folder());
        Files.createDirectories(folder, PRIVATE_FOLDER);
        return folder;
    }

    private static Path create(Path folder, String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Set<StandardOpenOption> how =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel channel = Files.newByteChannel(file, how, PRIVATE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw new TandemException(
                    ErrorCode.PATH_DENIED,
                    "There is a file named " + name + " already. Choose another name.");
        }
        return file;
    }

    /** Writes where the user themselves said, from their own shell. */
    static Path writeForUser(Path file, byte[] content) throws IOException {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new TandemException(ErrorCode.PATH_DENIED, file + " is a folder. Name a file.");
        }
        try {
            return Files.write(file, content);
        } catch (NoSuchFileException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "There is no folder " + file.getParent() + ".");
        } catch (FileSystemException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, file + " cannot be written. Name another file.");
        }
    }
}
