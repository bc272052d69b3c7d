package dev.tandem.hub.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where managed browsers keep what they know: by profile, or for one run and not a day longer. */
final class ProfileFolders {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileFolders.class);

    /** No profile can have such a name. */
    private static final String ONCE = ".once-";

    private final Path root;

    ProfileFolders(Path root) {
        this.root = root;
        sweep();
    }

    /** A browser's folder, and whether it outlives the browser. */
    record Folder(Path path, boolean kept) {
        void leave() {
            if (!kept) {
                delete(path);
            }
        }
    }

    Folder of(ManagedBrowsers.Wanted wanted) throws IOException {
        FileAttribute<Set<PosixFilePermission>> mine =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Path named = root.resolve(wanted.profile());
        if (wanted.kept()) {
            return new Folder(Files.createDirectories(named, mine), true);
        }
        Files.createDirectories(root, mine);
        return new Folder(
                Files.createTempDirectory(root, ONCE + wanted.profile() + "-", mine), false);
    }

    /** What a hub left that was ended from outside. */
    private void sweep() {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (Stream<Path> folders = Files.list(root)) {
            folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith(ONCE))
                    .forEach(ProfileFolders::delete);
        } catch (IOException e) {
            LOG.warn("Old profiles were not looked at: {}", e.getMessage());
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // Processes that are just ending still write there; the next start sweeps.
            LOG.info("A profile was not removed yet: {}", e.getMessage());
        }
    }
}
