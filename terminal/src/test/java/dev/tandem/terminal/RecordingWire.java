package dev.tandem.terminal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that remembers everything in order; it may stall. */
final class RecordingWire implements Wire {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> log = new ArrayList<>();
    private final List<Sent> stalled = new ArrayList<>();
    private boolean stall;
    private int closeCode;
    private int frames;

    @Override
    public synchronized void binary(ByteBuffer data, Sent sent) {
        byte[] copy = new byte[data.remaining()];
        data.get(copy);
        bytes.writeBytes(copy);
        frames++;
        if (log.isEmpty() || !log.getLast().equals("<bytes>")) {
            log.add("<bytes>");
        }
        answer(sent);
    }

    @Override
    public synchronized void text(String message, Sent sent) {
        log.add(message);
        answer(sent);
    }

    @Override
    public synchronized void close(String lastWords, int code, String reason) {
        if (!lastWords.isEmpty()) {
            log.add(lastWords);
        }
        closeCode = code;
        log.add("<close " + code + " " + reason + ">");
    }

    @Override
    public synchronized void cut() {
        log.add("<cut>");
    }

    private void answer(Sent sent) {
        if (stall) {
            stalled.add(sent);
        } else {
            sent.done(true);
        }
    }

    synchronized void stall() {
        stall = true;
    }

    void resume() {
        List<Sent> open;
        synchronized (this) {
            stall = false;
            open = List.copyOf(stalled);
            stalled.clear();
        }
        open.forEach(sent -> sent.done(true));
    }

    synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    synchronized byte[] bytes() {
        return bytes.toByteArray();
    }

    synchronized int size() {
        return bytes.size();
    }

    synchronized int frames() {
        return frames;
    }

    synchronized List<String> log() {
        return List.copyOf(log);
    }

    synchronized int closeCode() {
        return closeCode;
    }
}
