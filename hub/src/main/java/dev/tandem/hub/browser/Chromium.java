package dev.tandem.hub.browser;

import dev.tandem.cli.ChromiumPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds a Chromium and knows the flags it needs on this machine. */
final class Chromium {
    private Chromium() {}

    /** The program: the configured one, else the first known name on PATH. */
    static Path find(Optional<String> configured, Map<String, String> environment)
            throws IOException {
        Optional<String> named =
                configured.or(() -> Optional.ofNullable(environment.get("TANDEM_CHROMIUM")));
        if (named.isPresent()) {
            Path program = Path.of(named.get());
            if (!Files.isExecutable(program)) {
                throw new IOException(
                        "There is no program at "
                                + program
                                + ". Give the path of a Chromium or Chrome.");
            }
            return program;
        }
        return ChromiumPrograms.find(environment)
                .orElseThrow(() ->
                        new IOException(
                                "No Chromium was found. Install it (Debian: apt install chromium),"
                                        + " or set TANDEM_CHROMIUM to its path."));
    }

    static boolean hasDisplay(Map<String, String> environment) {
        return System.getProperty("os.name", "").startsWith("Mac")
                || !environment.getOrDefault("DISPLAY", "").isEmpty()
                || !environment.getOrDefault("WAYLAND_DISPLAY", "").isEmpty();
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Everything but the program: no port is ever opened, the debugger is on a pipe. */
    static List<String> flags(Path profile, boolean headless, List<String> more) {
        List<String> flags =
                new ArrayList<>(
                        List.of(
                                "--remote-debugging-pipe",
                                "--enable-unsafe-extension-debugging",
                                "--user-data-dir=" + profile,
                                "--no-first-run",
                                "--no-default-browser-check",
                                "--disable-quic",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--password-store=basic",
                                "--use-mock-keychain",
                                "--disable-features=Translate,OptimizationHints,MediaRouter",
                                "--hide-crash-restore-bubble"));
        if (headless) {
            flags.addAll(List.of("--headless=new", "--window-size=1280,900"));
        }
        if (isRoot()) {
            flags.addAll(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"));
        }
        flags.addAll(more);
        flags.add("about:blank");
        return flags;
    }
}
