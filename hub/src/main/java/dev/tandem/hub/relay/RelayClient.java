package dev.tandem.hub.relay;

import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One socket: who it is, what it watches. Its messages come one at a time. */
final class RelayClient implements SocketHandler.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RelayClient.class);
    private static final int BAD_FRAMES = 20;
    private static final int PAGE = 200;
    private static final long CALM_BYTES = 1024 * 1024;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();
    private final Requests requests;
    private volatile Caller caller = Caller.NOBODY;
    private volatile String current = "";
    private @Nullable AutoCloseable changes;
    private int badFrames;

    private record Watch(Viewer viewer, AutoCloseable ending) {}

    RelayClient(RelayEndpoint.Parts parts, Socket socket) {
        this.parts = parts;
        this.wire = new Wire(socket);
        this.requests = new Requests(parts, wire, this);
    }

    /** Takes a token; false if it does not open this door. */
    boolean prove(String token) {
        Optional<Caller> found =
                parts.authenticator()
                        .caller(token)
                        .filter(one -> RelayEndpoint.welcome(one.kind()));
        found.ifPresent(one -> caller = one);
        return found.isPresent();
    }

    void leaveUnproven() {
        if (!caller.proven()) {
            wire.socket().close(RelayEndpoint.UNAUTHORIZED, RelayEndpoint.WRONG_TOKEN);
        }
    }

    Caller caller() {
        return caller;
    }

    @Override
    public void onText(String text) {
        ObjectNode message;
        try {
            if (!caller.proven() && text.length() > Limits.UNPROVEN_BYTES) {
                throw new TandemException(
                        ErrorCode.BAD_JSON, "say connect with a token before anything long");
            }
            message = flat(Json.parseObject(text));
        } catch (TandemException e) {
            bad(e);
            return;
        }
        String type = Json.text(message, "type").orElse("");
        try {
            if (!caller.proven() && !type.equals("connect") && !type.equals("ping")) {
                wire.error(message, "unauthorized", RelayEndpoint.WRONG_TOKEN);
                return;
            }
            take(type, message);
        } catch (RuntimeException e) {
            failed(message, e);
        }
    }

    private void bad(TandemException e) {
        if (++badFrames > BAD_FRAMES) {
            wire.socket().close(1008, "Too many unreadable frames");
            return;
        }
        wire.error(Json.object(), "bad_message", "Error: " + e.message());
    }

    /** Fields under {@code payload} count, too; those at the top win. */
    private static ObjectNode flat(ObjectNode message) {
        if (!(message.path("payload") instanceof ObjectNode payload)) {
            return message;
        }
        ObjectNode all = payload.deepCopy();
        message.remove("payload");
        all.setAll(message);
        return all;
    }

    private void take(String type, ObjectNode message) {
        switch (type) {
            case "connect" -> connect(message);
            case "disconnect" -> {
                detachAll();
                wire.reply(message, Wire.message("disconnected"));
            }
            case "ping" -> wire.reply(message, Wire.message("pong"));
            case "attach" -> aside(message, () -> attach(message));
            case "detach" -> {
                detach(sessionId(message));
                wire.reply(message, Wire.message("detached").put("sessionId", sessionId(message)));
            }
            default -> requests.take(type, message);
        }
    }

    /** Runs what may wait without holding up the socket. */
    void aside(JsonNode request, Runnable work) {
        Thread.ofVirtual()
                .name("relay")
                .start(() -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        failed(request, e);
                    }
                });
    }

    private void failed(JsonNode request, RuntimeException e) {
        if (!(e instanceof TandemException) && !(e instanceof Refused)) {
            LOG.debug("A message on /ws failed", e);
        }
        wire.error(request, e);
    }

    private void connect(ObjectNode message) {
        Optional<String> token = Json.text(message, "token");
        if ((token.isPresent() && !prove(token.get())) || !caller.proven()) {
            wire.socket().close(RelayEndpoint.UNAUTHORIZED, RelayEndpoint.WRONG_TOKEN);
            return;
        }
        Json.text(message, "dialect").ifPresent(wire::dialect);
        ObjectNode connected = Wire.message("connected").put("hubVersion", parts.version());
        connected.put("protocol", 1).put("dialect", wire.dialect()).put("user", caller.name());
        connected.set("agents", requests.agents());
        connected
                .putObject("limits")
                .put("maxMessageBytes", Limits.MAX_FRAME_BYTES)
                .put("maxImageBytes", 8 * 1024 * 1024);
        wire.reply(message, connected);
        if (wire.compat()) {
            wire.send(Wire.message("status").put("connected", true));
        }
        if (changes == null) {
            changes = watchLists();
        }
        for (JsonNode one : message.path("attach")) {
            if (one instanceof ObjectNode wanted) {
                aside(wanted, () -> attach(wanted));
            }
        }
    }

    private AutoCloseable watchLists() {
        AutoCloseable sessions = parts.store().watch(this::changed);
        AutoCloseable cards =
                parts.desk()
                        .watch(
                                new PermissionDesk.Watcher() {
                                    @Override
                                    public void onCard(Card card) {
                                        attention(card.key(), true);
                                    }

                                    @Override
                                    public void onResolved(Card card, Outcome outcome) {
                                        attention(card.key(), false);
                                    }
                                });
        return () -> {
            close(sessions);
            close(cards);
        };
    }

    /** Lists show who waits for a person, also for sessions that are not watched here. */
    private void attention(String sessionId, boolean needed) {
        if (!wire.compat()) {
            ObjectNode news = Wire.message("session_attention").put("sessionId", sessionId);
            wire.send(news.put("needed", needed));
        }
    }

    private void changed(SessionStore.Change change, Session session) {
        if (!wire.compat()) {
            ObjectNode state = Wire.message("session_state").put("sessionId", session.id());
            state.put("change", change.name().toLowerCase(java.util.Locale.ROOT));
            state.put("title", session.name()).put("projectId", session.projectId());
            state.put("phase", session.phase().word()).put("lastSeq", session.lastSeq());
            wire.send(
                    state.put("readSeq", session.readSeq()).put("updatedAt", session.updatedAt()));
        }
    }

    /** The session a message is about: the one it names, else the socket's current one. */
    String sessionId(JsonNode message) {
        String id = Json.text(message, "sessionId").orElse(current);
        if (id.isEmpty()) {
            throw new Refused("no_session", "No active session");
        }
        return parts.store().required(id).id();
    }

    private void attach(ObjectNode message) {
        Session session = parts.store().required(Json.text(message, "sessionId").orElse(""));
        long last = session.lastSeq();
        JsonNode tail = message.path("tail");
        long after =
                tail.isIntegralNumber()
                        ? Math.max(0, last - Math.max(0, tail.longValue()))
                        : Math.max(0, message.path("afterSeq").asLong(0));
        if (after > last) {
            wire.send(Wire.message("reset").put("sessionId", session.id()));
            after = 0;
        }
        long ring = message.path("afterRing").asLong(0);
        watch(session.id(), after, ring);
        wire.reply(message, attached(session.id()));
    }

    /** Shows what is stored at the reader's pace, then follows without a gap. */
    void watch(String sessionId, long afterSeq, long afterRing) {
        detach(sessionId);
        Viewer viewer = new Viewer(sessionId, wire, this::isPending);
        long seq = afterSeq;
        List<Entry> page = parts.log().after(sessionId, seq, PAGE);
        while (page.size() == PAGE && awaitCalm()) {
            page.forEach(viewer::onEntry);
            seq = page.getLast().seq();
            page = parts.log().after(sessionId, seq, PAGE);
        }
        AutoCloseable ending = parts.log().feed(sessionId).follow(seq, afterRing, viewer);
        viewer.live();
        Watch before = watches.put(sessionId, new Watch(viewer, ending));
        if (before != null) {
            end(before);
        }
        current = sessionId;
        if (!wire.socket().isOpen()) {
            detachAll();
        }
    }

    private boolean awaitCalm() {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (wire.socket().queuedBytes() > CALM_BYTES && wire.socket().isOpen()) {
            if (System.nanoTime() > until) {
                wire.socket().close(1013, "Too slow");
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return wire.socket().isOpen();
    }

    private boolean isPending(String requestId) {
        return parts.desk().open().stream().anyMatch(card -> card.requestId().equals(requestId));
    }

    ObjectNode attached(String sessionId) {
        Session session = parts.store().required(sessionId);
        ObjectNode message = Wire.message("attached").put("sessionId", sessionId);
        message.put("seq", session.lastSeq()).put("phase", session.phase().word());
        message.put("title", session.name());
        message.put("ring", parts.log().feed(sessionId).ringPosition());
        message.put("running", parts.engine().turnRuns(sessionId));
        ArrayNode pending = message.putArray("pendingPermissions");
        parts.desk()
                .open(sessionId)
                .forEach(card -> pending.add(Viewer.request(Json.object(), card)));
        ArrayNode questions = message.putArray("pendingQuestions");
        for (ElicitationRequest one : parts.engine().openQuestions(sessionId)) {
            questions.add(one.params().deepCopy().put("requestId", one.requestId()));
        }
        message.put("mode", session.mode().word());
        session.field("agent_used").ifPresent(agent -> message.put("agentId", agent));
        parts.engine()
                .agentSession(sessionId)
                .ifPresent(agent -> {
                    message.set("agentState", agent.state());
                    message.set(
                            "promptCapabilities",
                            agent.agent().capabilities().raw().path("promptCapabilities"));
                });
        return message;
    }

    /** Whose turn's end is this request's answer, if the session is watched here. */
    void answers(String sessionId, long seq, JsonNode request) {
        Watch watch = watches.get(sessionId);
        if (watch != null) {
            watch.viewer.answers(seq, request);
        }
    }

    boolean watches(String sessionId) {
        return watches.containsKey(sessionId);
    }

    private void detach(String sessionId) {
        Watch watch = watches.remove(sessionId);
        if (watch != null) {
            end(watch);
        }
    }

    private void detachAll() {
        List.copyOf(watches.keySet()).forEach(this::detach);
    }

    private static void end(Watch watch) {
        close(watch.ending);
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void onClose(int code, String reason) {
        detachAll();
        if (changes != null) {
            close(changes);
        }
    }
}
