package dev.tandem.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The WebSocket floor in a process of its own, as the servers under test have one. */
final class EchoProcess implements AutoCloseable {
    private final Process process;
    private final int port;

    EchoProcess() throws IOException {
        process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                EchoProcess.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        port = Integer.parseInt(String.valueOf(out.readLine()));
    }

    /** The process: prints its port and ends with its input. */
    public static void main(String[] args) throws IOException {
        try (EchoSocket echo = new EchoSocket()) {
            System.out.println(echo.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
