package dev.tandem.cli;

import java.io.IOException;
import java.util.List;

/** One command: what it is called, what it takes, what it does. */
record Command(String name, String about, List<Flag> flags, List<Flag> positions, Action action) {

    /** Everything that a command may use while it runs. */
    record Context(Words words, Invocation invocation, Port port, Printer printer) {
        int columns() {
            return invocation.terminal().columns();
        }

        String word(String argument) {
            return words.value(argument)
                    .orElseThrow(() -> new UsageException("Missing --" + argument));
        }
    }

    /** The work of a command; answers the exit code. */
    @FunctionalInterface
    interface Action {
        int run(Context context) throws IOException;
    }

    Command(String name, String about, Action action) {
        this(name, about, List.of(), List.of(), action);
    }

    /** With one word that must follow. */
    Command(String name, String about, Flag position, Action action) {
        this(name, about, List.of(position), List.of(position), action);
    }
}
