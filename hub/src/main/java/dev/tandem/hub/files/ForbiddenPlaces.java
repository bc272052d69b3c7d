package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folders that no agent and no edge may read or write, wherever a session's roots lie. */
public final class ForbiddenPlaces {
    private static final List<String> IN_HOME =
            List.of(
                    ".ssh",
                    ".gnupg",
                    ".aws",
                    ".kube",
                    ".docker",
                    ".netrc",
                    ".git-credentials",
                    ".password-store",
                    ".config/gcloud",
                    ".config/gh",
                    ".config/tandem",
                    ".config/google-chrome",
                    ".config/google-chrome-beta",
                    ".config/google-chrome-unstable",
                    ".config/chromium",
                    ".config/BraveSoftware",
                    ".config/microsoft-edge",
                    ".config/vivaldi",
                    ".config/opera",
                    ".mozilla",
                    ".librewolf",
                    ".thunderbird",
                    ".var/app",
                    "snap/chromium",
                    "snap/firefox",
                    "Library/Application Support/Google",
                    "Library/Application Support/Chromium",
                    "Library/Application Support/BraveSoftware",
                    "Library/Application Support/Microsoft Edge",
                    "Library/Application Support/Firefox",
                    "Library/Application Support/librewolf",
                    "Library/Thunderbird",
                    "Library/Keychains",
                    ".claude",
                    ".claude.json",
                    ".codex",
                    ".gemini",
                    ".qwen",
                    ".cline",
                    ".augment",
                    ".pi",
                    ".local/share/keyrings",
                    ".local/share/opencode",
                    ".config/github-copilot");

    /** Where users moved such folders to; the agents follow these names as well. */
    private static final List<String> NAMED =
            List.of("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GNUPGHOME", "PASSWORD_STORE_DIR");

    /** Folders of a home that can be moved as a whole. */
    private static final Map<String, String> MOVED =
            Map.of(".config/", "XDG_CONFIG_HOME", ".local/share/", "XDG_DATA_HOME");

    private final Path home;
    private final List<Path> places;
    private final Path workspace;

    private ForbiddenPlaces(Path home, List<Path> places, Path workspace) {
        this.home = home;
        this.places = places.stream().map(ForbiddenPlaces::real).toList();
        this.workspace = real(workspace);
    }

    /**
     * The places of this user and hub. Inside the state dir only {@code work}, where sessions
     * without a directory of their own live, stays open.
     */
    public static ForbiddenPlaces of(Path home, Path stateDir, List<Path> others) {
        return of(home, stateDir, others, System.getenv());
    }

    static ForbiddenPlaces of(
            Path home, Path stateDir, List<Path> others, Map<String, String> environment) {
        Stream<Path> secrets = IN_HOME.stream().map(home::resolve);
        return new ForbiddenPlaces(
                home,
                Stream.of(
                                secrets,
                                elsewhere(home, environment),
                                Stream.of(stateDir),
                                others.stream())
                        .flatMap(some -> some)
                        .toList(),
                stateDir.resolve("work"));
    }

    /** These and those of a program that is started with such variables, its own home included. */
    public ForbiddenPlaces with(Map<String, String> environment) {
        Stream<Path> inItsHome =
                absolute(environment.get("HOME"))
                        .flatMap(its -> IN_HOME.stream().map(its::resolve));
        return new ForbiddenPlaces(
                home,
                Stream.of(places.stream(), inItsHome, elsewhere(home, environment))
                        .flatMap(some -> some)
                        .toList(),
                workspace);
    }

    private static Stream<Path> elsewhere(Path home, Map<String, String> environment) {
        return Stream.concat(NAMED.stream(), IN_HOME.stream())
                .flatMap(name -> elsewhere(name, environment))
                // Nothing would be left that a session could work in.
                .filter(place -> !home.startsWith(place));
    }

    /** Where the environment says that a variable's folder, or a folder of a home, is instead. */
    private static Stream<Path> elsewhere(String name, Map<String, String> environment) {
        return MOVED.entrySet().stream()
                .filter(moved -> name.startsWith(moved.getKey()))
                .findFirst()
                .map(moved ->
                        absolute(environment.get(moved.getValue()))
                                .map(to -> to.resolve(name.substring(moved.getKey().length()))))
                .orElseGet(() -> absolute(environment.get(name)));
    }

    private static Stream<Path> absolute(@Nullable String value) {
        return Stream.ofNullable(value)
                .filter(text -> text.startsWith("/"))
                .map(Path::of)
                .map(Path::normalize);
    }

    /** Whether this real path lies in one of them. */
    public boolean covers(Path real) {
        return !real.startsWith(workspace) && places.stream().anyMatch(real::startsWith);
    }

    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        try {
            return PathFence.realPath(absolute);
        } catch (IOException unreadable) {
            return absolute;
        }
    }
}
