package dev.tandem.hub.web;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frames on their way to one reader. Those who add never wait: a reader that lets too many frames
 * lie is cut off, and resumes from where it was. One thread writes.
 */
public final class Outlet {
    private static final EventStream.Event END = new EventStream.Event("", "", "");

    private final EventStream stream;
    private final int limit;
    private final Duration keepAlive;
    private final Sign sign;
    private final LinkedBlockingQueue<EventStream.Event> waiting = new LinkedBlockingQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean live;

    /** What is written when there was nothing to say for a while. */
    public interface Sign {
        void write(EventStream stream) throws IOException;
    }

    public Outlet(EventStream stream, int limit, Duration keepAlive) {
        this(stream, limit, keepAlive, quiet -> quiet.comment("keep-alive"));
    }

    public Outlet(EventStream stream, int limit, Duration keepAlive, Sign sign) {
        this.stream = stream;
        this.limit = limit;
        this.keepAlive = keepAlive;
        this.sign = sign;
    }

    public void add(String id, String data) {
        add(new EventStream.Event(id, "", data));
    }

    public void add(EventStream.Event event) {
        if (over.get()) {
            return;
        }
        if (live && waiting.size() >= limit) {
            over.set(true);
            waiting.clear();
            stream.abort();
        }
        waiting.add(over.get() ? END : event);
    }

    /** Writes what waits, then ends the stream. */
    public void end() {
        waiting.add(END);
    }

    /** From now on what waits is counted; what was replayed before is not the reader's fault. */
    public void live() {
        live = true;
    }

    /** Writes until the end, the cut or the reader's leaving. */
    public void run() throws IOException {
        try (stream) {
            while (true) {
                EventStream.Event first = waiting.poll(keepAlive.toMillis(), TimeUnit.MILLISECONDS);
                if (first == null) {
                    sign.write(stream);
                    continue;
                }
                List<EventStream.Event> batch = new ArrayList<>(List.of(first));
                waiting.drainTo(batch, 255);
                int end = indexOfEnd(batch);
                List<EventStream.Event> frames = end < 0 ? batch : batch.subList(0, end);
                if (!frames.isEmpty()) {
                    stream.send(frames);
                }
                if (end >= 0) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            over.set(true);
        }
    }

    private static int indexOfEnd(List<EventStream.Event> batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i).equals(END)) {
                return i;
            }
        }
        return -1;
    }
}
