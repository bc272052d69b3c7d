package dev.tandem.hub.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The last lines an agent wrote to its error output; any thread may ask. */
final class StderrTail {
    private static final int LINES = 200;
    private static final int LINE_BYTES = 4096;

    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();

    void drain(InputStream in) {
        byte[] line = new byte[LINE_BYTES];
        int length = 0;
        byte[] chunk = new byte[8192];
        try (in) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                for (int i = 0; i < count; i++) {
                    if (chunk[i] == '\n') {
                        add(line, length);
                        length = 0;
                    } else if (length < LINE_BYTES) {
                        line[length++] = chunk[i];
                    }
                }
            }
        } catch (IOException closed) {
            // The process is gone; what was read stays.
        }
        if (length > 0) {
            add(line, length);
        }
    }

    private void add(byte[] line, int length) {
        String text = new String(line, 0, length, StandardCharsets.UTF_8).stripTrailing();
        lock.lock();
        try {
            lines.addLast(text);
            if (lines.size() > LINES) {
                lines.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    List<String> lines() {
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }

    String last(int count) {
        List<String> all = lines();
        return String.join("\n", all.subList(Math.max(0, all.size() - count), all.size()));
    }
}
