package dev.tandem.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/** Reads server-sent events. */
final class SseReader {
    private final BufferedReader lines;

    SseReader(BufferedReader lines) {
        this.lines = lines;
    }

    /** One event; the type is "message" where none was given. */
    record Event(String type, String data) {}

    Optional<Event> next() throws IOException {
        String type = "message";
        StringBuilder data = new StringBuilder();
        boolean any = false;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (any) {
                    return Optional.of(new Event(type, data.toString()));
                }
            } else if (line.startsWith("data:")) {
                data.append(any ? "\n" : "").append(value(line, 5));
                any = true;
            } else if (line.startsWith("event:")) {
                type = value(line, 6);
            }
        }
        return any ? Optional.of(new Event(type, data.toString())) : Optional.empty();
    }

    private static String value(String line, int from) {
        return line.startsWith(" ", from) ? line.substring(from + 1) : line.substring(from);
    }
}
