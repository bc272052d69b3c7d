package dev.tandem.hub;

import java.nio.file.Path;
import java.util.Optional;

/** What the user asked for at start. */
public record Options(
        int port,
        Path stateDir,
        Path home,
        BrowserChoice browser,
        Optional<Boolean> headless,
        String store,
        boolean extensionLegacy,
        boolean json,
        String agent) {

    /** Without an agent chosen at start. */
    public Options(
            int port,
            Path stateDir,
            Path home,
            BrowserChoice browser,
            Optional<Boolean> headless,
            String store,
            boolean extensionLegacy,
            boolean json) {
        this(port, stateDir, home, browser, headless, store, extensionLegacy, json, "");
    }

    /** Whether the hub starts a browser of its own. */
    public enum BrowserChoice {
        MANAGED,
        NONE
    }
}
