package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Files that tools make: one folder per ops session, mode 0600, never over an existing file. */
public final class Artifacts {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;

    public Artifacts(Path root) {
        this.root = root;
    }

    /** Writes under a name inside the session's folder; anything but a plain name is refused. */
    Path write(String sessionId, String name, byte[] content) throws IOException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9 ._-]{0,119}") || name.contains("..")) {
            throw new TandemException(
                    ErrorCode.PATH_DENIED,
                    "Give a plain file name; the file goes into the session's folder.");
        }
        return create(folder(sessionId), name, content);
    }

    /** Writes under a new name in a folder of its own. */
    Path writeNew(String sessionId, String kind, String name, byte[] content) throws IOException {
        Path folder = folder(sessionId).resolve(kind).resolve(UUID.randomUUID().toString());
        Files.createDirectories(folder, PRIVATE_FOLDER);
        return create(folder, name, content);
    }

    /** The file of this session that a path names, by its real path; none for any other file. */
    Optional<Path> find(String sessionId, String path) throws IOException {
        try {
            Path folder = folder(sessionId).toRealPath();
            Path real = folder.resolve(path).toRealPath();
            return real.startsWith(folder) && Files.isRegularFile(real)
                    ? Optional.of(real)
                    : Optional.empty();
        } catch (NoSuchFileException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private Path folder(String sessionId) throws IOException {
        Path folder = root.resolve(sessionId.replaceAll("[^A-Za-z0-9-]", "_"));
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
        Files.write(file, content);
        return file;
    }
}
