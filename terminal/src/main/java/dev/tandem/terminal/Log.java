package dev.tandem.terminal;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Lines for logs/terminal.log, where this process's error stream goes. Thread-safe. */
final class Log {
    private Log() {}

    static void info(String sentence) {
        // One call, so that lines of several threads stay whole.
        System.err.println(
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS)
                        + " "
                        + sentence);
    }

    static void error(String sentence, Throwable cause) {
        info(sentence + ": " + cause);
        cause.printStackTrace(System.err);
    }
}
