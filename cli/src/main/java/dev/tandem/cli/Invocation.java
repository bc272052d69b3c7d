package dev.tandem.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One command line as somebody typed it.
 *
 * @param arguments what stands behind {@code tandem}
 * @param folder where it was typed; relative paths start here
 * @param terminal what it prints to
 * @param stdin reads the standard input to its end, when a command asks for it
 * @param sink takes the output, piece by piece
 */
public record Invocation(
        List<String> arguments, Path folder, Terminal terminal, Stdin stdin, Sink sink) {

    /**
     * Facts about the place the output goes to; zero columns means unknown.
     *
     * @param asks a person can be asked: remarks are seen and keys come, wherever the output goes
     */
    public record Terminal(boolean tty, boolean colour, int columns, boolean asks) {
        public static final Terminal NONE = new Terminal(false, false, 0, false);
    }

    /** The caller's standard input. */
    @FunctionalInterface
    public interface Stdin {
        String readAll() throws IOException;

        /** The next key; {@code ""} when none came in time, {@code "eof"} where there are none. */
        default String key(Duration atMost) {
            return "eof";
        }
    }

    /** Standard output and standard error of the caller; calls come from one thread. */
    public interface Sink {
        void out(String text);

        void err(String text);

        /** Only the end of the command follows what is said from now on. */
        default void ending() {}
    }
}
