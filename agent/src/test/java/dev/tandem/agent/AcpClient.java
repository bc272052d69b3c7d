package dev.tandem.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The client's end of ACP, joined to an agent in this process. */
final class AcpClient implements AutoCloseable {
    final List<JsonNode> updates = new CopyOnWriteArrayList<>();
    private final PipedOutputStream toAgent = new PipedOutputStream();
    private final AtomicInteger nextId = new AtomicInteger(1);
    private final Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    String sessionId = "";

    AcpClient(Brain brain) throws IOException {
        PipedInputStream agentIn = new PipedInputStream(toAgent, 1 << 20);
        AcpStdio stdio = new AcpStdio(agentIn, new Lines());
        Thread.ofPlatform()
                .daemon()
                .start(() -> quietly(() -> stdio.run(new AgentServer(stdio, brain))));
    }

    /** Takes whole lines, as the agent writes them, from any thread. */
    private final class Lines extends OutputStream {
        @Override
        public void write(int single) {
            throw new IllegalStateException("one write is one line");
        }

        @Override
        public void write(byte[] line) {
            receive(Json.parse(new String(line, StandardCharsets.UTF_8)));
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void quietly(Work work) {
        try {
            work.run();
        } catch (IOException closed) {
            // The other end of the pipe is gone at the end of a test.
        }
    }

    private void receive(JsonNode message) {
        if (message.has("method")) {
            updates.add(message.path("params").path("update"));
        } else {
            Optional.ofNullable(pending.remove(message.path("id").asInt(-1)))
                    .ifPresent(waiting -> waiting.complete(message));
        }
    }

    CompletableFuture<JsonNode> send(String method, ObjectNode params) throws IOException {
        int id = nextId.getAndIncrement();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        ObjectNode message =
                Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        write(message.set("params", params));
        return answer;
    }

    private void write(ObjectNode message) throws IOException {
        toAgent.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        toAgent.flush();
    }

    JsonNode call(String method, ObjectNode params) throws Exception {
        return send(method, params).get(20, TimeUnit.SECONDS);
    }

    AcpClient open(ArrayNode mcpServers) throws Exception {
        call("initialize", Json.object().put("protocolVersion", 1));
        ObjectNode params = Json.object().put("cwd", "/").set("mcpServers", mcpServers);
        sessionId = Json.text(call("session/new", params).path("result"), "sessionId");
        return this;
    }

    CompletableFuture<JsonNode> prompt(String text, String... links) throws IOException {
        ArrayNode blocks = Json.array();
        blocks.addObject().put("type", "text").put("text", text);
        for (String link : links) {
            blocks.addObject().put("type", "resource_link").put("uri", link).put("name", link);
        }
        return prompt(blocks);
    }

    private CompletableFuture<JsonNode> prompt(ArrayNode blocks) throws IOException {
        ObjectNode params = Json.object().put("sessionId", sessionId);
        return send("session/prompt", params.set("prompt", blocks));
    }

    /** Prompts and returns the stop reason, or the error's message. */
    String ask(String text, String... links) throws Exception {
        return end(prompt(text, links));
    }

    String ask(ArrayNode blocks) throws Exception {
        return end(prompt(blocks));
    }

    private static String end(CompletableFuture<JsonNode> turn) throws Exception {
        JsonNode answer = turn.get(20, TimeUnit.SECONDS);
        return answer.has("error")
                ? Json.text(answer.path("error"), "message")
                : Json.text(answer.path("result"), "stopReason");
    }

    void cancel() throws IOException {
        ObjectNode note = Json.object().put("jsonrpc", "2.0").put("method", "session/cancel");
        write(note.set("params", Json.object().put("sessionId", sessionId)));
    }

    String said() {
        return updates.stream()
                .filter(u -> Json.text(u, "sessionUpdate").equals("agent_message_chunk"))
                .map(u -> Json.text(u.path("content"), "text"))
                .collect(Collectors.joining());
    }

    @Override
    public void close() throws IOException {
        toAgent.close();
    }
}
