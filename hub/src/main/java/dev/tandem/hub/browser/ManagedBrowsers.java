package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Browsers that the hub starts, pairs, watches and ends: one per profile, isolated in the state
 * dir.
 */
public final class ManagedBrowsers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedBrowsers.class);
    static final String PREFIX = "managed-";
    private static final long CONNECT_MS = 30_000;
    private static final int RESTARTS = 3;
    private static final Duration RESTART_WINDOW = Duration.ofMinutes(2);
    private static final long POLITE_MS = 1200;

    private final Settings settings;
    private final ProfileFolders folders;
    private final Browsers browsers;
    private final Pairing pairing;
    private final Consumer<String> say;
    private final BrowserLog log;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final ReentrantLock starting = new ReentrantLock();
    private volatile boolean closed;
    private volatile Optional<ObjectNode> failure = Optional.empty();

    /** Where things are, and whether a window is wanted. */
    public record Settings(
            Path profiles,
            Path log,
            Path extension,
            String extensionId,
            Optional<Boolean> headless,
            Map<String, String> environment) {}

    /** Which browser is wanted. */
    record Wanted(
            String profile,
            Optional<Boolean> headless,
            Optional<String> program,
            List<String> flags,
            Optional<Boolean> persist) {
        static Wanted standard() {
            return new Wanted(
                    "default", Optional.empty(), Optional.empty(), List.of(), Optional.empty());
        }

        /** Whether what the browser leaves behind is kept for its next start. */
        boolean kept() {
            return persist.orElse(true);
        }
    }

    private record Running(
            Wanted wanted,
            String browserId,
            ProfileFolders.Folder folder,
            boolean headless,
            ManagedBrowser process,
            Deque<Instant> crashes) {}

    public ManagedBrowsers(
            Settings settings, Browsers browsers, Pairing pairing, Consumer<String> say) {
        this.settings = settings;
        this.folders = new ProfileFolders(settings.profiles());
        this.log = new BrowserLog(settings.log());
        this.browsers = browsers;
        this.pairing = pairing;
        this.say = say;
    }

    /** Starts the standard browser in the background; calls wait for it. */
    public void startStandard() {
        browsers.expect(browserId("default"), "managed", "managed");
        Thread.startVirtualThread(() -> {
            try {
                open(Wanted.standard());
            } catch (TandemException e) {
                LOG.error("The browser did not start: {}", e.message());
                say.accept("The browser did not start. " + e.message());
            }
        });
    }

    /** The running browser of that profile, started if need be; blocks until it is connected. */
    Browser open(Wanted wanted) {
        String browserId = browserId(wanted.profile());
        starting.lock();
        try {
            Running known = running.get(browserId);
            if (known == null || !known.process().alive()) {
                start(wanted, browserId, folders.of(wanted), new ArrayDeque<>());
            } else {
                refuseOther(wanted, known);
            }
        } catch (IOException e) {
            browsers.unexpect(browserId);
            throw new TandemException(ErrorCode.LAUNCH_FAILED, String.valueOf(e.getMessage()));
        } finally {
            starting.unlock();
        }
        Browser browser = browsers.choose(Optional.of(browserId), CONNECT_MS);
        if (!browser.await(CONNECT_MS)) {
            throw Browser.disconnected(false);
        }
        return browser;
    }

    /** Ends the process of a managed browser; false for any other browser. */
    boolean end(Browser browser) {
        Running gone = running.remove(browser.id());
        if (gone != null) {
            end(gone);
        }
        return gone != null;
    }

    private static void end(Running one) {
        one.process().end(POLITE_MS);
        one.folder().leave();
    }

    /** What was asked for is not silently left out: a browser that runs stays as it was started. */
    private void refuseOther(Wanted wanted, Running known) {
        List<String> others = new ArrayList<>();
        if (wanted.headless().filter(headless -> headless != known.headless()).isPresent()) {
            others.add("--headless");
        }
        if (wanted.program().isPresent() && !wanted.program().equals(known.wanted().program())) {
            others.add("--chrome-path");
        }
        if (!wanted.flags().isEmpty() && !wanted.flags().equals(known.wanted().flags())) {
            others.add("--flag");
        }
        if (wanted.persist().filter(kept -> kept != known.wanted().kept()).isPresent()) {
            others.add("--persist-profile");
        }
        if (!others.isEmpty()) {
            throw new TandemException(
                    ErrorCode.LAUNCH_FAILED,
                    "The managed browser of the profile \""
                            + wanted.profile()
                            + "\" runs already, started without this "
                            + String.join(", ", others)
                            + ". Name another profile (--profile NAME), or end that browser first"
                            + " (disconnect --close-browser).");
        }
    }

    @Override
    public void close() {
        closed = true;
        List<Thread> ends =
                running.values().stream()
                        .map(one -> Thread.startVirtualThread(() -> end(one)))
                        .toList();
        running.clear();
        for (Thread end : ends) {
            try {
                end.join(Duration.ofMillis(2 * POLITE_MS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void start(
            Wanted wanted, String browserId, ProfileFolders.Folder folder, Deque<Instant> crashes)
            throws IOException {
        Path program = Chromium.find(wanted.program(), settings.environment());
        boolean headless =
                wanted.headless()
                        .or(settings::headless)
                        .orElseGet(() -> !Chromium.hasDisplay(settings.environment()));
        if (Chromium.isRoot() && crashes.isEmpty()) {
            say.accept("Running as root: Chromium's sandbox is off in the managed browser.");
        }
        String name = wanted.profile().equals("default") ? "managed" : wanted.profile();
        browsers.expect(browserId, name, "managed");
        ProfileBuild build = ProfileBuild.of(folder.path(), settings.extension());
        build.forgetAnother();
        ManagedBrowser process =
                ManagedBrowser.start(
                        program,
                        Chromium.flags(folder.path(), headless, wanted.flags()),
                        settings.extensionId(),
                        log);
        running.put(browserId, new Running(wanted, browserId, folder, headless, process, crashes));
        try {
            process.load(settings.extension(), pairing.items(browserId, name));
            build.note();
            failure = Optional.empty();
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
            running.remove(browserId);
            process.end(POLITE_MS);
            folder.leave();
            throw e;
        }
        var _ = process.exited().thenRun(() -> ended(browserId, process));
        Thread.startVirtualThread(() -> dockPanel(browserId, process));
    }

    /** The last start that came to nothing, unless one has come about since: what and when. */
    public Optional<ObjectNode> failure() {
        return failure;
    }

    private void failed(String message) {
        failure =
                Optional.of(
                        Json.object()
                                .put("message", message)
                                .put("at", System.currentTimeMillis()));
    }

    private void dockPanel(String browserId, ManagedBrowser process) {
        try {
            browsers.choose(Optional.of(browserId), CONNECT_MS);
            process.openPanel();
        } catch (IOException | TandemException e) {
            LOG.info("The panel was not opened: {}", e.getMessage());
        }
    }

    /** A browser that ended without our asking is started again, unless it keeps ending. */
    private void ended(String browserId, ManagedBrowser process) {
        Running was = running.get(browserId);
        if (closed || was == null || was.process() != process) {
            return;
        }
        Instant now = Instant.now();
        Deque<Instant> crashes = was.crashes();
        crashes.addLast(now);
        while (crashes.peekFirst() != null
                && crashes.peekFirst().isBefore(now.minus(RESTART_WINDOW))) {
            crashes.removeFirst();
        }
        if (crashes.size() > RESTARTS) {
            running.remove(browserId);
            was.folder().leave();
            browsers.unexpect(browserId);
            LOG.error("The managed browser ended {} times; it stays down", crashes.size());
            failed("It kept ending and stays down." + process.lastWords());
            say.accept(
                    "The managed browser keeps ending and stays down. See the log, or start it"
                            + " again with \"tandem launch --no-extension\"."
                            + process.lastWords());
            return;
        }
        LOG.warn("The managed browser ended; starting it again");
        Thread.startVirtualThread(() -> startAgain(was));
    }

    private void startAgain(Running was) {
        starting.lock();
        try {
            if (!closed) {
                start(was.wanted(), was.browserId(), was.folder(), was.crashes());
            }
        } catch (IOException e) {
            browsers.unexpect(was.browserId());
            LOG.error("The managed browser did not start again: {}", e.getMessage());
        } finally {
            starting.unlock();
        }
    }

    static String browserId(String profile) {
        if (!profile.matches("[A-Za-z0-9][A-Za-z0-9-]{0,39}")) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "A profile's name has 1 to 40 letters, digits or dashes.");
        }
        return PREFIX + profile;
    }
}
