package dev.tandem.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Every terminal of this process: who is attached, and how long one lives alone. Thread-safe. */
final class Terminals {
    private static final Duration CUT_AFTER = Duration.ofSeconds(2);
    private static final String LIMIT = "LIMIT_REACHED";
    private static final int CLOSED = 4410;

    private final Map<String, Terminal> bySession = new LinkedHashMap<>();
    private final Map<String, Long> lonelyUntil = new HashMap<>();
    private final Set<Attachment> attachments = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    task -> Thread.ofPlatform().daemon().name("timer").unstarted(task));
    private final InstantSource clock;
    private final Limits limits;
    private final Reaper reaper;
    private final Programs programs;
    private final Settings settings;
    private final TabFiles tabs;
    private final Map<String, String> environment;

    /** Why a program was not started. */
    static final class Refused extends RuntimeException {
        private final String code;
        private final int closeCode;

        Refused(String code, String sentence, int closeCode) {
            super(sentence);
            this.code = code;
            this.closeCode = closeCode;
        }

        String code() {
            return code;
        }

        String sentence() {
            return String.valueOf(getMessage());
        }

        int closeCode() {
            return closeCode;
        }
    }

    Terminals(
            Limits limits,
            Reaper reaper,
            Programs programs,
            Settings settings,
            TabFiles tabs,
            Map<String, String> environment,
            InstantSource clock) {
        this.clock = clock;
        this.limits = limits;
        this.reaper = reaper;
        this.programs = programs;
        this.settings = settings;
        this.tabs = tabs;
        this.environment = environment;
        long every = limits.ping().toMillis();
        var _ = timer.scheduleAtFixedRate(this::ping, every, every, TimeUnit.MILLISECONDS);
    }

    TabFiles tabs() {
        return tabs;
    }

    synchronized Optional<Terminal> find(String sessionId) {
        return Optional.ofNullable(bySession.get(sessionId));
    }

    /** Whether a grant for this session would reach a terminal that lives. */
    synchronized boolean resumable(String sessionId) {
        return bySession.containsKey(sessionId);
    }

    synchronized Attachment attach(Grants.Grant grant, Wire wire) {
        Terminal terminal = bySession.get(grant.sessionId());
        if (terminal == null) {
            terminal = new Terminal(grant.sessionId(), grant.profile(), limits, this::after);
            if (grant.attach()) {
                // Its program ended after the grant; no other one takes its place.
                terminal.forget(CLOSED, "terminal closed");
            } else {
                bySession.put(grant.sessionId(), terminal);
            }
        }
        List<Viewer> before = List.copyOf(terminal.viewers());
        Viewer viewer = terminal.attach(wire, !grant.readOnly());
        if (viewer.writer()) {
            lonelyUntil.remove(grant.sessionId());
        }
        // Somebody who does not read cannot be told, so the old writer's socket is cut after all.
        before.stream()
                .filter(old -> old.writer() && viewer.writer())
                .forEach(old -> after(CUT_AFTER, old::cut));
        Attachment attachment = new Attachment(this, terminal, viewer, grant);
        attachments.add(attachment);
        if (grant.readOnly() && before.size() >= Limits.VIEWERS) {
            attachment.refuse(LIMIT, "Too many windows show this terminal.", CLOSED);
        }
        return attachment;
    }

    void spawn(Terminal terminal, Grants.Grant grant) {
        if (running() >= Limits.TERMINALS) {
            throw new Refused(LIMIT, "Too many terminals are open.", CLOSED);
        }
        try {
            terminal.spawn(
                    reaper, new Child.Launch(argv(grant), forProgram(grant), directory(grant)));
        } catch (Posix.PosixException e) {
            throw new Refused("SPAWN_FAILED", String.valueOf(e.getMessage()), CLOSED);
        }
    }

    private List<String> argv(Grants.Grant grant) {
        if (!grant.command().isEmpty()) {
            return programs.installed(grant.command())
                    .orElseThrow(() -> missing(grant.command().getFirst()));
        }
        if (!programs.known(grant.profile())) {
            throw new Refused("PROFILE_UNKNOWN", "There is no program of that name.", CLOSED);
        }
        return programs.command(grant.profile()).orElseThrow(() -> missing(grant.profile()));
    }

    private static Refused missing(String profile) {
        return profile.equals(Programs.CLAUDE)
                ? new Refused("CLAUDE_NOT_FOUND", "claude not found", 4404)
                : new Refused("SPAWN_FAILED", profile + " is not installed.", CLOSED);
    }

    private Map<String, String> forProgram(Grants.Grant grant) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(grant.environment());
        all.put("TANDEM_TERMINAL_ID", grant.sessionId());
        return all;
    }

    private Path directory(Grants.Grant grant) {
        Path wanted = grant.directory().isEmpty() ? home() : Path.of(grant.directory());
        return wanted.isAbsolute() && Files.isDirectory(wanted) ? wanted : home();
    }

    private Path home() {
        Path home = Path.of(environment.getOrDefault("HOME", "/"));
        return Files.isDirectory(home) ? home : Path.of("/");
    }

    // On its own thread: a close may be reported while the terminal's lock is held.
    void closed(Attachment attachment) {
        attachments.remove(attachment);
        timer.execute(() -> settle(attachment));
    }

    // Together with what decides it: somebody may come back at any moment.
    private synchronized void settle(Attachment attachment) {
        Terminal terminal = attachment.terminal();
        boolean wrote = terminal.detach(attachment.viewer());
        if (!wrote) {
            return;
        }
        // One that was away when the program ended may come back and ask how.
        boolean told = attachment.viewer().heardTheEnd();
        if (told || !attachment.resumable() || !terminal.spawned()) {
            forget(terminal, CLOSED, "terminal closed");
        } else {
            leaveAlone(terminal);
        }
    }

    private synchronized void leaveAlone(Terminal terminal) {
        Duration window =
                terminal.pinned()
                        ? settings.pinnedWindow().orElse(limits.pinnedWindow())
                        : limits.detachWindow();
        long until = clock.millis() + window.toMillis();
        lonelyUntil.put(terminal.sessionId(), until);
        after(window, () -> expire(terminal, until));
    }

    private synchronized void expire(Terminal terminal, long until) {
        Long still = lonelyUntil.get(terminal.sessionId());
        if (still != null && still == until) {
            forget(terminal, CLOSED, "terminal closed");
        }
    }

    private synchronized void forget(Terminal terminal, int closeCode, String reason) {
        if (bySession.remove(terminal.sessionId(), terminal)) {
            lonelyUntil.remove(terminal.sessionId());
        }
        terminal.forget(closeCode, reason);
    }

    /** Ends one terminal; its clients are closed with the code. */
    synchronized boolean end(String sessionId, int closeCode, String reason) {
        Optional<Terminal> terminal = find(sessionId);
        terminal.ifPresent(t -> forget(t, closeCode, reason));
        return terminal.isPresent();
    }

    /** Ends all and waits until nothing of them is left, at most as long as the time given. */
    void endAll(Duration most) throws InterruptedException {
        List<Terminal> all;
        synchronized (this) {
            all = new ArrayList<>(bySession.values());
        }
        all.forEach(terminal -> end(terminal.sessionId(), 1001, "terminal agent stops"));
        long deadline = System.nanoTime() + most.toNanos();
        for (Terminal terminal : all) {
            terminal.awaitOver(deadline - System.nanoTime());
        }
    }

    synchronized int running() {
        return (int) bySession.values().stream().filter(Terminal::running).count();
    }

    synchronized List<Terminal.Facts> list() {
        return bySession.values().stream().filter(Terminal::spawned).map(Terminal::facts).toList();
    }

    /** When the terminal ends if nobody comes back; attached ones are good for a full lease. */
    synchronized long leaseExpiresAt(String sessionId) {
        Long until = lonelyUntil.get(sessionId);
        return until == null ? clock.millis() + limits.pinnedWindow().toMillis() : until;
    }

    /** The terminal whose program this process descends from, where that can still be told. */
    Optional<String> ownerOf(int pid) {
        List<Integer> line = new ArrayList<>(List.of(pid));
        ProcessTree.ancestors(pid).ifPresent(line::addAll);
        for (Terminal.Facts facts : list()) {
            if (line.contains(facts.pid())) {
                return Optional.of(facts.sessionId());
            }
        }
        return ProcessTree.startedWith(pid, "TANDEM_TERMINAL_ID");
    }

    private void ping() {
        long now = clock.millis();
        attachments.forEach(attachment -> attachment.ping(now));
    }

    private void after(Duration delay, Runnable action) {
        var _ = timer.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
