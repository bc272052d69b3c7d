package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Utf8;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket. Any thread may send; messages keep the order of the calls. What a slow reader has
 * not taken is counted, and past the limit the socket is closed with 1013 rather than growing.
 */
public final class Socket {
    private static final long CALM_BYTES = 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private volatile Caller caller;
    private final Map<String, String> parameters;
    private final Upgrade upgrade;
    private final long maxQueuedBytes;
    private final AtomicLong queued = new AtomicLong();
    private volatile @Nullable Session session;
    private volatile boolean awaited;

    Socket(Caller caller, Map<String, String> parameters, Upgrade upgrade, long maxQueuedBytes) {
        this.caller = caller;
        this.parameters = parameters;
        this.upgrade = upgrade;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    /** What the upgrade request said, and what a peer hears that answers no heartbeat. */
    public record Upgrade(
            Optional<String> token,
            Optional<String> origin,
            String subprotocol,
            String query,
            String missed) {}

    void opened(Session opened) {
        session = opened;
    }

    public Caller caller() {
        return caller;
    }

    /** A door that lets callers prove themselves later says who it is, so that it can end. */
    public void provenBy(Caller now) {
        caller = now;
    }

    public Upgrade upgrade() {
        return upgrade;
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Longer messages end the socket before they are read to their end. */
    public void takeAtMost(int bytes) {
        Session current = session;
        if (current != null) {
            current.setMaxTextMessageSize(bytes);
            current.setMaxBinaryMessageSize(bytes);
        }
    }

    public boolean isOpen() {
        Session current = session;
        return current != null && current.isOpen();
    }

    /** False when the socket is closed, or closes now as too much waits unread. */
    public boolean send(String text) {
        int bytes = Utf8.length(text);
        Session current = reserve(bytes);
        if (current == null) {
            return false;
        }
        current.sendText(text, release(bytes));
        return true;
    }

    /** Whether a message is so long that whoever sends it had better wait for calm before. */
    public static boolean isLong(String text) {
        return text.length() > CALM_BYTES;
    }

    /**
     * A heartbeat: pings the peer, or gives it up when it has said nothing since the last one. Two
     * beats are thus the longest that a dead peer stays unnoticed.
     */
    void beat() {
        Session current = session;
        if (current == null || !current.isOpen()) {
            return;
        }
        if (awaited) {
            drop(1011, upgrade.missed());
            return;
        }
        awaited = true;
        current.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
    }

    /** The peer said something, be it only a pong. */
    void heard() {
        awaited = false;
    }

    public void close(int code, String reason) {
        close(code, reason, () -> {});
    }

    /** The same; {@code told} runs when the peer was told, or cannot be. */
    void close(int code, String reason, Runnable told) {
        Session current = session;
        if (current == null) {
            told.run();
        } else {
            current.close(code, reason, Callback.from(told, _ -> told.run()));
        }
    }

    /** Ends the connection without a goodbye, for a peer that does not answer. */
    public void drop() {
        Session current = session;
        if (current != null) {
            current.disconnect();
        }
    }

    /** The same for one that may still read why, when it comes to itself. */
    public void drop(int code, String reason) {
        Session current = session;
        if (current != null && queued.get() == 0) {
            current.close(
                    code, reason, Callback.from(current::disconnect, _ -> current.disconnect()));
        } else {
            drop();
        }
    }

    /**
     * Blocks until the reader has taken most of what was sent, for those who have much to send.
     * False when the socket ended, or ends now because the reader took too long.
     */
    public boolean awaitCalm() {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (queued.get() > CALM_BYTES && isOpen()) {
            if (System.nanoTime() > until) {
                close(1013, "Too slow");
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return isOpen();
    }

    private @Nullable Session reserve(int bytes) {
        Session current = session;
        if (current == null || !current.isOpen()) {
            return null;
        }
        // One message alone always goes: it is as large as a frame may be, and nothing waits.
        long before = queued.getAndAdd(bytes);
        if (before > 0 && before + bytes > maxQueuedBytes) {
            queued.addAndGet(-bytes);
            current.close(
                    1013, "Too slow: " + maxQueuedBytes + " bytes wait unread", Callback.NOOP);
            return null;
        }
        return current;
    }

    private Callback release(int bytes) {
        return Callback.from(() -> queued.addAndGet(-bytes), failure -> queued.addAndGet(-bytes));
    }
}
