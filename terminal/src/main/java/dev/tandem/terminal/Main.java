package dev.tandem.terminal;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** The terminal agent process: {@code --state-dir DIR --origin ORIGIN --owner PID}. */
public final class Main {
    private static final Duration END_WITHIN = Duration.ofSeconds(4);

    private Main() {}

    /** Ends the process whatever happens: the listener's threads alone would keep it. */
    public static void main(String[] args) {
        try {
            run(args);
            System.exit(0);
        } catch (Exception e) {
            Log.error("the terminal agent cannot go on", e);
            System.exit(1);
        }
    }

    /** Returns when the owner is gone. */
    private static void run(String[] args) throws Exception {
        Map<String, String> options = options(args);
        Map<String, String> environment = System.getenv();
        Limits limits = limits(environment);
        StateFiles state = StateFiles.open(Path.of(required(options, "state-dir")));
        InternalEndpoint.Identity identity =
                new InternalEndpoint.Identity(Secrets.make(32), Secrets.make(16));
        Leftovers.sweep(state);

        Settings settings = Settings.of(environment);
        Programs programs = new Programs(environment, settings, state);
        Owner owner = new Owner(limits, Integer.parseInt(required(options, "owner")));
        Grants grants = new Grants(InstantSource.system());
        Terminals terminals =
                new Terminals(
                        limits,
                        new Reaper(Main::prepare),
                        programs,
                        settings,
                        new TabFiles(state),
                        ProgramEnvironment.of(environment, state, identity),
                        InstantSource.system());
        InternalEndpoint internal =
                new InternalEndpoint(identity, grants, terminals, programs, owner);
        AgentServer server =
                new AgentServer(
                        Gates.of(required(options, "origin"), grants),
                        terminals,
                        internal,
                        programs);
        int port = server.open();
        Leftovers.announce(state, identity, port);
        programs.probeClaude();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(terminals, state, identity)));
        Log.info("terminal agent listens on port " + port);

        owner.watchPipe(System.in);
        owner.awaitEnd(terminals);
        Log.info("the hub is gone, so is the terminal agent");
    }

    // The first terminal should not wait for what every terminal needs.
    private static boolean prepare() {
        boolean adopts = Posix.becomeSubreaper();
        Child.prepare();
        return adopts;
    }

    private static void stop(
            Terminals terminals, StateFiles state, InternalEndpoint.Identity identity) {
        try {
            terminals.endAll(END_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        // What left its terminal by a double fork came to us; it does not outlive us.
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Leftovers.withdraw(state, identity);
    }

    private static Limits limits(Map<String, String> environment) {
        Limits usual = Limits.DEFAULT;
        return new Limits(
                usual.ringBytes(),
                millis(environment, "GSTACK_PTY_DETACH_WINDOW_MS", usual.detachWindow()),
                usual.pinnedWindow(),
                usual.resumeHold(),
                usual.hangUpAfter(),
                usual.killAfter(),
                millis(environment, "GSTACK_PTY_KEEPALIVE_INTERVAL_MS", usual.ping()),
                millis(environment, "GSTACK_TERMINAL_OWNER_WATCHDOG_MS", usual.ownerCheck()),
                millis(environment, "TANDEM_TERMINAL_OWNER_GRACE_MS", usual.ownerGrace()));
    }

    private static Duration millis(
            Map<String, String> environment, String name, Duration otherwise) {
        String value = environment.get(name);
        return value == null ? otherwise : Duration.ofMillis(Long.parseLong(value));
    }

    private static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            options.put(args[i].substring(2), args[i + 1]);
        }
        return options;
    }

    private static String required(Map<String, String> options, String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }
}
