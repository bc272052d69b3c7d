package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Starts sessions and waits until their agent is ready or could not be. Any thread may call it. */
public final class Starts {
    private final SessionEngine engine;
    private final SessionStore store;

    public Starts(SessionEngine engine, SessionStore store) {
        this.engine = engine;
        this.store = store;
    }

    /** Returns when the session runs; says why when it does not. */
    public void start(String id) {
        awaitEnd(id);
        CompletableFuture<Phase> settled = new CompletableFuture<>();
        try (AutoCloseable _ =
                store.watch((change, session) -> {
                    if (session.id().equals(id)) {
                        settle(session.phase(), change, settled);
                    }
                })) {
            if (store.required(id).phase().canStart()) {
                startOnce(id);
            }
            settle(store.required(id).phase(), SessionStore.Change.UPDATED, settled);
            if (settled.join() != Phase.RUNNING) {
                throw failed(store.required(id));
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What is just ending is started when it has ended. */
    private void awaitEnd(String id) {
        CompletableFuture<Phase> ended = new CompletableFuture<>();
        AutoCloseable watch =
                store.watch((change, session) -> {
                    boolean over =
                            change == SessionStore.Change.DELETED
                                    || session.phase() != Phase.STOPPING;
                    if (session.id().equals(id) && over) {
                        ended.complete(session.phase());
                    }
                });
        try {
            if (store.required(id).phase() == Phase.STOPPING) {
                ended.join();
            }
        } finally {
            close(watch);
        }
    }

    private static void close(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void startOnce(String id) {
        try {
            engine.start(id);
        } catch (TandemException e) {
            // Somebody else was faster: then it starts, which is all that was wanted.
            if (store.required(id).phase().canStart()) {
                throw e;
            }
        }
    }

    private static void settle(
            Phase phase, SessionStore.Change change, CompletableFuture<Phase> settled) {
        if (change == SessionStore.Change.DELETED) {
            settled.complete(Phase.STOPPED);
        } else if (phase == Phase.RUNNING || (!phase.live() && phase != Phase.NONE)) {
            settled.complete(phase);
        }
    }

    private static StartFailed failed(Session session) {
        JsonNode last = Json.object();
        for (JsonNode condition :
                session.field("conditions").map(Json::parse).orElseGet(Json::array)) {
            last = condition;
        }
        String reason = Json.text(last, "reason").orElse("agent_start_failed");
        String what =
                reason.equals("agent_error") ? "Failed to create session: " : "Failed to connect: ";
        return new StartFailed(
                reason,
                what + Json.text(last, "message").orElse("it ended"),
                session.fields().path(EndOfLife.FAILURE));
    }
}
