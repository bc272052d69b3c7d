package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Opens and replaces files behind a {@link PathFence}, step by step from the root and without
 * following any link, so that a link put in between the check and the use leads nowhere.
 */
public final class FencedFiles {
    private final PathFence fence;

    public FencedFiles(PathFence fence) {
        this.fence = fence;
    }

    /** What is done in the directory that holds the file. */
    private interface InDirectory<T> {
        T with(SecureDirectoryStream<Path> directory, Path name) throws IOException;
    }

    /** Opens one regular file for reading. */
    public SeekableByteChannel open(String path) throws IOException {
        return inDirectory(
                fence.confine(path),
                false,
                (directory, name) -> {
                    requireRegular(directory, name);
                    return directory.newByteChannel(
                            name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                });
    }

    /** Opens one regular file for reading; says so when it is something else. */
    SeekableByteChannel openRegular(String path) throws IOException {
        Path real = fence.confine(path);
        if (fence.roots().contains(real)) {
            throw new ExplorerException("not_a_file", "This is a folder.");
        }
        return inDirectory(
                real,
                false,
                (directory, name) -> {
                    if (!attributes(directory, name).isRegularFile()) {
                        throw new ExplorerException("not_a_file", "This is not a regular file.");
                    }
                    return directory.newByteChannel(
                            name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                });
    }

    /** Opens a folder whose real path was confined, without following a link on the way. */
    SecureDirectoryStream<Path> directory(Path real) throws IOException {
        Path root = fence.rootOf(real);
        if (root.equals(real)) {
            return openRoot(root);
        }
        return descend(
                root,
                root.relativize(real),
                false,
                (parent, name) -> parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS));
    }

    /** Puts a whole new content in place at once; a reader sees the old file or the new one. */
    public void replace(String path, byte[] content) throws IOException {
        Path target = fence.confine(path);
        inDirectory(
                target,
                true,
                (directory, name) -> {
                    Optional<Set<PosixFilePermission>> mode = modeOf(directory, name);
                    Path temporary = Path.of(".tandem-" + UUID.randomUUID() + ".tmp");
                    try {
                        write(directory, temporary, content);
                        if (mode.isPresent()) {
                            posix(directory, temporary).setPermissions(mode.get());
                        }
                        directory.move(temporary, directory, name);
                    } catch (IOException | RuntimeException failed) {
                        deleteQuietly(directory, temporary);
                        throw failed;
                    }
                    return name;
                });
    }

    /** Removes one regular file. */
    public void delete(String path) throws IOException {
        inDirectory(
                fence.confine(path),
                false,
                (directory, name) -> {
                    requireRegular(directory, name);
                    directory.deleteFile(name);
                    return name;
                });
    }

    private <T> T inDirectory(Path real, boolean create, InDirectory<T> action) throws IOException {
        Path root = fence.rootOf(real);
        Path relative = root.relativize(real);
        Path name = relative.getFileName();
        if (name == null || name.toString().isEmpty()) {
            throw new PathDenied("This is a directory.");
        }
        return descend(root, relative, create, action);
    }

    private <T> T descend(Path root, Path relative, boolean create, InDirectory<T> action)
            throws IOException {
        SecureDirectoryStream<Path> current = openRoot(root);
        Path walked = root;
        try {
            for (int i = 0; i < relative.getNameCount() - 1; i++) {
                Path name = relative.getName(i);
                walked = walked.resolve(name);
                SecureDirectoryStream<Path> next = child(current, name, walked, create);
                current.close();
                current = next;
            }
            return action.with(current, relative.getFileName());
        } finally {
            current.close();
        }
    }

    private static SecureDirectoryStream<Path> child(
            SecureDirectoryStream<Path> parent, Path name, Path whole, boolean create)
            throws IOException {
        try {
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException missing) {
            if (!create) {
                throw missing;
            }
            try {
                Files.createDirectory(whole);
            } catch (FileAlreadyExistsException meanwhile) {
                // Somebody else made it; the next line looks at what it is.
            }
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        }
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> openRoot(Path root) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this file system cannot be walked safely");
    }

    private static BasicFileAttributes requireRegular(
            SecureDirectoryStream<Path> directory, Path name) throws IOException {
        BasicFileAttributes attributes = attributes(directory, name);
        if (!attributes.isRegularFile()) {
            throw new PathDenied("This is not a regular file.");
        }
        return attributes;
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
            throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static Optional<Set<PosixFilePermission>> modeOf(
            SecureDirectoryStream<Path> directory, Path name) throws IOException {
        try {
            requireRegular(directory, name);
            return Optional.of(posix(directory, name).readAttributes().permissions());
        } catch (NoSuchFileException fresh) {
            return Optional.empty();
        }
    }

    private static PosixFileAttributeView posix(SecureDirectoryStream<Path> directory, Path name) {
        return directory.getFileAttributeView(
                name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static void write(SecureDirectoryStream<Path> directory, Path name, byte[] content)
            throws IOException {
        try (SeekableByteChannel channel =
                directory.newByteChannel(
                        name,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.SYNC,
                                LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }

    private static void deleteQuietly(SecureDirectoryStream<Path> directory, Path name) {
        try {
            directory.deleteFile(name);
        } catch (IOException already) {
            // Nothing was left behind.
        }
    }
}
