package dev.tandem.hub;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the hub in the foreground: what {@code tandem up} runs. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int START_SECONDS = 10;

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
        // What fails on a thread of its own is for the log, not for the person at the terminal.
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> LOG.error("Thread {} failed", thread.getName(), failure));
        // Whoever finds the hub may also end it, so the end is prepared before the beginning.
        CompletableFuture<Optional<App>> started = new CompletableFuture<>();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started, stopped), "stop"));
        Optional<App> begun = Optional.empty();
        try {
            begun = Optional.of(App.start(options, text -> err.println("tandem: " + text)));
        } catch (IOException e) {
            err.println("tandem: " + e.getMessage());
        } finally {
            started.complete(begun);
        }
        if (begun.isEmpty()) {
            System.exit(2);
            return;
        }
        App app = begun.get();
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

    private static void stop(CompletableFuture<Optional<App>> started, CountDownLatch stopped) {
        try {
            Optional<App> app =
                    started.completeOnTimeout(Optional.empty(), START_SECONDS, TimeUnit.SECONDS)
                            .join();
            if (app.isPresent()) {
                app.get().close();
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("tandem: the hub did not stop cleanly: " + e.getMessage());
        } finally {
            ProcessTrees.endStrays();
            stopped.countDown();
        }
    }
}
