package dev.tandem.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * One connection, on a thread of its own from its first byte to its last: a request and its answer,
 * or a terminal's socket.
 */
final class Connection implements Runnable {
    private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LINGER_BYTES = 4 * 1024 * 1024;

    private final SocketChannel channel;
    private final AgentServer server;
    private final Unproven unproven;

    Connection(SocketChannel channel, AgentServer server, Unproven unproven) {
        this.channel = channel;
        this.server = server;
        this.unproven = unproven;
        unproven.add(this);
    }

    @Override
    public void run() {
        try (channel) {
            serve(channel.socket());
        } catch (IOException _) {
            // The peer is gone, or took too long.
        } catch (RuntimeException e) {
            Log.error("a connection failed", e);
        } finally {
            unproven.remove(this);
        }
    }

    private void serve(Socket socket) throws IOException {
        Answer answer;
        try {
            Request request = Request.read(socket, System.nanoTime() + REQUEST_NANOS);
            switch (server.handle(request, socket)) {
                case SocketDoor.Passage passage -> {
                    unproven.remove(this);
                    send(passage.head());
                    new TerminalSocket(channel, request.rest(), passage.attach()).run();
                    return;
                }
                case SocketDoor.Refusal refusal -> answer = refusal.answer();
            }
        } catch (Request.Malformed e) {
            answer = Answer.text(e.status(), "bad");
        }
        send(answer.bytes());
        linger(socket);
    }

    private void send(byte[] bytes) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.hasRemaining()) {
            channel.write(all);
        }
    }

    // A close with unread bytes would be a reset, which may overtake the answer.
    private static void linger(Socket socket) throws IOException {
        socket.shutdownOutput();
        InputStream in = socket.getInputStream();
        byte[] thrownAway = new byte[8 * 1024];
        long deadline = System.nanoTime() + LINGER_NANOS;
        long total = 0;
        int n = 0;
        while (n >= 0 && total < LINGER_BYTES) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return;
            }
            socket.setSoTimeout((int) left);
            n = in.read(thrownAway);
            total += n;
        }
    }

    /** Ends it from outside; its thread notices. */
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            Log.error("a connection did not close", e);
        }
    }
}
