package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An ACP program that says the time over and over: {@code say N} so many pieces, {@code fill N} so
 * many finished tool calls. With {@code --bare N} it prints the same lines and nothing else.
 */
final class ChattyAgent {
    private static final long PAUSE_NANOS = 1_000_000;

    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private ChattyAgent() {}

    public static void main(String[] args) throws IOException {
        ChattyAgent agent = new ChattyAgent();
        if (args.length == 2) {
            agent.say("bare", Integer.parseInt(args[1]));
            return;
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            agent.take(Json.parse(line));
        }
    }

    private void take(JsonNode message) {
        JsonNode params = message.path("params");
        ObjectNode result = Json.object();
        switch (message.path("method").asString("")) {
            case "initialize" -> result.put("protocolVersion", 1);
            case "session/new" -> result.put("sessionId", "chatty");
            case "session/prompt" -> {
                String[] words = params.at("/prompt/0/text").asString("say 1").split(" ", 2);
                int count = Integer.parseInt(words[1]);
                if (words[0].equals("fill")) {
                    fill(count);
                } else {
                    say("chatty", count);
                }
                result.put("stopReason", "end_turn");
            }
            default -> {
                // an empty answer does
            }
        }
        if (message.has("id")) {
            ObjectNode answer = Json.object().put("jsonrpc", "2.0");
            answer.set("id", message.get("id"));
            line(answer.set("result", result));
        }
    }

    private void say(String session, int count) {
        for (int i = 0; i < count; i++) {
            ObjectNode update = Json.object().put("sessionUpdate", "agent_message_chunk");
            update.putObject("content")
                    .put("type", "text")
                    .put("text", "t" + System.nanoTime() + " ");
            update(session, update);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) {
            ObjectNode update = Json.object().put("sessionUpdate", "tool_call");
            update.put("toolCallId", "f" + i).put("title", "Filler").put("status", "completed");
            update.putObject("rawInput").put("number", i);
            update("chatty", update);
        }
    }

    private void update(String session, ObjectNode update) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", "session/update");
        message.putObject("params").put("sessionId", session).set("update", update);
        line(message);
    }

    private void line(JsonNode message) {
        out.print(Json.write(message) + "\n");
        out.flush();
    }
}
