package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Outlet;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages and events of sessions: stored, sent, followed. */
final class MessagesEndpoint {
    private static final int PAGE = 500;
    private static final int BODY_BYTES = Limits.of("sessionMessageBytes");
    private static final Pattern OF_SESSION = Pattern.compile("session_id\\s*=\\s*'([^']+)'");

    private final SessionEngine engine;
    private final SessionStore store;
    private final SessionLog log;
    private final Clock clock;
    private final Duration keepAlive;

    MessagesEndpoint(
            SessionEngine engine,
            SessionStore store,
            SessionLog log,
            Clock clock,
            Duration keepAlive) {
        this.engine = engine;
        this.store = store;
        this.log = log;
        this.clock = clock;
        this.keepAlive = keepAlive;
    }

    void register(Operations operations) {
        Resource messages = operations.resource("SessionMessage");
        operations
                .on("listMessages", this::list)
                .on("sendMessage", this::send)
                .on("sessionEvents", this::events)
                .on("runEvents", this::events)
                .on("run", this::run)
                .on("searchMessages", call -> search(call, messages));
    }

    private void list(Call call) throws IOException {
        Session session = store.required(call.part("id"));
        if (call.wantsEvents()) {
            stream(call, session.id());
            return;
        }
        call.answer(200, messages(session.id(), cursor(call.query("after_seq")).orElse(0L)));
    }

    private ArrayNode messages(String sessionId, long after) {
        ArrayNode all = Json.array();
        everything(sessionId, after, message -> all.add(message));
        return all;
    }

    private long everything(String sessionId, long after, Consumer<ObjectNode> take) {
        long seq = after;
        List<Entry> page = log.after(sessionId, seq, PAGE);
        while (!page.isEmpty()) {
            for (Entry entry : page) {
                MessageView.of(entry).ifPresent(take);
                seq = entry.seq();
            }
            page = log.after(sessionId, seq, PAGE);
        }
        return seq;
    }

    /** A place in the log; none for what is no number. */
    private static Optional<Long> cursor(Optional<String> text) {
        try {
            return text.map(given -> Math.max(0, Long.parseLong(given.strip())));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void stream(Call call, String sessionId) throws IOException {
        long seq =
                cursor(call.exchange().header("Last-Event-ID"))
                        .or(() -> cursor(call.query("after_seq")))
                        .orElse(0L);
        EventStream stream = call.exchange().events();
        // The bulk goes straight from the store at the reader's pace; only the rest is queued.
        List<Entry> page = log.after(sessionId, seq, PAGE);
        while (!page.isEmpty()) {
            List<EventStream.Event> frames = new ArrayList<>();
            for (Entry entry : page) {
                MessageView.of(entry).ifPresent(message -> frames.add(frame(entry, message)));
                seq = entry.seq();
            }
            if (!frames.isEmpty()) {
                stream.send(frames);
            }
            page = page.size() < PAGE ? List.of() : log.after(sessionId, seq, PAGE);
        }
        Outlet outlet = new Outlet(stream, Limits.of("streamQueueMessages"), keepAlive);
        SessionFeed.Viewer viewer =
                new SessionFeed.Viewer() {
                    @Override
                    public void onEntry(Entry entry) {
                        MessageView.of(entry)
                                .ifPresent(message ->
                                        outlet.add(
                                                Long.toString(entry.seq()), Json.write(message)));
                    }

                    @Override
                    public void onDelta(SessionFeed.Delta delta) {}

                    @Override
                    public void onEnd() {
                        outlet.end();
                    }
                };
        follow(sessionId, seq, viewer, outlet, () -> {});
    }

    private static EventStream.Event frame(Entry entry, ObjectNode message) {
        return new EventStream.Event(Long.toString(entry.seq()), "", Json.write(message));
    }

    private void follow(
            String sessionId, long seq, SessionFeed.Viewer viewer, Outlet outlet, Runnable begin)
            throws IOException {
        AutoCloseable watch = log.feed(sessionId).follow(seq, Long.MAX_VALUE, viewer);
        try {
            outlet.live();
            begin.run();
            outlet.run();
        } finally {
            closeQuietly(watch);
        }
    }

    static void closeQuietly(AutoCloseable watch) {
        try {
            watch.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void send(Call call) throws IOException {
        String id = store.required(call.part("id")).id();
        ObjectNode body = call.body(BODY_BYTES);
        if (!Json.text(body, "event_type").orElse("user").equals("user")) {
            throw Problems.invalid("event_type must be \"user\" on this endpoint");
        }
        JsonNode payload = body.path("payload");
        String text = payload.isString() ? payload.stringValue() : "";
        if (text.isBlank()) {
            throw Problems.invalid("payload is required");
        }
        SessionLog.Appended taken =
                engine.send(
                        id,
                        new Prompt(
                                text,
                                Json.array(),
                                Json.text(body, "client_message_id").filter(t -> !t.isEmpty()),
                                call.caller().name()));
        call.answer(
                taken.stored() ? 201 : 200, MessageView.of(taken.entry()).orElseGet(Json::object));
    }

    private void events(Call call) throws IOException {
        String id = store.required(call.part("id")).id();
        boolean once = call.query("until").orElse("").equals("run_finished");
        EventStream stream = call.exchange().events();
        if (call.flag("snapshot")) {
            stream.send("", "", Json.write(Snapshot.of(log, id)));
        }
        Outlet outlet = eventOutlet(stream);
        RunEvents events =
                new RunEvents(
                        id,
                        engine.run(id).orElse(""),
                        clock,
                        event -> {
                            outlet.add("", Json.write(event));
                            String type = MessageView.text(event, "type");
                            if (once && (type.equals("RUN_FINISHED") || type.equals("RUN_ERROR"))) {
                                outlet.end();
                            }
                        },
                        outlet::end);
        follow(id, store.required(id).lastSeq(), events, outlet, () -> {});
    }

    private Outlet eventOutlet(EventStream stream) {
        return new Outlet(stream, Limits.of("streamQueueEvents"), keepAlive);
    }

    /** AG-UI's own way in: the last user message of the input, and the events of its run. */
    private void run(Call call) throws IOException {
        Session session = store.required(call.part("id"));
        if (session.phase() != Phase.RUNNING) {
            throw Problems.unavailable("session runner not available");
        }
        ObjectNode input = call.body();
        String text = "";
        for (JsonNode message : input.path("messages")) {
            if (MessageView.text(message, "role").equals("user")) {
                text = content(message.path("content"));
            }
        }
        if (text.isBlank()) {
            throw Problems.invalid("messages must hold a user message");
        }
        String own = UUID.randomUUID().toString();
        Prompt prompt = new Prompt(text, Json.array(), Optional.of(own), call.caller().name());
        Outlet outlet = eventOutlet(call.exchange().events());
        RunEvents events =
                new RunEvents(
                        session.id(),
                        "",
                        clock,
                        event -> outlet.add("", Json.write(event)),
                        outlet::end);
        follow(
                session.id(),
                session.lastSeq(),
                new OwnRun(own, events),
                outlet,
                () -> engine.send(session.id(), prompt));
    }

    private static String content(JsonNode content) {
        if (content.isString()) {
            return content.stringValue();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            text.append(MessageView.text(part, "text"));
        }
        return text.toString();
    }

    /** Messages of one session that match; the total counts them all, one page of them is kept. */
    private void search(Call call, Resource resource) {
        Matcher wanted = OF_SESSION.matcher(call.query("search").orElse(""));
        if (!wanted.find()) {
            throw Problems.badSearch("a condition session_id = '…' is needed");
        }
        Session session = store.required(wanted.group(1));
        call.answerList(resource, take -> everything(session.id(), 0, take));
    }
}
