package dev.tandem.bench;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The log by itself: how fast messages become durable, and how fast a long log is read again. */
final class LogBench {
    private static final int WRITERS = 64;
    private static final int EACH = 400;
    private static final int ROWS = 100_000;
    private static final int PAGE = 1_000;

    private final SessionLog log;
    private final SessionStore store;

    private LogBench(Database database) {
        Clock clock = Clock.systemUTC();
        this.log = new SessionLog(database, clock);
        this.store = new SessionStore(database, log, clock);
    }

    static List<Result> run() throws Exception {
        Path folder = Files.createTempDirectory("tandem-bench");
        try (Database database = Database.open("", folder.resolve("tandem.db"))) {
            LogBench bench = new LogBench(database);
            bench.store.createProject("bench", Json.object());
            bench.append();
            return List.of(
                    new Result("1,000 messages durable (5,000/s)", bench.append(), 0, 200, "ms"),
                    new Result("1,000 rows replayed (200,000/s)", bench.replay(), 0, 5, "ms"));
        } finally {
            remove(folder);
        }
    }

    private String session() {
        return store.create("bench", Json.object().put("name", "bench")).id();
    }

    private static ObjectNode words() {
        return Json.object().put("text", "A sentence of the length that people and agents write.");
    }

    /** Many sessions write at once, each message on its own, as agents do. */
    private double append() throws Exception {
        Samples samples = new Samples();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<String> sessions = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                sessions.add(session());
            }
            samples.time(() -> {
                List<Future<?>> writers = new ArrayList<>();
                for (String session : sessions) {
                    writers.add(threads.submit(() -> write(session)));
                }
                for (Future<?> writer : writers) {
                    writer.get();
                }
            });
        }
        return samples.millis(1) * 1000 / (WRITERS * EACH);
    }

    private void write(String session) {
        for (int i = 0; i < EACH; i++) {
            log.append(session, Entry.Kind.ASSISTANT, words());
        }
    }

    private double replay() throws Exception {
        String session = session();
        List<SessionLog.Draft> drafts = new ArrayList<>();
        for (int i = 0; i < PAGE; i++) {
            drafts.add(new SessionLog.Draft(Entry.Kind.ASSISTANT, words()));
        }
        for (int i = 0; i < ROWS / PAGE; i++) {
            log.appendAll(session, drafts);
        }
        Samples samples = new Samples();
        for (int i = 0; i < 5; i++) {
            samples.time(() -> read(session));
        }
        return samples.millis(0.5) * 1000 / ROWS;
    }

    private void read(String session) {
        long seq = 0;
        while (seq < ROWS) {
            seq = log.after(session, seq, PAGE).getLast().seq();
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
