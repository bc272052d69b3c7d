package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The directories that exist for one session, minus those that exist for nobody; immutable. */
public final class PathFence {
    private static final Set<String> GIT_PROGRAMS =
            Set.of("hooks", "config", "config.worktree", "commondir");

    private final List<Path> roots;
    private final ForbiddenPlaces forbidden;

    /** The first root is where relative paths begin. */
    public PathFence(List<Path> roots, ForbiddenPlaces forbidden) {
        this.forbidden = forbidden;
        List<Path> real = new ArrayList<>();
        for (Path root : roots) {
            try {
                real.add(root.toRealPath());
            } catch (IOException missing) {
                throw new PathDenied("The directory %s cannot be used.".formatted(root));
            }
        }
        if (real.isEmpty()) {
            throw new PathDenied("No directory was given.");
        }
        this.roots = List.copyOf(real);
    }

    public List<Path> roots() {
        return roots;
    }

    /** Where this path really leads, if that is inside; the file itself need not exist yet. */
    public Path confine(String path) {
        Path real;
        try {
            real = realPath(roots.getFirst().resolve(path).normalize());
        } catch (InvalidPathException | IOException unusable) {
            throw new PathDenied("Access denied or file not found: this path cannot be used.");
        }
        if (roots.stream().noneMatch(real::startsWith)) {
            throw new PathDenied("Access denied: the path is outside the session's directories.");
        }
        if (forbidden.covers(real) || leadsToGitPrograms(real)) {
            throw new PathDenied("Access denied: this place is closed to agents.");
        }
        return real;
    }

    Path rootOf(Path real) {
        return roots.stream().filter(real::startsWith).findFirst().orElseThrow();
    }

    /** Resolves every link; names that do not exist yet are kept below the last one that does. */
    static Path realPath(Path path) throws IOException {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException missing) {
            Path parent = path.getParent();
            Path name = path.getFileName();
            // A link to nowhere could lead anywhere by the time it is used.
            if (parent == null || name == null || Files.isSymbolicLink(path)) {
                throw missing;
            }
            return realPath(parent).resolve(name);
        }
    }

    /**
     * Git runs the hooks as the user, and its config names more programs and where hooks lie. Both
     * are elsewhere when a commondir, or a file in the place of the folder, says so.
     */
    private static boolean leadsToGitPrograms(Path real) {
        boolean inside = false;
        for (Path name : real) {
            String current = name.toString().toLowerCase(Locale.ROOT);
            if (inside && GIT_PROGRAMS.contains(current)) {
                return true;
            }
            inside |= current.equals(".git");
        }
        boolean last = String.valueOf(real.getFileName()).equalsIgnoreCase(".git");
        return last && !Files.isDirectory(real);
    }
}
