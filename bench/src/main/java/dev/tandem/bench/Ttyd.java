package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/** The peer: a ttyd of its own for each measurement, since it is told its program at the start. */
final class Ttyd implements AutoCloseable {
    private static final long LOOK_NANOS = 5_000_000;
    private static final int LOOKS = 2000;

    private final Process process;
    private final int port;

    Ttyd(String... program) throws IOException {
        port = freePort();
        ProcessBuilder builder =
                new ProcessBuilder("ttyd", "-i", "127.0.0.1", "-p", Integer.toString(port), "-W");
        builder.command().addAll(List.of(program));
        process =
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        awaitListening();
    }

    static boolean installed() {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (Files.isExecutable(Path.of(place, "ttyd"))) {
                return true;
            }
        }
        return false;
    }

    /** What the client needs to open its terminal. */
    ObjectNode spec() {
        return Json.object().put("server", "ttyd").put("port", port).put("acks", false);
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private void awaitListening() throws IOException {
        for (int i = 0; i < LOOKS && process.isAlive(); i++) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException _) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        process.destroyForcibly();
        throw new IOException("ttyd did not start.");
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }
}
