package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

    private final List<Path> places;
    private final Path workspace;

    private ForbiddenPlaces(List<Path> places, Path workspace) {
        this.places = places.stream().map(ForbiddenPlaces::real).toList();
        this.workspace = real(workspace);
    }

    /**
     * The places of this user and hub. Inside the state dir only {@code work}, where sessions
     * without a directory of their own live, stays open.
     */
    public static ForbiddenPlaces of(Path home, Path stateDir, List<Path> others) {
        Stream<Path> secrets = IN_HOME.stream().map(home::resolve);
        return new ForbiddenPlaces(
                Stream.concat(Stream.concat(secrets, Stream.of(stateDir)), others.stream())
                        .toList(),
                stateDir.resolve("work"));
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
