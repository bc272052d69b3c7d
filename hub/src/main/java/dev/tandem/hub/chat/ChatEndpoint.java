package dev.tandem.hub.chat;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/chat/messages}: what is said, stopped, steered, and answered by local tools. */
public final class ChatEndpoint implements AutoCloseable {
    private static final Set<String> RESERVED = Set.of("web_search", "web_extract");
    private static final int TITLE = 60;

    private final Parts parts;
    private final Jobs jobs;
    private final ChatStreams streams;
    private final LocalToolsEndpoint localTools;

    /** What stands behind the door. */
    public record Parts(
            SessionEngine engine,
            SessionStore store,
            SessionLog log,
            PermissionDesk desk,
            AgentCatalogue agents,
            Database database,
            Clock clock) {}

    public ChatEndpoint(Parts parts, WebServer web) {
        this.parts = parts;
        this.jobs = new Jobs(parts.database(), parts.clock());
        this.streams =
                new ChatStreams(
                        parts.database(),
                        parts.log(),
                        parts.store(),
                        jobs,
                        parts.engine().localTools(),
                        parts.clock());
        this.localTools = new LocalToolsEndpoint(parts, jobs, web);
        web.face("chat", new ChatFace());
        web.http("chat-messages", this::send)
                .http("chat-message", this::edit)
                .http("chat-stop", this::stop)
                .http("chat-steer", this::steer)
                .http("chat-feedback", this::feedback)
                .http("chat-retry", this::retry);
        new ChatSessionsEndpoint(parts, jobs, streams, web);
        new StreamsEndpoint(streams, jobs, web);
        new QueueEndpoint(parts, jobs, streams, this::end, this::again, web);
        new CommentsEndpoint(new Comments(parts.database(), parts.clock()), streams, web);
        new ToolPermissionsEndpoint(parts.desk().rules(), streams, web);
    }

    /** Begins to follow sessions; called once, when they have been brought back. */
    public void open() {
        streams.open();
    }

    private void send(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        String content = required(asked, "content");
        if (asked.has("providerApiKey")) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "providerApiKey is not taken: agents hold their own.");
        }
        List<LocalTools.Definition> tools = tools(asked.path("localToolDefinitions"));
        Optional<Session> known = Json.text(asked, "sessionId").map(parts.store()::required);
        Session session = known.orElseGet(() -> create(asked, content));
        if (asked.has("localToolDefinitions")) {
            String client = exchange.header("X-Tandem-Client").orElse(exchange.caller().id());
            parts.engine().localTools().declare(session.id(), client, tools);
        }
        exchange.respond(200, first(session, known.isEmpty(), blocks(asked, content)));
    }

    /** A session that was made for a message which then could not be stored is taken back. */
    private ObjectNode first(Session session, boolean fresh, ArrayNode blocks) {
        try {
            return deliver(session, blocks);
        } catch (RuntimeException notStored) {
            if (fresh) {
                parts.engine().delete(session.id());
            }
            throw notStored;
        }
    }

    private Session create(JsonNode asked, String content) {
        ObjectNode fields = Json.object();
        String title = content.length() > TITLE ? content.substring(0, TITLE) + "…" : content;
        fields.put("name", Json.text(asked, "sessionTitle").orElse(title.replace('\n', ' ')));
        Json.text(asked, "providerId")
                .filter(id -> parts.agents().find(id).isPresent())
                .ifPresent(id ->
                        fields.put(
                                "annotations", Json.write(Json.object().put("tandem/agent", id))));
        for (String name : List.of("primaryContextType", "primaryContextId")) {
            Json.text(asked, name).ifPresent(value -> fields.put(name, value));
        }
        return parts.engine().create(Json.text(asked, "workspace_id").orElse("default"), fields);
    }

    /** The words, and the pages they are about as links. */
    private static ArrayNode blocks(JsonNode asked, String content) {
        ArrayNode blocks = Json.array();
        blocks.addObject().put("type", "text").put("text", content);
        for (JsonNode context : asked.path("contexts")) {
            String id = required(context, "contextId");
            if (required(context, "contextType").equals("page")) {
                blocks.addObject().put("type", "resource_link").put("uri", id).put("name", id);
            }
        }
        return blocks;
    }

    private static List<LocalTools.Definition> tools(JsonNode given) {
        List<LocalTools.Definition> tools = new ArrayList<>();
        for (JsonNode one : given) {
            String name = required(one, "name");
            boolean ours = Catalogue.load().byName(name).isPresent() || RESERVED.contains(name);
            if (ours && !name.startsWith("tab_")) {
                throw new TandemException(
                        ErrorCode.BAD_REQUEST, name + " is a tool of the hub's own.");
            }
            ObjectNode parameters =
                    one.path("parameters") instanceof ObjectNode schema
                            ? schema
                            : LocalTools.Definition.noParameters();
            tools.add(
                    new LocalTools.Definition(
                            name, Json.text(one, "description").orElse(""), parameters));
        }
        return tools;
    }

    /** Stores the message, starts the session if it does not run, and says where to listen. */
    ObjectNode deliver(Session session, ArrayNode blocks) {
        streams.attend(session);
        Entry entry =
                parts.engine()
                        .send(session.id(), Prompt.of(blocks, Optional.empty(), "chat"))
                        .entry();
        Job job = jobs.of(entry);
        if (parts.store().required(session.id()).phase().canStart()) {
            Thread.ofVirtual().name("chat-start").start(() -> start(session.id()));
        }
        return Json.object()
                .put("sessionId", session.id())
                .put("userMessageId", entry.id())
                .put("assistantMessageId", job.id())
                .put("streamId", job.id())
                .put("jobId", job.id());
    }

    private void start(String id) {
        try {
            parts.engine().start(id);
        } catch (TandemException fasterElsewhere) {
            // Somebody else started it: all that was wanted.
        }
    }

    private void edit(Exchange exchange) throws IOException {
        Entry user = user(exchange.parameter("id"), "Only user messages can be edited");
        parts.engine()
                .queue()
                .edit(user.sessionId(), user.seq(), required(exchange.json(), "content"));
        exchange.respond(200, Json.object().put("messageId", user.id()));
    }

    private void stop(Exchange exchange) {
        Job job = job(exchange, "Only assistant messages can be stopped");
        boolean ran = end(job);
        ObjectNode reply = Json.object().put("ok", true);
        exchange.respond(200, ran ? reply.put("jobId", job.id()) : reply.putNull("jobId"));
    }

    /** Ends a turn that runs, or takes back one that waits. */
    boolean end(Job job) {
        return switch (jobs.find(job.id()).map(Job::status).orElse(job.status())) {
            case PROCESSING -> parts.engine().interrupt(job.sessionId());
            case PENDING -> {
                parts.engine().queue().withdraw(job.sessionId(), job.userSeq());
                jobs.move(job, Job.Status.CANCELLED, "");
                yield true;
            }
            case COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    private void steer(Exchange exchange) throws IOException {
        Job job = job(exchange, "Only assistant messages can be steered");
        JsonNode asked = exchange.json();
        String words = required(asked, "message");
        ObjectNode status = Json.object().put("state", "steer_received").put("message", words);
        status.put("actor", "user").put("actorId", exchange.caller().id());
        streams.note(() -> streams.publish(job.id(), "status", status));
        parts.engine().interrupt(job.sessionId());
        ArrayNode blocks = Json.array();
        blocks.addObject().put("type", "text").put("text", words);
        ObjectNode sent = deliver(parts.store().required(job.sessionId()), blocks);
        ObjectNode reply = Json.object().put("assistantMessageId", job.id());
        reply.put("status", "accepted").put("action", "interrupt_relaunch");
        reply.put("nextAssistantMessageId", sent.get("assistantMessageId").asString());
        ObjectNode echo = reply.putObject("steer").put("message", words);
        echo.set("messageId", sent.get("userMessageId"));
        if (asked.has("metadata")) {
            echo.set("metadata", asked.get("metadata"));
        }
        exchange.respond(200, reply);
    }

    private void feedback(Exchange exchange) throws IOException {
        Job job = job(exchange, "Only assistant messages take feedback");
        String vote = required(exchange.json(), "vote");
        if (!Set.of("up", "down", "clear").contains(vote)) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "A vote is up, down or clear.");
        }
        ObjectNode body = Json.object().put("event", "feedback");
        body.putObject("value").put("messageId", job.id()).put("vote", vote);
        parts.log().append(job.sessionId(), Entry.Kind.SYSTEM, body);
        exchange.respond(200, Json.object().put("messageId", job.id()).put("vote", vote));
    }

    private void retry(Exchange exchange) {
        Entry user = user(exchange.parameter("id"), "Only user messages can be retried");
        exchange.respond(200, again(user));
    }

    /** Says the same again; the log keeps what was, so that nobody's view loses anything. */
    ObjectNode again(Entry user) {
        ArrayNode blocks =
                user.body().path("content") instanceof ArrayNode content && !content.isEmpty()
                        ? content.deepCopy()
                        : Json.array();
        if (blocks.isEmpty()) {
            blocks.addObject().put("type", "text").put("text", user.text("text").orElse(""));
        }
        return deliver(parts.store().required(user.sessionId()), blocks);
    }

    private Job job(Exchange exchange, String otherwise) {
        return localTools.job(exchange.parameter("id"), otherwise);
    }

    private Entry user(String id, String otherwise) {
        if (jobs.find(id).isPresent()) {
            throw new TandemException(ErrorCode.BAD_REQUEST, otherwise);
        }
        return parts.log()
                .find(id)
                .filter(entry -> entry.kind() == Entry.Kind.USER)
                .orElseThrow(() -> new TandemException(ErrorCode.NOT_FOUND, "Message not found"));
    }

    static String required(JsonNode asked, String field) {
        return Json.text(asked, field)
                .filter(text -> !text.isEmpty())
                .orElseThrow(
                        () -> new TandemException(ErrorCode.BAD_REQUEST, field + " is required"));
    }

    @Override
    public void close() {
        streams.close();
    }
}
