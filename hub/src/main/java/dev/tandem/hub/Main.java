package dev.tandem.hub;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** Starts the hub in the foreground: what {@code tandem up} runs. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        Options options;
        try {
            options = Flags.parse(args, System.getenv());
        } catch (IllegalArgumentException e) {
            err.println("tandem: " + e.getMessage());
            System.exit(1);
            return;
        }
        App app;
        try {
            app = App.start(options, sentence -> err.println("tandem: " + sentence));
        } catch (IOException e) {
            err.println("tandem: " + e.getMessage());
            System.exit(2);
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(app, stopped), "stop"));
        app.onStop(() -> Thread.ofPlatform().start(() -> System.exit(0)));
        out.println(readyLine(app, options));
        stopped.await();
    }

    private static String readyLine(App app, Options options) {
        String url = "http://127.0.0.1:" + app.port();
        if (options.json()) {
            return Json.write(
                    Json.object()
                            .put("url", url)
                            .put("stateDir", app.stateDir().toString())
                            .put("pid", ProcessHandle.current().pid()));
        }
        return "Tandem is ready at " + url + " (Ctrl+C ends it)";
    }

    private static void stop(App app, CountDownLatch stopped) {
        try {
            app.close();
        } catch (IOException | RuntimeException e) {
            System.err.println("tandem: the hub did not stop cleanly: " + e.getMessage());
        } finally {
            stopped.countDown();
        }
    }
}
