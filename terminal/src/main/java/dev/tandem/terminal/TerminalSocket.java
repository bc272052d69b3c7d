package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket of one client: bytes are bytes, text is control. Public because Jetty asks for it.
 */
public final class TerminalSocket implements Session.Listener, Wire {
    private static final long CLOSE_SECONDS = 2;

    private final Function<Wire, Attachment> attach;
    private final Scheduler scheduler;
    private volatile @Nullable Session session;
    private volatile @Nullable Attachment attachment;

    TerminalSocket(Scheduler scheduler, Function<Wire, Attachment> attach) {
        this.scheduler = scheduler;
        this.attach = attach;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        attachment = attach.apply(this);
        opened.demand();
    }

    @Override
    public void onWebSocketText(String message) {
        Attachment at = attachment;
        if (at != null) {
            at.text(message);
        }
        more();
    }

    @Override
    public void onWebSocketBinary(ByteBuffer keys, Callback callback) {
        Attachment at = attachment;
        if (at == null) {
            callback.succeed();
            return;
        }
        // What is not taken at once is copied, so the frame is free; only the next one waits.
        at.binary(keys, this::more);
        callback.succeed();
    }

    private void more() {
        Session open = session;
        if (open != null && open.isOpen()) {
            open.demand();
        }
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
        Attachment at = attachment;
        if (at != null) {
            at.closed();
        }
        callback.succeed();
    }

    @Override
    public void binary(ByteBuffer bytes, Sent sent) {
        Session open = session;
        if (open == null) {
            sent.done(false);
        } else {
            open.sendBinary(bytes, Callback.from(() -> sent.done(true), _ -> sent.done(false)));
        }
    }

    @Override
    public void text(String message, Sent sent) {
        Session open = session;
        if (open == null) {
            sent.done(false);
        } else {
            open.sendText(message, Callback.from(() -> sent.done(true), _ -> sent.done(false)));
        }
    }

    @Override
    public void close(int code, String reason) {
        Session open = session;
        if (open != null) {
            open.close(code, reason, Callback.NOOP);
            // A peer that never answers the close would keep the socket for ever.
            scheduler.schedule(this::cut, CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void cut() {
        Session open = session;
        if (open != null) {
            open.disconnect();
        }
    }
}
