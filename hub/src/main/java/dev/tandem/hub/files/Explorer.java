package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Shows the files of one session: a folder's entries, a file's beginning. Immutable. */
public final class Explorer {
    private static final int MOST = 5_000;
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "node_modules",
                    "dist",
                    "build",
                    "coverage",
                    "thumbs.db",
                    "bun.lockb",
                    "package-lock.json");

    private final PathFence fence;
    private final FencedFiles files;

    public Explorer(PathFence fence) {
        this.fence = fence;
        this.files = new FencedFiles(fence);
    }

    /**
     * One entry of a folder.
     *
     * @param path relative to the first root; absolute in the others
     */
    public record Item(
            String name, String path, boolean directory, long size, long mtime, boolean symlink) {}

    /**
     * A place inside.
     *
     * @param directory where it really is
     * @param prefix what stands before a name in a path of this folder
     */
    public record Place(Path directory, String prefix) {}

    /** A folder's entries. */
    public record Listing(List<Item> items, boolean truncated) {
        public Listing {
            items = List.copyOf(items);
        }
    }

    /** A file, or as much of it as is shown. */
    public record Content(
            String content, long size, boolean truncated, boolean binary, String mimeType) {}

    /** Where this path leads; that there is a folder shows when it is listed. */
    public Place place(String path) {
        return guarded(() -> {
            Path directory = fence.confine(path);
            return new Place(directory, prefix(directory));
        });
    }

    public Listing list(String path, boolean showHidden) {
        return list(place(path), showHidden);
    }

    /** Folders first, then by name; hidden and generated ones only when asked for. */
    public Listing list(Place place, boolean showHidden) {
        return guarded(() -> {
            List<Item> items = new ArrayList<>();
            boolean truncated = false;
            try (SecureDirectoryStream<Path> stream = files.directory(place.directory())) {
                for (Path one : stream) {
                    Path name = one.getFileName();
                    if (name == null || !(showHidden || isShown(name.toString()))) {
                        continue;
                    }
                    if (items.size() == MOST) {
                        truncated = true;
                        break;
                    }
                    item(stream, place, name).ifPresent(items::add);
                }
            }
            items.sort(new NaturalOrder());
            return new Listing(items, truncated);
        });
    }

    public Content read(String path) {
        return guarded(() -> {
            Path real = fence.confine(path);
            Path name = real.getFileName();
            return FileContent.of(
                    name == null ? "" : name.toString(), () -> files.openRegular(path));
        });
    }

    private static boolean isShown(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && !LEFT_OUT.contains(lower) && !lower.endsWith(".lock");
    }

    private String prefix(Path directory) {
        Path home = fence.roots().getFirst();
        if (!directory.startsWith(home)) {
            return directory + "/";
        }
        String relative = home.relativize(directory).toString();
        return relative.isEmpty() ? "" : relative + "/";
    }

    private Optional<Item> item(SecureDirectoryStream<Path> stream, Place place, Path name) {
        try {
            BasicFileAttributes own =
                    stream.getFileAttributeView(
                                    name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes();
            boolean folder =
                    own.isSymbolicLink()
                            ? leadsToFolder(place.directory(), name)
                            : own.isDirectory();
            return Optional.of(
                    new Item(
                            name.toString(),
                            place.prefix() + name,
                            folder,
                            own.size(),
                            own.lastModifiedTime().toMillis(),
                            own.isSymbolicLink()));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** A link is a folder only where it leads to one that can be opened here. */
    private boolean leadsToFolder(Path directory, Path name) {
        try {
            return java.nio.file.Files.isDirectory(
                    fence.confine(directory.resolve(name).toString()), LinkOption.NOFOLLOW_LINKS);
        } catch (PathDenied outside) {
            return false;
        }
    }

    interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T guarded(Work<T> work) {
        try {
            return work.run();
        } catch (PathDenied denied) {
            throw new ExplorerException("path_denied", String.valueOf(denied.getMessage()));
        } catch (NoSuchFileException missing) {
            throw new ExplorerException("not_found", "There is no such file.");
        } catch (NotDirectoryException file) {
            throw new ExplorerException("not_a_directory", "This is not a folder.");
        } catch (AccessDeniedException closed) {
            throw new ExplorerException("path_denied", "The system does not allow it.");
        } catch (FileSystemException other) {
            boolean notFolder = String.valueOf(other.getReason()).contains("Not a directory");
            throw new ExplorerException(
                    notFolder ? "not_a_directory" : "path_denied", "This cannot be opened.");
        } catch (IOException broken) {
            throw new ExplorerException("internal", String.valueOf(broken.getMessage()));
        }
    }
}
