package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.sessions.UntilStored;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.web.EventStream;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The streams of all running turns, whatever edge started them. Everything happens on one thread,
 * in order; readers are told without being waited for. Any thread may call it.
 */
final class ChatStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChatStreams.class);

    /** After a crash: numbers that were told but not kept must not be used twice. */
    private static final long JUMP = 100_000;

    private final SessionLog log;
    private final SessionStore sessions;
    private final StreamStore store;
    private final Jobs jobs;
    private final LocalTools localTools;
    private final Clock clock;
    private final UntilStored storing =
            new UntilStored(
                    () -> LOG.warn("The disk is full: chat streams wait until it has room"));
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().name("chat-streams").factory());
    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, List<StreamEvent>> fresh = new HashMap<>();
    private final Map<String, AutoCloseable> followed = new ConcurrentHashMap<>();
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private volatile AutoCloseable watching = () -> {};

    /**
     * Someone who reads streams.
     *
     * @param wanted ids of streams; empty for all
     */
    private record Reader(
            Set<String> wanted, Map<String, Long> seen, Consumer<EventStream.Event> outlet) {}

    ChatStreams(
            Database database,
            SessionLog log,
            SessionStore sessions,
            Jobs jobs,
            LocalTools localTools,
            Clock clock) {
        this.log = log;
        this.sessions = sessions;
        this.store = new StreamStore(database);
        this.jobs = jobs;
        this.localTools = localTools;
        this.clock = clock;
    }

    /** Ends what an earlier hub left open and begins to follow sessions. */
    void open() {
        jobs.forgetTheGone();
        for (Job job : jobs.unfinished()) {
            String why = "The hub was restarted.";
            last.put(job.id(), store.last(job.id()) + JUMP);
            publish(job.id(), "error", Json.object().put("message", why));
            settle(job.id());
            move(job, Job.Status.FAILED, why);
        }
        watching =
                sessions.watch((change, session) -> {
                    if (change == SessionStore.Change.DELETED) {
                        later(jobs::forgetTheGone);
                    } else if (session.phase().live()) {
                        attend(session);
                    }
                });
        jobs.sessionsThatWait().forEach(id -> sessions.session(id).ifPresent(this::attend));
    }

    /** Follows a session, if nobody does. */
    void attend(Session session) {
        followed.computeIfAbsent(session.id(), id -> follow(session));
    }

    private AutoCloseable follow(Session session) {
        SessionChat chat = new SessionChat(session.id(), this, jobs, log, localTools);
        SessionFeed.Viewer viewer =
                new SessionFeed.Viewer() {
                    @Override
                    public void onEntry(Entry entry) {
                        later(() -> chat.entry(entry));
                    }

                    @Override
                    public void onDelta(SessionFeed.Delta delta) {
                        later(() -> chat.delta(delta));
                    }

                    @Override
                    public void onEnd() {
                        followed.remove(session.id());
                    }
                };
        return log.feed(session.id()).follow(session.lastSeq(), 0, viewer);
    }

    private void later(Runnable work) {
        try {
            thread.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    LOG.warn("A stream could not be written: {}", e.toString());
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("The hub is closing");
        }
    }

    /** Adds an event to a stream; only on the streams' own thread. */
    void publish(String streamId, String type, ObjectNode data) {
        long sequence = last.computeIfAbsent(streamId, store::last) + 1;
        last.put(streamId, sequence);
        StreamEvent event = new StreamEvent(streamId, sequence, type, data);
        fresh.computeIfAbsent(streamId, id -> new ArrayList<>()).add(event);
        EventStream.Event frame = event.frame();
        for (Reader reader : readers) {
            boolean wanted = reader.wanted.isEmpty() || reader.wanted.contains(streamId);
            if (wanted && reader.seen.getOrDefault(streamId, 0L) < sequence) {
                reader.outlet.accept(frame);
            }
        }
    }

    /** Keeps what was published. */
    void settle(String streamId) {
        List<StreamEvent> events = fresh.get(streamId);
        if (events != null) {
            storing.run(() -> store.append(events, clock.millis()));
            fresh.remove(streamId);
        }
    }

    /** The job of a message whose turn has come, as soon as there is room for it. */
    Job begin(Entry user) {
        return move(storing.get(() -> jobs.of(user)), Job.Status.PROCESSING, "");
    }

    /** Moves a job on; only on the streams' own thread. */
    Job move(Job job, Job.Status status, String error) {
        return storing.get(() -> jobs.move(job, status, error));
    }

    /** News beside the streams, such as of jobs and comments. */
    void tell(String type, ObjectNode data) {
        later(() -> {
            EventStream.Event frame = new EventStream.Event("", type, Json.write(data));
            readers.forEach(reader -> reader.outlet.accept(frame));
        });
    }

    /** Catches up on these streams after what was seen, then follows; closing ends it. */
    AutoCloseable read(
            Collection<String> wanted, Map<String, Long> seen, Consumer<EventStream.Event> outlet) {
        Reader reader = new Reader(Set.copyOf(wanted), new HashMap<>(seen), outlet);
        later(() -> {
            for (String streamId : reader.wanted) {
                for (StreamEvent event : after(streamId, seen.getOrDefault(streamId, 0L))) {
                    outlet.accept(event.frame());
                    reader.seen.put(streamId, event.sequence());
                }
            }
            readers.add(reader);
        });
        return () -> later(() -> readers.remove(reader));
    }

    private List<StreamEvent> after(String streamId, long sequence) {
        List<StreamEvent> events = new ArrayList<>(store.after(streamId, sequence));
        fresh.getOrDefault(streamId, List.of()).stream()
                .filter(event -> event.sequence() > sequence)
                .forEach(events::add);
        return events;
    }

    /** Kept events of a stream, for those who open it later. */
    List<StreamEvent> kept(String streamId) {
        return store.after(streamId, 0);
    }

    /** Says how a turn ends when its end is not the agent's own. */
    void note(Runnable work) {
        later(work);
    }

    @Override
    public void close() {
        try {
            watching.close();
            for (AutoCloseable one : followed.values()) {
                one.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        // What a full disk still keeps waiting is said by the next hub.
        thread.shutdown();
        try {
            if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread.shutdownNow();
        }
    }
}
