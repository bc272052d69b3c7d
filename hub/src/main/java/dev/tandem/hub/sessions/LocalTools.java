package dev.tandem.hub.sessions;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tools that a chat client runs itself. The agent sees them beside the browser tools of its
 * session; a call waits until exactly one executor has claimed it and brought its result. Any
 * thread may call it.
 */
public final class LocalTools {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int MOST = 32;
    private static final int MAX_RESULT_BYTES = 8 * 1024 * 1024;
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration FIRST_RIGHT = Duration.ofSeconds(10);

    private final SessionLog log;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Declared> declared = new LinkedHashMap<>();
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    private final Map<String, String> answered = new LinkedHashMap<>();

    LocalTools(SessionLog log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** A tool as a client declares it. */
    public record Definition(String name, String description, ObjectNode parameters) {
        public Definition {
            if (!NAME.matcher(name).matches()) {
                throw new TandemException(
                        ErrorCode.BAD_REQUEST,
                        "A local tool's name has 1 to 64 letters, digits, _ and -.");
            }
            if (description.length() > 1000) {
                throw new TandemException(
                        ErrorCode.BAD_REQUEST,
                        "A local tool's description has at most 1000 characters.");
            }
            description = description.isBlank() ? "Local tool " + name : description;
        }

        public static ObjectNode noParameters() {
            ObjectNode schema = Json.object().put("type", "object");
            schema.putObject("properties");
            schema.putArray("required");
            return schema;
        }
    }

    /** A call that waits for a client. */
    public record Call(String sessionId, String toolCallId, String name, JsonNode arguments) {}

    /** The right to bring a call's result. */
    public record Lease(String leaseId, long expiresAt) {}

    /** What became of a result; {@code waiting} are the session's other calls. */
    public record Receipt(boolean accepted, boolean duplicate, List<String> waiting) {}

    private record Declared(String clientId, Map<String, Definition> tools) {}

    private static final class Waiting {
        final Call call;
        final long since;
        final String owner;
        final CompletableFuture<ObjectNode> result = new CompletableFuture<>();
        @Nullable String executor;
        String by = "";
        @Nullable Lease lease;
        @Nullable ObjectNode answer;

        Waiting(Call call, String owner, long since) {
            this.call = call;
            this.owner = owner;
            this.since = since;
        }
    }

    /** Sets what a client runs for this session; of two equal names the first counts. */
    public void declare(String sessionId, String clientId, List<Definition> definitions) {
        if (definitions.size() > MOST) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "At most " + MOST + " local tools can be declared.");
        }
        Map<String, Definition> tools = new LinkedHashMap<>();
        definitions.forEach(one -> tools.putIfAbsent(one.name(), one));
        locked(() -> declared.put(sessionId, new Declared(clientId, tools)));
    }

    public List<Definition> of(String sessionId) {
        return locked(() -> {
            Declared known = declared.get(sessionId);
            return known == null ? List.of() : List.copyOf(known.tools.values());
        });
    }

    /** Hands a call to the clients and waits; ends exceptionally when the turn does. */
    public CompletableFuture<ObjectNode> call(String sessionId, String name, JsonNode arguments) {
        Waiting fresh =
                locked(() -> {
                    Declared known = declared.get(sessionId);
                    if (known == null || !known.tools.containsKey(name)) {
                        throw new TandemException(
                                ErrorCode.NOT_FOUND, "There is no local tool " + name + ".");
                    }
                    String id = "local-" + UUID.randomUUID();
                    Waiting one =
                            new Waiting(
                                    new Call(sessionId, id, name, arguments),
                                    known.clientId,
                                    clock.millis());
                    waiting.put(id, one);
                    return one;
                });
        ObjectNode pause = Json.object().put("event", "awaiting_local_tool_results");
        pause.putObject("value")
                .put("toolCallId", fresh.call.toolCallId)
                .put("name", name)
                .set("arguments", arguments.deepCopy());
        log.append(sessionId, Entry.Kind.SYSTEM, pause);
        return fresh.result;
    }

    public List<Call> waiting(String sessionId) {
        return locked(() ->
                waiting.values().stream()
                        .filter(one -> one.answer == null)
                        .map(one -> one.call)
                        .filter(call -> call.sessionId.equals(sessionId))
                        .toList());
    }

    /**
     * Claims a call for one executor; the client that declared the tool has the first right.
     *
     * @param by the credential that claims: executors' names are told to everybody
     */
    public Lease claim(String sessionId, String toolCallId, String executorId, String by) {
        Lease lease =
                locked(() -> {
                    Waiting one = required(sessionId, toolCallId);
                    long now = clock.millis();
                    boolean held =
                            one.lease != null
                                    && one.lease.expiresAt > now
                                    && !(executorId.equals(one.executor) && by.equals(one.by));
                    boolean early =
                            !executorId.equals(one.owner)
                                    && now - one.since < FIRST_RIGHT.toMillis();
                    if (held || early) {
                        throw new TandemException(
                                        ErrorCode.CONFLICT,
                                        "Another client runs this call.",
                                        "already_claimed")
                                .with(
                                        "executorId",
                                        one.executor == null ? one.owner : one.executor);
                    }
                    one.executor = executorId;
                    one.by = by;
                    Lease fresh = new Lease(UUID.randomUUID().toString(), now + LEASE.toMillis());
                    one.lease = fresh;
                    return fresh;
                });
        ObjectNode claimed = Json.object().put("event", "local_tool_claimed");
        claimed.putObject("value").put("toolCallId", toolCallId).put("executorId", executorId);
        log.append(sessionId, Entry.Kind.SYSTEM, claimed);
        return lease;
    }

    /** Whether this call of the session's turn has its result already. */
    public boolean isAnswered(String sessionId, String toolCallId) {
        return locked(() -> sessionId.equals(answered.get(toolCallId)));
    }

    /**
     * Brings a result; once a call is claimed, only with the lease. The agent goes on when every
     * call of its turn has one. The same again changes nothing.
     */
    public Receipt result(
            String sessionId, String toolCallId, JsonNode given, Optional<String> leaseId) {
        if (Json.bytes(given).length > MAX_RESULT_BYTES) {
            throw new TandemException(ErrorCode.PAYLOAD_TOO_LARGE, "A result has at most 8 MiB.");
        }
        ObjectNode answer = shaped(given);
        Optional<List<String>> others =
                locked(() -> {
                    if (sessionId.equals(answered.get(toolCallId))) {
                        return Optional.empty();
                    }
                    Waiting found = required(sessionId, toolCallId);
                    Lease lease = found.lease;
                    if (lease != null && !leaseId.filter(lease.leaseId::equals).isPresent()) {
                        throw new TandemException(
                                ErrorCode.FORBIDDEN, "Another client has claimed this call.");
                    }
                    found.answer = answer;
                    answered.put(toolCallId, sessionId);
                    // Under the lock, so that of two results at once only the later one resumes.
                    return Optional.of(waiting(sessionId).stream().map(Call::toolCallId).toList());
                });
        if (others.isEmpty()) {
            return new Receipt(false, true, List.of());
        }
        note(sessionId, toolCallId, answer);
        if (others.get().isEmpty()) {
            resume(sessionId);
        }
        return new Receipt(true, false, others.get());
    }

    /** A result that cannot be stored was never brought. */
    private void note(String sessionId, String toolCallId, ObjectNode answer) {
        ObjectNode received = Json.object().put("event", "local_tool_result_received");
        received.putObject("value").put("toolCallId", toolCallId).set("result", answer.deepCopy());
        try {
            log.append(sessionId, Entry.Kind.SYSTEM, received);
        } catch (RuntimeException notStored) {
            locked(() -> {
                Waiting one = waiting.get(toolCallId);
                if (one != null) {
                    one.answer = null;
                }
                return answered.remove(toolCallId);
            });
            throw notStored;
        }
    }

    /** Every call has its result: all of them are handed over. */
    private void resume(String sessionId) {
        List<Waiting> all =
                locked(() -> {
                    List<Waiting> mine =
                            waiting.values().stream()
                                    .filter(one -> one.call.sessionId.equals(sessionId))
                                    .filter(one -> one.answer != null)
                                    .toList();
                    waiting.values().removeAll(mine);
                    return mine;
                });
        for (Waiting one : all) {
            ObjectNode answer = one.answer;
            if (answer != null) {
                one.result.complete(answer);
            }
        }
    }

    private static ObjectNode shaped(JsonNode given) {
        ObjectNode result = Json.object().put("status", "completed");
        if (given instanceof ObjectNode object) {
            result.setAll(object.deepCopy());
        } else {
            result.set("value", given);
        }
        return result;
    }

    /** The turn is over; nobody waits any more. */
    void cancel(String sessionId) {
        List<Waiting> all =
                locked(() -> {
                    List<Waiting> mine =
                            waiting.values().stream()
                                    .filter(one -> one.call.sessionId.equals(sessionId))
                                    .toList();
                    waiting.values().removeAll(mine);
                    answered.values().removeIf(sessionId::equals);
                    return mine;
                });
        all.forEach(one ->
                one.result.completeExceptionally(
                        new TandemException(
                                ErrorCode.EXECUTION_FAILED, "The turn was ended.", "cancelled")));
    }

    void forget(String sessionId) {
        cancel(sessionId);
        locked(() -> declared.remove(sessionId));
    }

    private Waiting required(String sessionId, String toolCallId) {
        Waiting one = waiting.get(toolCallId);
        if (one == null || !one.call.sessionId.equals(sessionId)) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "Tool call " + toolCallId + " is not pending.");
        }
        return one;
    }

    private <T> T locked(java.util.function.Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
