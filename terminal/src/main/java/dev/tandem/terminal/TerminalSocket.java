package dev.tandem.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The WebSocket of one client: bytes are bytes, text is control. Its thread reads; whoever has
 * output writes it. Thread-safe as a {@link Wire}.
 */
final class TerminalSocket implements Wire, FrameReader.Sink {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int READ_BYTES = 16 * 1024;
    private static final int LONGEST_REASON = 123;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final FrameReader reader = new FrameReader(this);
    private final FrameWriter writer;
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final Attachment attachment;
    private volatile boolean held;
    private volatile long closeBy;
    private volatile boolean cut;
    private volatile @Nullable Thread thread;
    private boolean listens = true;
    private boolean deaf;
    private boolean over;

    /**
     * @param rest what the client sent behind its request
     */
    TerminalSocket(SocketChannel channel, ByteBuffer rest, Function<Wire, Attachment> attach)
            throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        selector = Selector.open();
        key = channel.register(selector, SelectionKey.OP_READ);
        writer = new FrameWriter(channel, key);
        in.put(rest).flip();
        attachment = attach.apply(this);
    }

    /** Returns when the connection is over; to be called by its thread. */
    void run() throws IOException {
        thread = Thread.currentThread();
        try {
            takeIn();
            while (!over && !cut && !writer.broken()) {
                await();
                if (key.isWritable()) {
                    writer.flush();
                }
                if (key.isReadable() || in.hasRemaining()) {
                    read();
                }
                over |= closeBy != 0 && closeBy - System.nanoTime() <= 0;
            }
        } finally {
            writer.breakOff();
            writer.flush();
            attachment.closed();
            selector.close();
        }
    }

    private void await() throws IOException {
        // What the terminal has no room for stays in the socket, so the client has to wait.
        boolean hold = held;
        if (listens == hold) {
            listens = !hold;
            if (listens) {
                key.interestOpsOr(SelectionKey.OP_READ);
            } else {
                key.interestOpsAnd(~SelectionKey.OP_READ);
            }
        }
        long left = closeBy == 0 ? 0 : Math.max(1, (closeBy - System.nanoTime()) / 1_000_000);
        if (hold || !in.hasRemaining()) {
            selector.select(left);
        } else {
            selector.selectNow();
        }
        selector.selectedKeys().clear();
    }

    private void read() {
        try {
            if (!in.hasRemaining() && !held) {
                in.clear();
                int n = channel.read(in);
                in.flip();
                over = n < 0;
            }
            takeIn();
        } catch (IOException _) {
            over = true;
        }
    }

    private void takeIn() throws IOException {
        if (deaf) {
            in.position(in.limit());
            return;
        }
        try {
            reader.take(in);
        } catch (FrameReader.Breach e) {
            deaf = true;
            hurry();
            attachment.breach(e.code(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean full() {
        return held || deaf;
    }

    @Override
    public void binary(ByteBuffer keys) {
        // What is not taken at once is copied, so the frame is free; only the next one waits.
        held = true;
        attachment.binary(keys, this::release);
    }

    private void release() {
        held = false;
        if (!Thread.currentThread().equals(thread)) {
            selector.wakeup();
        }
    }

    @Override
    public void text(String message) {
        attachment.text(message);
    }

    @Override
    public void control(int kind, ByteBuffer bytes) {
        byte[] payload = new byte[bytes.remaining()];
        bytes.get(payload);
        if (kind == FrameReader.PING && closeBy == 0) {
            writer.send(FrameWriter.frame(FrameReader.PONG, payload), _ -> {});
        } else if (kind == FrameReader.CLOSE) {
            deaf = true;
            if (closeBy != 0) {
                attachment.viewer().closeAnswered();
            } else {
                hurry();
                byte[] code =
                        payload.length < 2 ? new byte[0] : new byte[] {payload[0], payload[1]};
                writer.send(FrameWriter.frame(FrameReader.CLOSE, code), _ -> {});
            }
            over = true;
        }
    }

    @Override
    public void binary(ByteBuffer bytes, Sent sent) {
        writer.send(FrameWriter.withHead(FrameReader.BINARY, bytes), sent);
    }

    @Override
    public void text(String message, Sent sent) {
        writer.send(framed(message), sent);
    }

    private static ByteBuffer framed(String message) {
        return FrameWriter.frame(FrameReader.TEXT, message.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close(String lastWords, int code, String reason) {
        byte[] words = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(words.length, LONGEST_REASON);
        ByteBuffer payload = ByteBuffer.allocate(2 + length).putShort((short) code);
        payload.put(words, 0, length);
        ByteBuffer close = FrameWriter.frame(FrameReader.CLOSE, payload.array());
        // Before it is sent: the answer may be here before the sender goes on.
        hurry();
        writer.send(
                lastWords.isEmpty() ? close : FrameWriter.joined(framed(lastWords), close),
                _ -> finishSending());
        selector.wakeup();
    }

    // Nothing follows a close, so the client need not wait for us to see its answer.
    private void finishSending() {
        try {
            channel.shutdownOutput();
        } catch (IOException _) {
            selector.wakeup();
        }
    }

    // A peer that never answers the close would keep the socket for ever.
    private void hurry() {
        if (closeBy == 0) {
            closeBy = (System.nanoTime() + CLOSE_NANOS) | 1;
        }
    }

    @Override
    public void cut() {
        cut = true;
        selector.wakeup();
    }
}
