package dev.tandem.hub.agent.scripted;

import static dev.tandem.hub.agent.scripted.ScriptedAgent.JSON;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One prompt, played line by line; {@link ScriptedAgent} lists the words. */
final class Script {
    private final ScriptedAgent agent;
    private final String session;
    private final ArrayNode prompt;
    private final ObjectNode more = JSON.createObjectNode();
    private String stopReason = "end_turn";
    private String terminal = "";

    /** The prompt shall end with this JSON-RPC error. */
    static final class Failure extends Exception {
        final int code;

        Failure(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    Script(ScriptedAgent agent, String session, ArrayNode prompt) {
        this.agent = agent;
        this.session = session;
        this.prompt = prompt;
    }

    ObjectNode play() throws Exception {
        StringBuilder text = new StringBuilder();
        for (JsonNode block : prompt) {
            text.append(block.path("text").asString("")).append('\n');
        }
        for (String line : text.toString().strip().split("\n", -1)) {
            String[] parts = line.split(" ", 2);
            word(parts[0], parts.length > 1 ? parts[1] : "", line);
        }
        ObjectNode result = JSON.createObjectNode().put("stopReason", stopReason);
        result.putObject("_meta").put("turn", "played");
        result.putObject("usage")
                .put("totalTokens", 12)
                .put("inputTokens", 7)
                .put("outputTokens", 5);
        return result.setAll(more);
    }

    private void word(String word, String rest, String line) throws Exception {
        switch (word) {
            case "say" -> say(rest);
            case "thought" -> agent.say(session, "agent_thought_chunk", rest);
            case "chunks", "flood" -> {
                for (int i = 0; i < Integer.parseInt(rest); i++) {
                    say(i + " ");
                }
            }
            case "update" ->
                    agent.line(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":"
                                    + "{\"sessionId\":\"%s\",\"update\":%s}}"
                                            .formatted(session, rest));
            case "raw" -> agent.line(rest);
            case "garbage" ->
                    agent.line("%&/ not json\n\n[]\n\"x\"\n{\"id\":99}\n{\"jsonrpc\":\"2.0\"}");
            case "huge" -> say("x".repeat(Integer.parseInt(rest)));
            case "endless" -> agent.withoutEnd(Integer.parseInt(rest));
            case "stderr" -> System.err.println(rest);
            case "ask" -> ask(rest);
            case "take-back" -> takeBack(rest);
            case "read" -> say(result("fs/read_text_file", readParams(rest)));
            case "write" -> say(result("fs/write_text_file", writeParams(rest)));
            case "request" -> request(rest);
            case "notify" -> {
                String[] parts = rest.split(" ", 2);
                agent.notify(parts[0], JSON.readTree(parts[1]));
            }
            case "run", "open", "create", "output", "await", "kill", "release" ->
                    terminal(word, rest);
            case "env" -> environment();
            case "pid" -> say(Long.toString(ProcessHandle.current().pid()));
            case "fork" -> fork();
            case "shell" -> shell(rest);
            case "daemon" -> daemon(rest);
            case "http" -> http(rest);
            case "blocks" -> say(prompt.toString());
            case "model" -> say(agent.model());
            case "leak" -> leak();
            case "mcp" -> mcp(rest);
            case "servers" -> say(agent.setupOf(session).get("mcpServers").toString());
            case "mcp-two" -> mcpTwo(rest.split(" ", 2));
            case "wait" -> {
                agent.cancelOf(session).join();
                stopReason = "cancelled";
            }
            case "hang" -> new CompletableFuture<Void>().join();
            case "late" -> {
                agent.cancelOf(session).join();
                say(rest);
                stopReason = "cancelled";
            }
            case "die" -> {
                System.err.println("something terrible happened");
                System.err.flush();
                Runtime.getRuntime().halt(Integer.parseInt(rest));
            }
            case "stop" -> stopReason = rest;
            case "result" -> more.setAll((ObjectNode) JSON.readTree(rest));
            case "fail" -> {
                String[] parts = rest.split(" ", 2);
                throw new Failure(Integer.parseInt(parts[0]), parts[1]);
            }
            default -> say(line);
        }
    }

    private void say(String text) {
        agent.say(session, "agent_message_chunk", text);
    }

    private ObjectNode params() {
        return JSON.createObjectNode().put("sessionId", session);
    }

    private ObjectNode readParams(String rest) {
        String[] parts = rest.split(" ", -1);
        ObjectNode params = params().put("path", parts[0]);
        if (parts.length > 2) {
            params.put("line", Integer.parseInt(parts[1])).put("limit", Integer.parseInt(parts[2]));
        }
        return params;
    }

    private ObjectNode writeParams(String rest) {
        String[] parts = rest.split(" ", 2);
        return params().put("path", parts[0]).put("content", parts[1]);
    }

    private JsonNode answer(String method, JsonNode params) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        agent.request(method, params, answer);
        return answer.join();
    }

    private String result(String method, JsonNode params) {
        JsonNode answer = answer(method, params);
        JsonNode error = answer.get("error");
        return error == null
                ? answer.get("result").toString()
                : "error " + error.get("code").asInt() + " " + error.get("message").asString();
    }

    private void request(String rest) {
        String[] parts = rest.split(" ", 2);
        ObjectNode params = params();
        params.setAll((ObjectNode) JSON.readTree(parts.length > 1 ? parts[1] : "{}"));
        say(result(parts[0], params));
    }

    private ObjectNode question(String kinds, String toolCall) {
        ObjectNode params = params();
        params.set(
                "toolCall",
                JSON.readTree(toolCall.isEmpty() ? "{\"toolCallId\":\"t1\"}" : toolCall));
        ArrayNode options = params.putArray("options");
        int number = 1;
        for (String kind : kinds.split(",", -1)) {
            String id = "choice-" + number++;
            options.addObject().put("optionId", id).put("name", kind).put("kind", kind);
        }
        return params;
    }

    private void ask(String rest) {
        String[] parts = rest.split(" ", 2);
        JsonNode answer =
                answer(
                        "session/request_permission",
                        question(parts[0], parts.length > 1 ? parts[1] : ""));
        JsonNode outcome = answer.path("result").path("outcome");
        say(
                "permission "
                        + outcome.path("optionId").asString(outcome.path("outcome").asString("?")));
    }

    private void takeBack(String rest) {
        String[] parts = rest.split(" ", 2);
        ObjectNode params = params();
        params.setAll((ObjectNode) JSON.readTree(parts[1].replace("TERMINAL", terminal)));
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        String id = agent.request(parts[0], params, answer);
        agent.notify("$/cancel_request", JSON.createObjectNode().put("requestId", id));
        JsonNode message = answer.join();
        say(
                message.has("error")
                        ? "-" + message.get("error").get("code")
                        : message.get("result").toString());
        say("\n");
    }

    private void terminal(String word, String rest) {
        ObjectNode params = params().put("terminalId", terminal);
        switch (word) {
            case "run" -> {
                open(rest);
                terminal("await", "");
                terminal("output", "");
                terminal("release", "");
            }
            case "open" -> open(rest);
            case "create" -> create((ObjectNode) JSON.readTree(rest));
            case "output" -> say(result("terminal/output", params));
            case "await" -> say(result("terminal/wait_for_exit", params));
            case "kill" -> say(result("terminal/kill", params));
            default -> say(result("terminal/release", params));
        }
    }

    private void open(String rest) {
        List<String> argv = List.of(rest.split(" ", -1));
        ObjectNode params = params().put("command", argv.getFirst());
        ArrayNode args = params.putArray("args");
        argv.stream().skip(1).forEach(args::add);
        params.putArray("env").addObject().put("name", "LD_PRELOAD").put("value", "/evil.so");
        create(params);
    }

    private void create(ObjectNode wish) {
        JsonNode answer = answer("terminal/create", params().setAll(wish));
        terminal = answer.path("result").path("terminalId").asString("none");
        if (answer.has("error")) {
            say("error " + answer.get("error").get("message").asString());
        }
    }

    private void environment() {
        StringBuilder all = new StringBuilder();
        for (Map.Entry<String, String> variable : new TreeMap<>(System.getenv()).entrySet()) {
            all.append(variable.getKey()).append('=').append(variable.getValue()).append('\n');
        }
        say(all.toString());
    }

    /** The middle process ends at once, so the last one has lost its parent. */
    private void fork() throws Exception {
        Process middle =
                new ProcessBuilder("sh", "-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!")
                        .start();
        String pid =
                new String(
                        middle.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        middle.waitFor();
        say("forked " + pid.strip());
    }

    private void shell(String command) throws Exception {
        Process child = new ProcessBuilder("sh", "-c", command + " 2>&1").start();
        child.getOutputStream().close();
        say(
                new String(
                        child.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8));
        child.waitFor();
    }

    /** The shell that started the command is gone before it runs: it has lost its parents. */
    private void daemon(String command) throws Exception {
        java.nio.file.Path out = java.nio.file.Files.createTempFile("daemon", ".out");
        java.nio.file.Path done = out.resolveSibling(out.getFileName() + ".done");
        String inner = command + " >" + out + " 2>&1 </dev/null; touch " + done;
        ProcessBuilder middle =
                new ProcessBuilder(
                        "sh", "-c", "setsid sh -c \"$1\" >/dev/null 2>&1 &", "sh", inner);
        middle.start().waitFor();
        while (!java.nio.file.Files.exists(done)) {
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
        }
        say(java.nio.file.Files.readString(out));
        java.nio.file.Files.delete(out);
        java.nio.file.Files.delete(done);
    }

    /** METHOD URL TOKEN: says the status and the beginning of the answer, on one line. */
    private void http(String rest) throws Exception {
        String[] parts = rest.split(" ", 3);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(parts[1]))
                        .header("Authorization", "Bearer " + parts[2])
                        .method(parts[0], HttpRequest.BodyPublishers.ofString("{}"))
                        .timeout(java.time.Duration.ofSeconds(20))
                        .build();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            say(answer.statusCode() + " " + answer.body().replace('\n', ' ') + "\n");
        }
    }

    /** Gives its own key away. */
    private void leak() {
        JsonNode server = agent.setupOf(session).get("mcpServers").get(0);
        JsonNode header = server.get("headers").get(0);
        say("leak " + server.get("url").asString() + " " + header.get("value").asString());
    }

    private void mcp(String rest) throws Exception {
        String[] parts = rest.split(" ", 2);
        JsonNode server = agent.setupOf(session).get("mcpServers").get(0);
        ObjectNode call = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", 1);
        call.put("method", parts[0])
                .set("params", JSON.readTree(parts.length > 1 ? parts[1] : "{}"));
        if (server.has("command")) {
            say("mcp " + overStdio(server, call));
            return;
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.get("url").asString()))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(call.toString()));
        for (JsonNode header : server.get("headers")) {
            request.header(header.get("name").asString(), header.get("value").asString());
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            say("mcp " + client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body());
        }
    }

    /** Two tools at once, as agents that work in parallel do. */
    private void mcpTwo(String[] names) {
        CompletableFuture<?>[] calls = new CompletableFuture<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            String call = "tools/call {\"name\":\"" + names[i] + "\",\"arguments\":{}}";
            calls[i] =
                    CompletableFuture.runAsync(() -> {
                        try {
                            mcp(call);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    });
        }
        CompletableFuture.allOf(calls).join();
    }

    private static String overStdio(JsonNode server, ObjectNode call) throws Exception {
        List<String> command = new ArrayList<>(List.of(server.get("command").asString()));
        server.get("args").forEach(arg -> command.add(arg.asString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        server.get("env")
                .forEach(one ->
                        builder.environment()
                                .put(one.get("name").asString(), one.get("value").asString()));
        Process bridge = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var out = bridge.getOutputStream()) {
            out.write((call + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return new String(bridge.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
