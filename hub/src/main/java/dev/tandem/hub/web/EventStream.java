package dev.tandem.hub.web;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Server-sent events to one reader; writing blocks while the reader is slow. One thread at a time.
 */
public final class EventStream implements Closeable {
    private final OutputStream out;
    private final Runnable hangUp;

    EventStream(OutputStream out, Runnable hangUp) throws IOException {
        this.out = out;
        this.hangUp = hangUp;
        out.flush();
    }

    /** One event; empty id or name are left out. */
    public record Event(String id, String name, String data) {}

    /** Sends one event; empty id or name are left out. */
    public void send(String id, String event, String data) throws IOException {
        StringBuilder text = new StringBuilder();
        append(text, id, event, data);
        write(text);
    }

    /** Sends several events at once. */
    public void send(List<Event> events) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Event event : events) {
            append(text, event.id, event.name, event.data);
        }
        write(text);
    }

    /** Breaks the connection, from any thread; a write that waits for the reader fails. */
    public void abort() {
        hangUp.run();
    }

    private static void append(StringBuilder text, String id, String event, String data) {
        if (!id.isEmpty()) {
            text.append("id: ").append(id).append('\n');
        }
        if (!event.isEmpty()) {
            text.append("event: ").append(event).append('\n');
        }
        for (String line : data.split("\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        text.append('\n');
    }

    public void comment(String text) throws IOException {
        write(new StringBuilder(": ").append(text).append("\n\n"));
    }

    private void write(StringBuilder text) throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
