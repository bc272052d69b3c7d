package dev.tandem.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a Chromium is looked for: what the hub starts is what the doctor names. The launcher has
 * the same list, in scripts/need.sh.
 */
public final class ChromiumPrograms {
    static final List<String> NAMES =
            List.of(
                    "chromium",
                    "chromium-browser",
                    "google-chrome-stable",
                    "google-chrome",
                    "microsoft-edge-stable",
                    "brave-browser");
    static final List<String> MAC =
            List.of(
                    "/Applications/Chromium.app/Contents/MacOS/Chromium",
                    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

    /** What to do about a snap. */
    public static final String BESIDE_SNAPS =
            "Name another Chromium or Chrome in TANDEM_CHROMIUM, or keep the state dir in a folder of"
                    + " your home that is not hidden (TANDEM_STATE_DIR).";

    private ChromiumPrograms() {}

    /** Whether it may read nothing hidden in the user's home. */
    public static boolean isSnap(Path program) {
        try {
            return program.startsWith("/snap") || program.toRealPath().endsWith("snap");
        } catch (IOException e) {
            return false;
        }
    }

    /** The first known name on the PATH, else in the places of a Mac. */
    public static Optional<Path> find(Map<String, String> environment) {
        List<Path> folders =
                Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .map(Path::of)
                        .toList();
        Stream<Path> onPath =
                NAMES.stream()
                        .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)));
        return Stream.concat(onPath, MAC.stream().map(Path::of))
                .filter(Files::isExecutable)
                .map(Path::toAbsolutePath)
                .findFirst();
    }
}
