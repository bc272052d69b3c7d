package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts real programs in real terminals for the tests of this package. */
final class Shells {
    static final Reaper REAPER = new Reaper(() -> false);

    /** The usual limits with the waiting times shortened. */
    static final Limits QUICK = quick(1024 * 1024);

    /** The same with a ring that a moment of output fills. */
    static final Limits SMALL = quick(256 * 1024);

    private static Limits quick(int ringBytes) {
        return new Limits(
                ringBytes,
                Duration.ofMillis(400),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                Duration.ofMillis(100),
                Duration.ofMillis(400),
                Duration.ofSeconds(25),
                Duration.ofMillis(100),
                Duration.ofMillis(600));
    }

    private Shells() {}

    static Child.Launch launch(String... argv) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("TERM", "xterm-256color");
        environment.put("PS1", "$ ");
        return new Child.Launch(List.of(argv), environment, Path.of("/"));
    }

    static Child.Launch script(String script) {
        return launch("/bin/bash", "--norc", "-c", script);
    }

    static Terminal terminal(Limits limits) {
        return new Terminal("t" + System.nanoTime(), "shell", limits, (_, action) -> action.run());
    }

    /** All terminals of an agent, in this process, whose programs have their home there. */
    static Terminals terminals(Path home, InstantSource clock, Limits limits) {
        StateFiles state = new StateFiles(home);
        Map<String, String> environment = Map.of("HOME", home.toString(), "SHELL", "/bin/sh");
        Settings settings = Settings.of(environment);
        return new Terminals(
                limits,
                REAPER,
                new Programs(environment, settings, state),
                settings,
                new TabFiles(state),
                environment,
                clock);
    }

    /** For a shell that outlives its socket. */
    static Grants.Grant grant(String session) {
        return grant(session, "shell", false);
    }

    static Grants.Grant grant(String session, String profile, boolean readOnly) {
        long later = System.currentTimeMillis() + 60_000;
        return new Grants.Grant(
                session, profile, List.of(), "", true, readOnly, readOnly, Map.of(), later);
    }

    static void type(Terminal terminal, String keys) {
        terminal.input(ByteBuffer.wrap(keys.getBytes(StandardCharsets.UTF_8)), () -> {});
    }
}
