package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Messages;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A chat client that keeps what it hears. ACP-23, ACP-L23 (the hub's half): every frame of the hub,
 * in every test that talks to it, is judged by the one description that both ends read.
 */
public final class ChatSocket implements WebSocket.Listener, AutoCloseable {
    public final CompletableFuture<String> closed = new CompletableFuture<>();
    private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final CompletableFuture<WebSocket> opened = new CompletableFuture<>();
    private final Map<String, Long> lastSeq = new HashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private ChatSocket() {}

    public static ChatSocket open(EdgeHub hub, String query, String... subprotocols)
            throws Exception {
        ChatSocket chat = new ChatSocket();
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        if (subprotocols.length > 0) {
            String[] more = new String[subprotocols.length - 1];
            System.arraycopy(subprotocols, 1, more, 0, more.length);
            builder.subprotocols(subprotocols[0], more);
        }
        chat.opened.complete(
                builder.buildAsync(URI.create("ws://127.0.0.1:" + hub.port() + "/ws" + query), chat)
                        .get(20, TimeUnit.SECONDS));
        return chat;
    }

    /** Connected in our own dialect; more fields of connect may be given. */
    public static ChatSocket tandem(EdgeHub hub, String... fields) throws Exception {
        ChatSocket chat = open(hub, "", "tandem.v1", "bearer." + hub.token);
        assertThat(chat.socket().getSubprotocol()).isEqualTo("tandem.v1");
        String more = fields.length == 0 ? "" : "," + String.join(",", fields);
        chat.say("{\"type\":\"connect\",\"id\":0" + more + "}");
        // ACP-32: the first frame after a good connect
        JsonNode first = chat.hear(m -> true, "connected");
        assertThat(first.get("type").asString()).isEqualTo("connected");
        return chat;
    }

    private WebSocket socket() {
        return opened.join();
    }

    public static String prompt(String session, String id, String words) {
        ObjectNode message = Json.object().put("type", "prompt").put("id", id);
        message.put("sessionId", session);
        message.putArray("content").addObject().put("type", "text").put("text", words);
        return Json.write(message);
    }

    /** The answer to new_session with this agent. */
    public JsonNode newSession(String agentId, String... fields) throws InterruptedException {
        String more = fields.length == 0 ? "" : "," + String.join(",", fields);
        say(
                "{\"type\":\"new_session\",\"id\":\"n\",\"agentId\":\"%s\",\"title\":\"t\"%s}"
                        .formatted(agentId, more));
        JsonNode made = answer("n");
        assertThat(made.get("type").asString()).as(made.toString()).isEqualTo("session_created");
        return made;
    }

    /** Sends a prompt and waits for the end of its turn; the answer is what the agent said. */
    public String turn(String session, String words) throws InterruptedException {
        say(prompt(session, "turn", words));
        StringBuilder said = new StringBuilder();
        while (true) {
            JsonNode message = hear(m -> true, "the turn's end");
            boolean whole = message.path("whole").asBoolean(false);
            if (whole && kind(message).equals("agent_message_chunk")) {
                said.append(message.at("/update/content/text").asString(""));
            }
            // Said at once after a turn, a prompt may wait for that turn's last word.
            boolean waits = message.path("type").asString("").equals("prompt_queued");
            if (!waits && message.path("id").asString("").equals("turn")) {
                assertThat(message.get("type").asString())
                        .as(message.toString())
                        .isEqualTo("prompt_complete");
                return said.toString();
            }
        }
    }

    public static String kind(JsonNode message) {
        return message.at("/update/sessionUpdate").asString("");
    }

    public void say(String message) {
        socket().sendText(message, true).join();
    }

    public JsonNode hear(String type) throws InterruptedException {
        return hear(message -> message.path("type").asString("").equals(type), type);
    }

    public JsonNode answer(String id) throws InterruptedException {
        return hear(message -> message.path("id").asString("").equals(id), "id " + id);
    }

    /** Says something and waits for its answer. */
    public JsonNode ask(String id, String message) throws InterruptedException {
        say(message);
        return answer(id);
    }

    public JsonNode hear(Predicate<JsonNode> wanted, String what) throws InterruptedException {
        while (true) {
            JsonNode message = heard.poll(60, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("Never heard " + what);
            }
            assertThat(wrong).isEmpty();
            if (message.has("seq") && message.has("at")) {
                long seq = message.get("seq").asLong();
                Long before = lastSeq.put(message.path("sessionId").asString(""), seq);
                assertThat(seq).isGreaterThanOrEqualTo(before == null ? 0 : before);
            }
            if (wanted.test(message)) {
                return message;
            }
        }
    }

    /** What was heard and not yet looked at. */
    public BlockingQueue<JsonNode> heard() {
        return heard;
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            JsonNode message = Json.parse(text.toString());
            text.setLength(0);
            Messages.relay().check(message).ifPresent(p -> wrong.add(p + " in " + message));
            heard.add(message);
        }
        webSocket.request(1);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
        closed.complete(code + " " + reason);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        closed.complete("broken " + error);
    }

    @Override
    public void close() {
        socket().abort();
        assertThat(wrong).isEmpty();
    }
}
