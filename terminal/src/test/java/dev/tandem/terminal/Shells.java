package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts real programs in real terminals for the tests of this package. */
final class Shells {
    static final Reaper REAPER = new Reaper(() -> false);

    /** The usual limits with the waiting times shortened. */
    static final Limits QUICK =
            new Limits(
                    1024 * 1024,
                    Duration.ofMillis(400),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(10),
                    Duration.ofMillis(100),
                    Duration.ofMillis(400),
                    Duration.ofSeconds(25),
                    Duration.ofMillis(100),
                    Duration.ofMillis(600));

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
        return new Terminal("t" + System.nanoTime(), "shell", limits);
    }

    static void type(Terminal terminal, String keys) {
        terminal.input(ByteBuffer.wrap(keys.getBytes(StandardCharsets.UTF_8)), () -> {});
    }
}
