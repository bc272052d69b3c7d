package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the native launcher prints, to readers of every kind. */
class LauncherOutputTest {
    private static final int PIPE_BYTES = 64 * 1024;
    private static final int SAID_BYTES = 10 * PIPE_BYTES;

    @TempDir Path folder;

    // whoever shares the pipe may have set it so: node does, for instance
    @Test
    void aFullPipeThatDoesNotWaitIsWaitedFor() throws Exception {
        try (ServerSocket hub = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answer(hub));
            Files.writeString(
                    folder.resolve("browse.json"),
                    Json.write(
                            Json.object()
                                    .put("pid", ProcessHandle.current().pid())
                                    .put("port", hub.getLocalPort())
                                    .put("token", "one")));
            Process command =
                    new Launcher(folder)
                            .as(Path.of("perl"))
                            .start(
                                    "-MFcntl",
                                    "-e",
                                    "fcntl STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK; exec @ARGV",
                                    Launcher.ROOT.resolve("target/tandem").toString(),
                                    "status");
            try (InputStream out = command.getInputStream()) {
                await().until(() -> out.available() >= PIPE_BYTES || !command.isAlive());
                assertThat(out.readAllBytes()).hasSize(SAID_BYTES);
                assertThat(command.waitFor(20, TimeUnit.SECONDS)).isTrue();
                assertThat(command.exitValue()).isZero();
            } finally {
                command.destroyForcibly();
            }
        }
    }

    private static void answer(ServerSocket hub) {
        String head = "HTTP/1.1 200 OK\r\n\r\no%08d\n".formatted(SAID_BYTES);
        try (Socket socket = hub.accept()) {
            socket.getInputStream().readNBytes(64);
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(new byte[SAID_BYTES]);
            out.write("x00000000\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            // a close with unread bytes would be a reset, which may overtake the answer
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the test is over
        }
    }
}
