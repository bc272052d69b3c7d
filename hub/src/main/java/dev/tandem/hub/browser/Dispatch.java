package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends checked calls to their browser and keeps the hub's view of sessions true. */
final class Dispatch {
    private final OpsSessions sessions;
    private final AtomicLong ids = new AtomicLong();

    Dispatch(OpsSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * A call on its way to a browser.
     *
     * @param stamps what the hub adds about the caller's rights, beside the call's own payload
     */
    record Order(
            Tool tool,
            OpsClient client,
            Browser browser,
            Optional<OpsSession> session,
            ObjectNode payload,
            int timeoutMs,
            Watch watch,
            Map<String, JsonNode> stamps) {
        Order(
                Tool tool,
                OpsClient client,
                Browser browser,
                Optional<OpsSession> session,
                ObjectNode payload,
                int timeoutMs,
                Watch watch) {
            this(tool, client, browser, session, payload, timeoutMs, watch, Map.of());
        }

        /** The same call, let at this origin: the one of its page, or of where it goes. */
        Order letAt(Optional<String> origin) {
            return stamped("origin", origin.map(Json.object()::stringNode));
        }

        /** The same call, which takes its tab only while that shows this origin. */
        Order takingAt(String origin) {
            return stamped("tabOrigin", Optional.of(Json.object().stringNode(origin)));
        }

        /** The same call with other arguments. */
        Order with(ObjectNode arguments) {
            return new Order(tool, client, browser, session, arguments, timeoutMs, watch, stamps);
        }

        /** The same call, whose sensitive steps each need a yes. */
        Order askingForEach(boolean asks) {
            return stamped("granted", asks ? Optional.of(Json.array()) : Optional.empty());
        }

        /** The same call, with one more sensitive step agreed to. */
        Order granted(String name) {
            ArrayNode names = Json.array();
            stamps.getOrDefault("granted", names).forEach(names::add);
            return stamped("granted", Optional.of(names.add(name)));
        }

        /** The same call with frames of just these origins, beside the page's own. */
        Order within(Optional<ArrayNode> open) {
            return stamped("frameOrigins", open);
        }

        /** The same call, which may send something to just these origins, beside the page's own. */
        Order sending(Optional<ArrayNode> open) {
            return stamped("sendOrigins", open);
        }

        /** The same call, which may open this file as well. */
        Order opening(String file) {
            ArrayNode files = Json.array();
            stamps.getOrDefault("openFiles", files).forEach(files::add);
            return stamped("openFiles", Optional.of(files.add(file)));
        }

        /** The same call, which also says what a ref stands for. */
        Order describing(ObjectNode ref) {
            return stamped("describe", Optional.of(ref));
        }

        /** The same call, which ends when the page has done what it made it do. */
        Order settling(boolean yes) {
            return stamped(
                    "settle",
                    yes ? Optional.of(Json.object().booleanNode(true)) : Optional.empty());
        }

        /** Another call of the same caller at the same place. */
        Order instead(Tool other, ObjectNode arguments) {
            return new Order(
                    other, client, browser, session, arguments, other.timeoutMs(), watch, stamps);
        }

        private Order stamped(String name, Optional<? extends JsonNode> value) {
            Map<String, JsonNode> more = new LinkedHashMap<>(stamps);
            value.ifPresent(stamp -> more.put(name, stamp));
            return new Order(tool, client, browser, session, payload, timeoutMs, watch, more);
        }
    }

    String nextId() {
        return "h" + ids.incrementAndGet();
    }

    /** Sends at once, or holds the call while the extension reconnects. */
    CompletableFuture<ObjectNode> send(Order order, String requestId) {
        Browser browser = order.browser();
        // Time that a call stood behind others which were held counts for it, too.
        long held = Math.min(order.watch().ageMs(), browser.linkAgeMs());
        if (!browser.await(Limits.EXTENSION_HOLD_MS - held)) {
            throw Browser.disconnected(false);
        }
        order.watch().throwIfCancelled();
        order.session().ifPresent(OpsSession::throwIfEnded);
        browser.used(System.currentTimeMillis());
        ObjectNode request = Json.object().put("type", "ops_request");
        request.put("requestId", requestId);
        request.put("command", order.tool().command().orElseThrow());
        request.put("timeoutMs", Math.clamp(order.timeoutMs(), 1, Limits.REQUEST_TIMEOUT_MAX_MS));
        request.set("payload", order.payload());
        if (order.client().isUser()) {
            request.putArray("openFiles");
        }
        order.stamps().forEach(request::set);
        if (order.client().isOwnShell()) {
            request.put("ownHand", true);
        }
        order.session().ifPresent(session -> address(request, session, order.client()));
        Optional<OpsSession> opening = opening(order);
        CompletableFuture<ObjectNode> sent =
                browser.request(order.client(), request, order.timeoutMs())
                        .whenComplete((_, failure) -> {
                            if (failure != null) {
                                opening.ifPresent(session -> sessions.end(session, "closed"));
                            }
                        });
        Runnable stop = () -> browser.cancelCall(order.client(), requestId);
        order.watch().onCancel(stop);
        return sent.whenComplete((answer, failure) -> order.watch().done(stop))
                .thenApply(answer -> {
                    note(order, answer);
                    return answer;
                });
    }

    /** The arguments of a call as the browser takes them. */
    ObjectNode payload(ToolCall call) {
        ObjectNode payload = call.arguments().deepCopy();
        payload.remove("sessionId");
        payload.remove("timeoutMs");
        payload.remove("browser");
        JsonNode wire = call.tool().wire().path("payload").path("properties");
        if (wire.isObject()) {
            payload.propertyNames().stream()
                    .filter(name -> !wire.has(name))
                    .toList()
                    .forEach(payload::remove);
        }
        return payload;
    }

    /** What a failure means to the caller; one that nobody foresaw is internal. */
    static TandemException unwrap(Throwable failure) {
        Throwable cause = failure;
        while (cause != null) {
            if (cause instanceof TandemException known) {
                return known;
            }
            if (cause instanceof InterruptedException || cause instanceof CancellationException) {
                return new TandemException(
                        ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
            }
            cause = cause.getCause();
        }
        return TandemException.of(ErrorCode.INTERNAL);
    }

    private static void address(ObjectNode request, OpsSession session, OpsClient client) {
        session.used(System.currentTimeMillis());
        request.put("opsSessionId", session.id());
        if (client.owns(session)) {
            request.put("leaseId", session.leaseId());
            session.usedBy(client);
        }
    }

    /** Follows what an answer changed about who holds what. */
    private void note(Order order, ObjectNode answer) {
        switch (order.tool().command().orElse("")) {
            case "session.launch", "session.connect" -> opened(order, answer);
            case "session.disconnect" ->
                    order.session().ifPresent(session -> sessions.end(session, "closed"));
            case "targets.use" -> activated(order, answer);
            case "targets.list" -> {
                activated(order, answer);
                order.session().ifPresent(s -> answer.path("targets").forEach(t -> opened(s, t)));
            }
            case "targets.new", "page.open" ->
                    order.session()
                            .ifPresent(s -> Json.text(answer, "targetId").ifPresent(s::opened));
            case "targets.close" ->
                    order.session()
                            .ifPresent(s ->
                                    Json.text(order.payload(), "targetId").ifPresent(s::closed));
            default ->
                    order.session()
                            .ifPresent(s -> answer.path("newTargets").forEach(t -> opened(s, t)));
        }
    }

    private static void opened(OpsSession session, JsonNode target) {
        String id =
                target.isString() ? target.stringValue() : Json.text(target, "targetId").orElse("");
        if (!id.isEmpty()) {
            session.opened(id);
        }
    }

    private static void activated(Order order, ObjectNode answer) {
        order.session().ifPresent(session -> activated(session, answer));
    }

    private static void activated(OpsSession session, ObjectNode answer) {
        Json.text(answer, "activeTargetId").filter(id -> !id.isEmpty()).ifPresent(session::active);
    }

    /** A session that its client names can be asked about while it opens. */
    private Optional<OpsSession> opening(Order order) {
        String id = Json.text(order.payload(), "sessionId").orElse("");
        String lease = Json.text(order.payload(), "leaseId").orElse("");
        if (!order.tool().name().equals("launch") || id.isEmpty() || lease.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(session(order, id, lease, "")).filter(sessions::begin);
    }

    private static OpsSession session(Order order, String id, String lease, String target) {
        OpsSession session =
                new OpsSession(
                        id,
                        lease,
                        order.browser(),
                        order.client(),
                        Json.text(order.payload(), "shareMode").orElse("none"),
                        Json.text(order.payload(), "label").orElse(order.client().label()),
                        target);
        session.used(System.currentTimeMillis());
        return session;
    }

    private void opened(Order order, ObjectNode answer) {
        String id = Json.text(answer, "opsSessionId").orElse("");
        Optional<OpsSession> known = sessions.find(id);
        boolean joins =
                order.tool().name().equals("connect")
                        && Json.text(order.payload(), "shareMode").orElse("").equals("read");
        if (known.isPresent()) {
            if (known.get().ownerKey().equals(order.client().key()) && !joins) {
                known.get().takenBackBy(order.client());
                activated(known.get(), answer);
            }
            return;
        }
        if (joins) {
            return;
        }
        sessions.add(
                session(
                        order,
                        id,
                        Json.text(answer, "leaseId").orElse(""),
                        Json.text(answer, "activeTargetId").orElse("")));
    }
}
