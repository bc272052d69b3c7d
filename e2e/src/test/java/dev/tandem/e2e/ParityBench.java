package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * One hub of the launcher with three browsers that came to it in three ways, one session in each.
 */
final class ParityBench implements AutoCloseable {
    /** How the browser came to us. */
    enum Way {
        MANAGED("managed", "managed"),
        EXTENSION("extension", "extension_ops"),
        CDP_CONNECT("cdpConnect", "cdpConnect");

        private final String mode;
        private final String sessionMode;

        /** They outlast the bench: a test that is tried again adds what it lacked. */
        private final Findings findings = new Findings();

        Way(String mode, String sessionMode) {
            this.mode = mode;
            this.sessionMode = sessionMode;
        }

        String mode() {
            return mode;
        }

        String sessionMode() {
            return sessionMode;
        }

        Findings findings() {
            return findings;
        }
    }

    private final Map<Way, Driver> drivers = new EnumMap<>(Way.class);
    private final Pages pages = new Pages();
    private final String start = ParityPage.on(pages);
    private final Path folder;
    private final RunningHub hub;
    private final CommandLine cli;
    private final OwnBrowser own;
    private final Chrome debugged;

    ParityBench(Path folder) throws IOException {
        this.folder = folder;
        hub = new RunningHub(new Launcher(Launcher.freshState(folder)));
        cli = new CommandLine(hub);
        own = OwnBrowser.connect(hub);
        debugged = new Chrome("--remote-debugging-port=0");
        opened(Way.EXTENSION, cli.call("launch", "--extension-only"));
        opened(Way.MANAGED, cli.call("launch", "--no-extension", "--headless"));
        String port = Integer.toString(debugged.debuggingPort());
        opened(Way.CDP_CONNECT, cli.call("connect", "--cdp-port", port));
    }

    private void opened(Way way, JsonNode session) {
        assertThat(session.path("mode").asString()).isEqualTo(way.mode);
        assertThat(session.path("sessionMode").asString()).isEqualTo(way.sessionMode);
        assertThat(session.path("state").asString()).isEqualTo("active");
        drivers.put(way, new Driver(cli, session.path("sessionId").asString(), way.findings));
    }

    Driver driver(Way way) {
        return Objects.requireNonNull(drivers.get(way));
    }

    /** The driver, with the page as it was at the beginning. */
    Driver atStart(Way way) {
        Driver driver = driver(way);
        driver.call("goto", start);
        driver.look();
        return driver;
    }

    Pages pages() {
        return pages;
    }

    String start() {
        return start;
    }

    Path folder() {
        return folder;
    }

    RunningHub hub() {
        return hub;
    }

    CommandLine cli() {
        return cli;
    }

    /** Where the third browser's debugger listens. */
    int debuggingPort() {
        return debugged.debuggingPort();
    }

    boolean usersBrowsersLive() {
        return own.chrome().alive() && debugged.alive();
    }

    @Override
    public void close() throws IOException {
        own.close();
        debugged.close();
        hub.close();
        pages.close();
    }
}
