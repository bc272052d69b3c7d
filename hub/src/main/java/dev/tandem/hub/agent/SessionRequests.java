package dev.tandem.hub.agent;

import dev.tandem.hub.files.FencedFiles;
import dev.tandem.hub.files.PathDenied;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers what one session's agent asks of the hub; called on the session's queue. */
final class SessionRequests {
    private final AgentHost host;
    private final SessionQueue queue;
    private final AgentEntry.Offers offers;
    private final SessionSetup setup;
    private final FencedFiles files;
    private final AgentTerminals terminals;
    private final ToolCards cards;
    private final Map<String, IncomingRequest> waiting = new ConcurrentHashMap<>();
    private volatile boolean cancelling;

    SessionRequests(
            AgentHost host,
            SessionQueue queue,
            AgentEntry.Offers offers,
            SessionSetup setup,
            AgentTerminals terminals,
            ToolCards cards) {
        this.host = host;
        this.queue = queue;
        this.offers = offers;
        this.setup = setup;
        this.files = new FencedFiles(setup.fence());
        this.terminals = terminals;
        this.cards = cards;
    }

    void handle(IncomingRequest request) {
        if (request.isAnswered()) {
            return;
        }
        try {
            switch (request.method()) {
                case "session/request_permission" -> permission(request);
                case "elicitation/create" -> elicitation(request);
                case "fs/read_text_file" -> read(request);
                case "fs/write_text_file" -> write(request);
                case "terminal/create" -> create(request);
                case "terminal/output" -> request.respond(terminal(request).output());
                case "terminal/wait_for_exit" -> awaitExit(request);
                case "terminal/kill" -> inBackground(request, () -> terminal(request).kill());
                case "terminal/release" ->
                        inBackground(request, () -> terminals.release(request.params()));
                default -> unknown(request);
            }
        } catch (RpcException wrong) {
            request.fail(wrong);
        } catch (PathDenied denied) {
            request.fail(RpcException.INVALID_PARAMS, String.valueOf(denied.getMessage()));
        } catch (RuntimeException defect) {
            request.fail(defect);
        }
    }

    static void unknown(IncomingRequest request) {
        request.fail(
                RpcException.METHOD_NOT_FOUND, "Tandem has no method " + request.method() + ".");
    }

    private void permission(IncomingRequest request) {
        ObjectNode toolCall = AcpJson.objectOrEmpty(request.params().path("toolCall"));
        if (AcpJson.has(toolCall, "toolCallId")) {
            cards.merge(toolCall);
        }
        PermissionRequest asked =
                new PermissionRequest(
                        newId(),
                        UpdateView.forBrowser(toolCall),
                        AcpJson.arrayOrEmpty(request.params().path("options")));
        JsonNode none = PermissionAnswer.cancelled().toJson();
        if (cancelling) {
            request.respond(none);
            return;
        }
        ask(
                request,
                new Ask<>(asked.requestId(), none, answer -> outcome(asked, answer)),
                () -> host.permission(asked));
    }

    /** An id that the agent did not offer is never sent, whoever made it up. */
    private static JsonNode outcome(PermissionRequest asked, PermissionAnswer answer) {
        return switch (answer) {
            case PermissionAnswer.Selected(String id) when !asked.offers(id) ->
                    PermissionAnswer.cancelled().toJson();
            case PermissionAnswer.Selected selected -> selected.toJson();
            case PermissionAnswer.Cancelled cancelled -> cancelled.toJson();
        };
    }

    void elicitation(IncomingRequest request) {
        if (!offers.elicitation()) {
            unknown(request);
            return;
        }
        JsonNode cancelled = new ElicitationAnswer.Cancel().toJson();
        if (cancelling) {
            request.respond(cancelled);
            return;
        }
        ElicitationRequest asked = new ElicitationRequest(newId(), request.params());
        ask(
                request,
                new Ask<>(asked.requestId(), cancelled, ElicitationAnswer::toJson),
                () -> host.elicitation(asked));
    }

    /** How the host's answer becomes a result, and which result says "nobody answered". */
    private record Ask<T>(String requestId, JsonNode cancelled, Function<T, JsonNode> result) {}

    private interface Question<T> {
        CompletableFuture<T> put();
    }

    private <T> void ask(IncomingRequest request, Ask<T> ask, Question<T> question) {
        waiting.put(ask.requestId(), request);
        request.onCancel(() -> {
            request.respond(ask.cancelled());
            withdraw(ask.requestId());
        });
        var _ =
                question.put()
                        .whenComplete((answer, problem) -> {
                            waiting.remove(ask.requestId());
                            if (problem == null) {
                                request.respond(ask.result().apply(answer));
                            } else if (cause(problem) instanceof TandemException notAsked) {
                                request.fail(notAsked.code().jsonrpc(), notAsked.message());
                            } else {
                                request.respond(ask.cancelled());
                            }
                        });
    }

    private static @Nullable Throwable cause(@Nullable Throwable problem) {
        return problem instanceof CompletionException ? problem.getCause() : problem;
    }

    private void withdraw(String requestId) {
        if (waiting.remove(requestId) != null) {
            queue.add(() -> host.withdrawn(requestId), 0);
        }
    }

    private void read(IncomingRequest request) {
        requireOffer(offers.fs(), request);
        String path = AcpJson.text(request.params(), "path");
        String real = setup.fence().confine(path).toString();
        whenAllowed(
                request,
                "file:read",
                real,
                () -> {
                    int line = request.params().path("line").asInt(1);
                    int limit = request.params().path("limit").asInt(Integer.MAX_VALUE);
                    try (var channel = files.open(path)) {
                        String text = TextSlice.read(channel, Math.max(1, line), limit);
                        return AcpJson.object().put("content", text);
                    }
                });
    }

    private void write(IncomingRequest request) {
        requireOffer(offers.fs(), request);
        String path = AcpJson.text(request.params(), "path");
        JsonNode content = request.params().path("content");
        if (!content.isString()) {
            throw new RpcException(RpcException.INVALID_PARAMS, "content must be a string.");
        }
        String real = setup.fence().confine(path).toString();
        whenAllowed(
                request,
                "file:write",
                real,
                () -> {
                    files.replace(path, content.stringValue().getBytes(StandardCharsets.UTF_8));
                    return AcpJson.object();
                });
    }

    private void create(IncomingRequest request) {
        requireOffer(offers.terminal(), request);
        AgentTerminals.Command command = terminals.parse(request.params());
        whenAllowed(
                request,
                command.permission(),
                command.line(),
                () -> AcpJson.object().put("terminalId", terminals.create(command)));
    }

    private void awaitExit(IncomingRequest request) {
        var _ = terminal(request).exit().thenAccept(request::respond);
    }

    private AgentTerminal terminal(IncomingRequest request) {
        return terminals.require(request.params());
    }

    private static void requireOffer(boolean offered, IncomingRequest request) {
        if (!offered) {
            throw new RpcException(
                    RpcException.METHOD_NOT_FOUND,
                    "Tandem did not offer " + request.method() + " to this agent.");
        }
    }

    private interface Work {
        ObjectNode run() throws IOException;
    }

    /** Nothing is touched before the desk has said yes, and nothing after the user said stop. */
    private void whenAllowed(IncomingRequest request, String permission, String target, Work work) {
        if (cancelling && !permission.equals("file:read")) {
            request.cancel();
            return;
        }
        String id = newId();
        waiting.put(id, request);
        request.onCancel(() -> withdraw(id));
        AccessRequest wish = new AccessRequest(id, permission, target, request.params());
        var _ =
                host.access(wish)
                        .whenComplete((answer, problem) -> {
                            waiting.remove(id);
                            switch (answer) {
                                case AccessAnswer.Allowed _ -> inBackground(request, work);
                                case AccessAnswer.Refused refused ->
                                        request.fail(RpcException.INVALID_PARAMS, refused.reason());
                                case null ->
                                        request.fail(
                                                RpcException.CANCELLED,
                                                cause(problem) instanceof TandemException notAsked
                                                        ? notAsked.message()
                                                        : "Nobody gave permission.");
                            }
                        });
    }

    private static void inBackground(IncomingRequest request, Runnable work) {
        inBackground(
                request,
                () -> {
                    work.run();
                    return AcpJson.object();
                });
    }

    private static void inBackground(IncomingRequest request, Work work) {
        if (request.isAnswered()) {
            return;
        }
        Thread.ofVirtual().name("agent-request").start(() -> answerWith(request, work));
    }

    private static void answerWith(IncomingRequest request, Work work) {
        try {
            request.respond(work.run());
        } catch (NoSuchFileException missing) {
            request.fail(RpcException.NOT_FOUND, "There is no such file.");
        } catch (PathDenied denied) {
            request.fail(RpcException.INVALID_PARAMS, String.valueOf(denied.getMessage()));
        } catch (CharacterCodingException notText) {
            request.fail(RpcException.INTERNAL, "This file is not UTF-8 text.");
        } catch (IOException | RuntimeException failed) {
            request.fail(failed);
        }
    }

    /** The user said stop: whatever waits for a yes gets a no. */
    void cancelWaiting() {
        cancelling = true;
        waiting.values().forEach(IncomingRequest::cancel);
    }

    void turnEnded() {
        cancelling = false;
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }
}
