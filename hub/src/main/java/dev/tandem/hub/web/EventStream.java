package dev.tandem.hub.web;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Server-sent events to one reader; writing blocks while the reader is slow. One thread at a time.
 */
public final class EventStream implements Closeable {
    private final OutputStream out;

    EventStream(OutputStream out) throws IOException {
        this.out = out;
        out.flush();
    }

    /** Sends one event; empty id or name are left out. */
    public void send(String id, String event, String data) throws IOException {
        StringBuilder text = new StringBuilder();
        if (!id.isEmpty()) {
            text.append("id: ").append(id).append('\n');
        }
        if (!event.isEmpty()) {
            text.append("event: ").append(event).append('\n');
        }
        for (String line : data.split("\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        write(text.append('\n'));
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
