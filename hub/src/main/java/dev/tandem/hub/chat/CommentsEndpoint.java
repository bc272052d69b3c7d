package dev.tandem.hub.chat;

import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/comments}. */
final class CommentsEndpoint {
    private static final Pattern MENTION = Pattern.compile("(?:^|\\s)@([\\w.-]{1,64})");
    private static final int MAX_CONTENT = 20_000;

    private final Comments comments;
    private final ChatStreams streams;

    CommentsEndpoint(Comments comments, ChatStreams streams, WebServer web) {
        this.comments = comments;
        this.streams = streams;
        web.http("comments", this::all)
                .http("comment", this::one)
                .http("comment-close", exchange -> status(exchange, "closed"))
                .http("comment-reopen", exchange -> status(exchange, "open"));
    }

    private void all(Exchange exchange) throws IOException {
        if (exchange.method().equals("POST")) {
            add(exchange);
            return;
        }
        String type = query(exchange, "context_type");
        String id = query(exchange, "context_id");
        ObjectNode reply = Json.object();
        ArrayNode items = reply.putArray("items");
        for (ObjectNode one : comments.of(type, id)) {
            if (matches(exchange, one, "section_key") && matches(exchange, one, "status")) {
                items.add(shown(one));
            }
        }
        exchange.respond(200, reply);
    }

    private static boolean matches(Exchange exchange, ObjectNode comment, String field) {
        return exchange.query(field)
                .map(wanted -> Json.text(comment, field).filter(wanted::equals).isPresent())
                .orElse(true);
    }

    private static ObjectNode shown(ObjectNode comment) {
        Json.text(comment, "created_by")
                .ifPresent(name ->
                        comment.putObject("created_by_user")
                                .put("id", name)
                                .put("displayName", name));
        return comment;
    }

    private void add(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        String content = content(asked);
        ObjectNode made =
                comments.add(
                        new Comments.Draft(
                                ChatEndpoint.required(asked, "context_type"),
                                ChatEndpoint.required(asked, "context_id"),
                                optional(asked, "section_key"),
                                exchange.caller().name(),
                                assigned(asked, content),
                                optional(asked, "thread_id"),
                                content));
        tell("created", made);
        ObjectNode reply = Json.object();
        reply.set("id", made.get("id"));
        exchange.respond(201, reply.set("thread_id", made.get("thread_id")));
    }

    private void one(Exchange exchange) throws IOException {
        ObjectNode known = known(exchange);
        String id = known.get("id").asString();
        if (exchange.method().equals("DELETE")) {
            comments.remove(id);
            tell("deleted", known);
        } else {
            JsonNode asked = exchange.json();
            String content =
                    asked.has("content") ? content(asked) : known.get("content").asString();
            String assigned =
                    asked.has("assigned_to")
                            ? optional(asked, "assigned_to")
                            : optional(known, "assigned_to");
            comments.change(id, content, assigned);
            tell("updated", known);
        }
        exchange.respond(200, Json.object().put("ok", true));
    }

    private void status(Exchange exchange, String status) {
        ObjectNode known = known(exchange);
        comments.status(known.get("thread_id").asString(), status);
        tell(status.equals("open") ? "reopened" : "closed", known);
        exchange.respond(200, Json.object().put("ok", true));
    }

    private void tell(String action, ObjectNode comment) {
        ObjectNode news = Json.object();
        news.set("contextType", comment.get("context_type"));
        news.set("contextId", comment.get("context_id"));
        news.putObject("data").put("action", action).set("comment_id", comment.get("id"));
        streams.tell("comment_update", news);
    }

    private ObjectNode known(Exchange exchange) {
        return comments.find(exchange.parameter("id"))
                .orElseThrow(() -> new TandemException(ErrorCode.NOT_FOUND, "Comment not found"));
    }

    private static String content(JsonNode asked) {
        String content = ChatEndpoint.required(asked, "content");
        if (content.length() > MAX_CONTENT) {
            throw new TandemException(
                    ErrorCode.PAYLOAD_TOO_LARGE, "A comment has at most 20000 characters.");
        }
        return content;
    }

    private static @Nullable String assigned(JsonNode asked, String content) {
        String named = optional(asked, "assigned_to");
        if (named != null) {
            return named;
        }
        Matcher mention = MENTION.matcher(content);
        return mention.find() ? mention.group(1) : null;
    }

    private static @Nullable String optional(JsonNode asked, String field) {
        return Json.text(asked, field).filter(text -> !text.isEmpty()).orElse(null);
    }

    private static String query(Exchange exchange, String name) {
        return exchange.query(name)
                .filter(text -> !text.isEmpty())
                .orElseThrow(
                        () -> new TandemException(ErrorCode.BAD_REQUEST, name + " is required"));
    }
}
