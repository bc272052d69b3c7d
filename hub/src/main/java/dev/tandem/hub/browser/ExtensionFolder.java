package dev.tandem.hub.browser;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built extension in a place of its own, so that changing sources never changes a running one.
 */
public final class ExtensionFolder {
    private ExtensionFolder() {}

    /** Makes the copy equal to the source and answers its place. */
    public static Path sync(Path source, Path copy) throws IOException {
        if (!Files.isRegularFile(source.resolve("manifest.json"))
                || !Files.isDirectory(source.resolve("vendor"))) {
            throw new IOException(
                    "The extension in " + source + " is not built. Run \"./tandem build\".");
        }
        Set<Path> wanted = files(source);
        Files.createDirectories(
                copy,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (Path file : wanted) {
            bring(source.resolve(file), copy.resolve(file));
        }
        for (Path old : files(copy)) {
            if (!wanted.contains(old)) {
                Files.delete(copy.resolve(old));
            }
        }
        removeEmptyFolders(copy);
        return copy;
    }

    private static Set<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(folder::relativize)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static void bring(Path from, Path to) throws IOException {
        if (Files.exists(to) && Files.mismatch(from, to) < 0) {
            return;
        }
        Files.createDirectories(to.getParent());
        Path temporary = to.resolveSibling("." + to.getFileName() + ".new");
        Files.copy(from, temporary, StandardCopyOption.REPLACE_EXISTING);
        Files.move(
                temporary, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void removeEmptyFolders(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, java.io.@org.jspecify.annotations.Nullable IOException e)
                            throws IOException {
                        try (Stream<Path> inside = Files.list(visited)) {
                            if (inside.findAny().isEmpty()) {
                                Files.delete(visited);
                            }
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path visited, BasicFileAttributes attributes) {
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
