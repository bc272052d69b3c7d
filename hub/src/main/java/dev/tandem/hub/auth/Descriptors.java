package dev.tandem.hub.auth;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a Linux process may hold a socket that its list of descriptors does not show. */
final class Descriptors {
    /** Under way between processes in a socket's queue, or given to a ring of the kernel's. */
    private static final Pattern KEPT = Pattern.compile("(?m)^(?:scm_fds|UserFiles):\\s+(\\d+)");

    private Descriptors() {}

    /** Whether this process may hold that socket all the same. */
    static boolean hidden(long pid, long inode) {
        Path process = Path.of("/proc", Long.toString(pid));
        // A thread can have a list of its own; the one that is shown is the first thread's.
        return any(process.resolve("task"), task -> shows(task.resolve("fd"), inode))
                || any(process.resolve("fdinfo"), Descriptors::keeps);
    }

    private static boolean shows(Path descriptors, long inode) {
        String wanted = "socket:[" + inode + "]";
        return any(descriptors, file -> leads(file).filter(wanted::equals).isPresent());
    }

    private static Optional<String> leads(Path link) {
        try {
            return Optional.of(Files.readSymbolicLink(link).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean keeps(Path facts) {
        try {
            Matcher kept = KEPT.matcher(Files.readString(facts));
            return kept.find() && !kept.group(1).equals("0");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean any(Path folder, Predicate<Path> wanted) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path one : all) {
                if (wanted.test(one)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // ended meanwhile, or not to be looked into
        }
        return false;
    }
}
