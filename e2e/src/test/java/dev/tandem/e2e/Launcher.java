package dev.tandem.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code ./tandem} as a user calls it, on a state dir of its own. */
final class Launcher {
    static final Path ROOT =
            Path.of(System.getProperty("tandem.root", "..")).toAbsolutePath().normalize();
    private static final long PATIENCE_SECONDS = 90;
    static final Path IN_BASH = ROOT.resolve("scripts/launcher.sh");

    private final Path state;
    private final Map<String, String> environment = new HashMap<>();
    private Path folder = ROOT;
    private Path script = ROOT.resolve("tandem");

    Launcher(Path state) {
        this.state = state;
        environment.put("TANDEM_STATE_DIR", state.toString());
        environment.put("TANDEM_NO_START", "1");
        environment.put("TANDEM_NO_INSTALL", "1");
    }

    /**
     * The command itself, which takes the native launcher where there is one, and the other one.
     */
    static Stream<Path> all() {
        return Stream.of(ROOT.resolve("tandem"), IN_BASH);
    }

    /** What a finished command printed and how it ended. */
    record Run(int exit, String out, String err) {
        String all() {
            return out + err;
        }
    }

    Path state() {
        return state;
    }

    Launcher with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Launcher in(Path where) {
        folder = where;
        return this;
    }

    Launcher as(Path link) {
        script = link;
        return this;
    }

    Run run(String... words) {
        return feed("", words);
    }

    /** Runs to the end with that standard input. */
    Run feed(String input, String... words) {
        try {
            Process process = start(words);
            CompletableFuture<String> out = read(process.getInputStream());
            CompletableFuture<String> err = read(process.getErrorStream());
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // it ended without reading: its exit code says why
            }
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(List.of(words) + " did not end");
            }
            return new Run(process.exitValue(), out.join(), err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    Process start(String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(script.toString());
        builder.command().addAll(List.of(words));
        builder.directory(folder.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** As a person types it: input and output are a terminal. */
    Process inTerminal(String... words) throws IOException {
        StringBuilder line = new StringBuilder("exec '" + script + "'");
        for (String word : words) {
            line.append(" '").append(word).append('\'');
        }
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", line.toString(), "/dev/null");
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** A private folder that does not exist yet. */
    static Path freshState(Path parent) {
        return parent.resolve("state-" + System.nanoTime());
    }

    static boolean exists(Path file) {
        return Files.exists(file);
    }

    private static CompletableFuture<String> read(java.io.InputStream in) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> Thread.startVirtualThread(task));
    }
}
