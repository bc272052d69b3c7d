package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The floor for terminals: when its one WebSocket client says anything, a program's output goes to
 * it in whole frames, with nothing kept, looked at or acknowledged on the way.
 */
final class PtySocket implements AutoCloseable {
    private static final int BINARY = 0x82;
    private static final int HEAD_BYTES = 4;
    private static final int FRAME_BYTES = 64 * 1024;
    private static final int PAGE_BYTES = 4096;

    private final ServerSocketChannel server;
    private final String[] program;

    PtySocket(String... program) throws IOException {
        this.program = program.clone();
        server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().start(this::serve);
    }

    /** What the client needs to open it. */
    ObjectNode spec() throws IOException {
        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        return Json.object().put("server", "floor").put("port", port).put("acks", false);
    }

    private void serve() {
        try (SocketChannel channel = server.accept()) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            OutputStream out = Channels.newOutputStream(channel);
            EchoSocket.upgrade(in, out);
            in.readUnsignedByte();
            stream(channel);
            while (in.read() >= 0) {
                // until the client leaves
            }
        } catch (IOException | GeneralSecurityException e) {
            // the measurement is over
        }
    }

    private void stream(SocketChannel channel) throws IOException {
        ByteBuffer frame = ByteBuffer.allocateDirect(FRAME_BYTES).position(HEAD_BYTES);
        try (RawPty pty = new RawPty(program)) {
            while (pty.read(frame)) {
                if (frame.remaining() < PAGE_BYTES) {
                    send(frame, channel);
                }
            }
            send(frame, channel);
        }
    }

    private static void send(ByteBuffer frame, SocketChannel channel) throws IOException {
        int size = frame.position() - HEAD_BYTES;
        frame.put(0, (byte) BINARY).put(1, (byte) 126).putShort(2, (short) size).flip();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
        frame.clear().position(HEAD_BYTES);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
