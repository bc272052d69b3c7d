package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.sessions.StartFailed;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One socket: who it is and what it says. Its messages come one at a time. */
final class RelayClient implements SocketHandler.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RelayClient.class);
    private static final int BAD_FRAMES = 20;

    private final RelayEndpoint.Parts parts;
    private final ListNews news;
    private final Unproven unproven;
    private final Wire wire;
    private final Watches watches;
    private final AgentMessages agents;
    private final SettingMessages settings;
    private final FileMessages files;
    private final ToolMessages tools;
    private final List<Family> families;
    private volatile Caller caller = Caller.NOBODY;
    private int badFrames;

    RelayClient(RelayEndpoint.Parts parts, RowNews rows, Unproven unproven, Socket socket) {
        this.parts = parts;
        this.unproven = unproven;
        this.wire = new Wire(socket);
        this.news = new ListNews(parts, rows, wire);
        this.watches = new Watches(parts, wire);
        this.agents = new AgentMessages(parts, wire, this);
        this.settings = new SettingMessages(parts, wire, this);
        this.files = new FileMessages(parts, wire, this);
        this.tools = new ToolMessages(parts, wire);
        this.families =
                List.of(
                        new PromptMessages(parts, wire, this),
                        new SessionMessages(parts, wire, this),
                        new AnswerMessages(parts, wire, this),
                        settings,
                        files,
                        tools,
                        agents);
    }

    /** Takes a token; false if it does not open this door. */
    boolean prove(String token) {
        Optional<Caller> found =
                parts.authenticator()
                        .caller(token)
                        .filter(one -> RelayEndpoint.welcome(one.kind()));
        found.ifPresent(one -> {
            caller = one;
            wire.socket().provenBy(one);
            wire.socket().takeAtMost(Limits.MAX_FRAME_BYTES);
            unproven.remove(this);
        });
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

    Watches watches() {
        return watches;
    }

    SettingMessages settings() {
        return settings;
    }

    FileMessages files() {
        return files;
    }

    /** This client has been shown the whole list. */
    void listed() {
        news.listed();
    }

    /** This client made a session: its browser tools, if it has any, are for that one. */
    void created(String sessionId) {
        tools.created(sessionId);
    }

    String sessionId(JsonNode message) {
        return watches.sessionId(message);
    }

    @Override
    public void onText(String text) {
        ObjectNode message;
        try {
            message = flat(Json.parseObject(text));
        } catch (TandemException e) {
            bad(e);
            leaveUnproven();
            return;
        }
        String type = Json.text(message, "type").orElse("");
        try {
            if (!caller.proven() && !type.equals("connect") && !type.equals("ping")) {
                wire.error(message, "unauthorized", RelayEndpoint.WRONG_TOKEN);
            } else {
                take(type, message);
            }
        } catch (RuntimeException e) {
            failed(message, e);
        }
        // One message is enough to say who one is.
        leaveUnproven();
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
        Optional<Schema.Problem> wrong = Messages.relayClients().check(message);
        if (wrong.isPresent() && !wrong.get().reason().equals("unknown_command")) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "Error: " + wrong.get().message());
        }
        switch (type) {
            case "connect" -> connect(message);
            case "disconnect" -> {
                watches.detachAll();
                wire.reply(message, Wire.message("disconnected"));
            }
            case "ping" -> wire.reply(message, Wire.message("pong"));
            case "attach" -> aside(message, () -> watches.attach(message));
            case "detach" -> {
                String id = sessionId(message);
                watches.detach(id);
                files.forget(id);
                wire.reply(message, Wire.about("detached", id));
            }
            default -> {
                if (families.stream().noneMatch(family -> family.take(type, message))) {
                    wire.error(message, "unknown_type", "Unknown message type: " + type);
                }
            }
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
        if (!(e instanceof TandemException)
                && !(e instanceof Refused)
                && !(e instanceof StartFailed)
                && !(e instanceof AgentException)) {
            LOG.warn("A message on /ws failed", e);
        }
        wire.error(request, e);
    }

    private void connect(ObjectNode message) {
        Optional<String> token = Json.text(message, "token");
        boolean wrong = token.isPresent() && !prove(token.get());
        if (wrong) {
            countGuess(message);
        }
        if (wrong || !caller.proven()) {
            wire.socket().close(RelayEndpoint.UNAUTHORIZED, RelayEndpoint.WRONG_TOKEN);
            return;
        }
        Json.text(message, "dialect").ifPresent(wire::dialect);
        tools.introduce(message, caller);
        ObjectNode connected = Wire.message("connected").put("hubVersion", parts.version());
        connected.put("protocol", 1).put("dialect", wire.dialect()).put("user", caller.name());
        connected.set("agents", agents.list());
        connected
                .putObject("limits")
                .put("maxMessageBytes", Limits.MAX_FRAME_BYTES)
                .put("maxImageBytes", PromptMessages.IMAGE_BYTES);
        int browsers = parts.browsers().getAsInt();
        connected.putObject("browser").put("connected", browsers > 0).put("count", browsers);
        Json.text(message, "agentId").ifPresent(id -> connected.put("agentId", id));
        wire.reply(message, connected);
        news.begin();
        if (wire.compat() || message.has("agentId")) {
            aside(message, () -> introduceAgent(message));
        }
        for (JsonNode one : message.path("attach")) {
            if (one instanceof ObjectNode wanted) {
                aside(wanted, () -> watches.attach(wanted));
            }
        }
    }

    /** A wrong token counts the same here as at the upgrade, and is told so as late. */
    private void countGuess(ObjectNode message) {
        try {
            unproven.wrongToken();
        } catch (TandemException tooMany) {
            wire.error(message, tooMany);
        }
    }

    /** Older clients wait for a word on the agent before they do anything. */
    private void introduceAgent(ObjectNode message) {
        String id =
                Json.text(message, "agentId").orElseGet(() -> parts.agents().preferred().agentId());
        ObjectNode told = wire.compat() ? Wire.message("status") : Wire.message("agent_state");
        try {
            if (!wire.compat() && !parts.engine().accounts().isKnown(id)) {
                wire.send(Wire.message("agent_state").put("agentId", id).put("state", "starting"));
            }
            agents.greet(id, told);
            if (wire.compat()) {
                wire.send(told.put("connected", true));
            } else {
                wire.send(told.put("state", "ready"));
            }
        } catch (AgentException | TandemException failed) {
            if (wire.compat()) {
                wire.send(told.put("connected", false));
            } else {
                wire.send(told.put("agentId", id).put("state", "failed"));
            }
            throw failed;
        }
    }

    @Override
    public void onClose(int code, String reason) {
        watches.detachAll();
        news.close();
        unproven.remove(this);
        files.close();
        tools.close();
    }
}
