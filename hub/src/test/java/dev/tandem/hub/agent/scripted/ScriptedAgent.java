package dev.tandem.hub.agent.scripted;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A real ACP program for tests that does every legal and illegal thing on request. Start it with
 * {@link ScriptedAgentCommand#argv}.
 *
 * <p>Flags, each {@code --name=value}:
 *
 * <ul>
 *   <li>{@code caps} JSON of agentCapabilities (default: everything); {@code protocol} the version
 *       it answers; {@code options} {@code config|models|mixed|modes|all|none} (default config)
 *   <li>{@code silent} answers nothing; {@code exit} ends with that code at start; {@code banner}
 *       prints to stdout before speaking; {@code early} updates before the session/new answer
 *   <li>{@code auth} demands authenticate before session/new, and its sign-in in a terminal would
 *       end with that code
 *   <li>{@code record} a file that gets every line it receives ({@code >}) and every request it
 *       sends ({@code <}); {@code child} starts a child that survives it and writes its pid to the
 *       given file; {@code deaf} ignores the end of stdin
 *   <li>{@code replay} how many updates session/load repeats; {@code mute} a method it never
 *       answers; {@code leave} a method at which it ends with code 0; {@code broken} a session/new
 *       that fails inside, with that word on stderr; {@code answer} JSON with more fields of
 *       session/new's answer
 * </ul>
 *
 * <p>A prompt is a script, one word with arguments per line; text that is no word is said back:
 *
 * <ul>
 *   <li>{@code say TEXT}, {@code thought TEXT}, {@code chunks N}, {@code update JSON}, {@code raw
 *       LINE}, {@code garbage}, {@code huge BYTES}, {@code flood N}, {@code stderr TEXT}, {@code
 *       endless BYTES} a line that has no end
 *   <li>{@code ask KIND[,KIND…] [JSON toolCall]} then says {@code permission <optionId|cancelled>};
 *       {@code take-back METHOD JSON} asks and cancels its own request
 *   <li>{@code read PATH [LINE LIMIT]}, {@code write PATH TEXT}, {@code request METHOD JSON}, each
 *       says the result or {@code error CODE MESSAGE}; {@code notify METHOD JSON}
 *   <li>{@code run PROGRAM ARGS…} a whole terminal round; {@code open PROGRAM ARGS…} or {@code
 *       create JSON}, {@code output}, {@code await}, {@code kill}, {@code release} the single steps
 *       on the last one
 *   <li>{@code env}, {@code pid}, {@code fork} (double fork, says the pid), {@code blocks} (says
 *       the prompt's blocks), {@code model} (says which one it uses)
 *   <li>{@code shell COMMAND} as a child, {@code daemon COMMAND} double-forked, {@code http METHOD
 *       URL TOKEN} from this process; each says what came back
 *   <li>{@code servers} says which MCP servers it was given
 *   <li>{@code mcp METHOD JSON} a call to the MCP server given for the session, over HTTP
 *   <li>{@code wait} until cancelled, {@code hang} forever and deaf to cancel, {@code late TEXT}
 *       says it after a cancel, {@code die CODE}, {@code stop REASON}, {@code fail CODE MESSAGE},
 *       {@code result JSON} more fields of the prompt's answer
 * </ul>
 */
public final class ScriptedAgent {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private final PrintStream out;
    private final Map<String, String> flags;
    private final AtomicLong nextId = new AtomicLong(1);
    private final AtomicLong nextSession = new AtomicLong(1);
    private final Map<String, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<Void>> cancels = new ConcurrentHashMap<>();
    private final Map<String, ObjectNode> setups = new ConcurrentHashMap<>();
    private final ScriptedOptions options;
    private volatile boolean signedIn;

    private ScriptedAgent(Map<String, String> flags) {
        this.flags = flags;
        this.out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        this.options = new ScriptedOptions(flags.getOrDefault("options", "config"));
        this.signedIn = !flags.containsKey("auth");
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> flags = new HashMap<>();
        for (String arg : args) {
            String[] parts = arg.replaceFirst("^--", "").split("=", 2);
            flags.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        new ScriptedAgent(flags).run();
    }

    private void run() throws Exception {
        System.err.println("scripted agent " + ProcessHandle.current().pid() + " is here");
        if (flags.containsKey("exit")) {
            System.err.println("cannot go on: the configuration is broken");
            System.exit(Integer.parseInt(flags.get("exit")));
        }
        if (flags.containsKey("broken")) {
            System.err.println(flags.get("broken"));
        }
        if (flags.containsKey("banner")) {
            out.print("Welcome to the scripted agent!\n\n{not json\n[1,2]\n42\n");
            out.flush();
        }
        if (flags.containsKey("child")) {
            Process child = new ProcessBuilder("sleep", "600").start();
            Files.writeString(Path.of(flags.get("child")), Long.toString(child.pid()));
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            record("> " + line);
            if (!flags.containsKey("silent")) {
                receive((ObjectNode) JSON.readTree(line));
            }
        }
        if (flags.containsKey("deaf")) {
            Thread.currentThread().join();
        }
        System.exit(0);
    }

    private synchronized void record(String line) {
        if (flags.containsKey("record")) {
            try {
                Files.writeString(
                        Path.of(flags.get("record")),
                        line + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException full) {
                throw new UncheckedIOException(full);
            }
        }
    }

    private void receive(ObjectNode message) {
        if (!message.has("method")) {
            CompletableFuture<JsonNode> waiting = pending.remove(message.path("id").asString(""));
            if (waiting != null) {
                waiting.complete(message);
            }
            return;
        }
        ObjectNode params = (ObjectNode) message.get("params");
        String session = params.path("sessionId").asString("");
        switch (message.get("method").asString()) {
            case "session/cancel" -> cancelOf(session).complete(null);
            case "session/prompt" -> {
                // Here, since a cancel may be the very next line.
                cancels.put(session, new CompletableFuture<>());
                Thread.ofPlatform().daemon().start(() -> prompt(message.get("id"), params));
            }
            case "$/cancel_request" -> {}
            default -> answer(message.get("id"), message.get("method").asString(), params);
        }
    }

    private void answer(JsonNode id, String method, ObjectNode params) {
        if (method.equals(flags.get("mute"))) {
            return;
        }
        if (method.equals(flags.get("leave"))) {
            Runtime.getRuntime().halt(0);
        }
        switch (method) {
            case "initialize" -> respond(id, greeting());
            case "authenticate" -> {
                signedIn = true;
                respond(id, JSON.createObjectNode());
            }
            case "session/new" -> newSession(id, params);
            case "session/load" -> load(id, params);
            case "session/resume" -> {
                remember(params.get("sessionId").asString(), params);
                respond(id, JSON.createObjectNode());
            }
            case "session/list" -> respond(id, page(params.path("cursor").asString("0")));
            case "session/set_config_option", "session/set_mode", "session/set_model" -> {
                ObjectNode result = options.set(method, params);
                if (result.has("error")) {
                    fail(id, -32602, result.get("error").asString());
                } else {
                    respond(id, result);
                }
            }
            default -> respond(id, JSON.createObjectNode());
        }
    }

    private ObjectNode greeting() {
        ObjectNode result = JSON.createObjectNode();
        result.put("protocolVersion", Integer.parseInt(flags.getOrDefault("protocol", "1")));
        result.set("agentCapabilities", JSON.readTree(flags.getOrDefault("caps", EVERYTHING)));
        ArrayNode methods = result.putArray("authMethods");
        methods.addObject().put("id", "key").put("name", "A key").put("description", "Type it");
        ObjectNode terminal = methods.addObject().put("type", "terminal").put("id", "tty");
        terminal.put("name", "In a terminal").putArray("args").add("--login=" + flags.get("auth"));
        terminal.putObject("env").put("LOGIN_STYLE", "tty");
        result.putObject("agentInfo").put("name", "scripted").put("version", "1.2.3");
        return result;
    }

    private static final String EVERYTHING =
            """
            {"loadSession":true,
             "promptCapabilities":{"image":true,"audio":true,"embeddedContext":true},
             "mcpCapabilities":{"http":true,"sse":true},
             "sessionCapabilities":{"list":{},"delete":{},"resume":{},"close":{},
               "additionalDirectories":{}},
             "auth":{"logout":{}}}
            """;

    private void newSession(JsonNode id, ObjectNode params) {
        if (flags.containsKey("broken")) {
            ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").set("id", id);
            ObjectNode error = message.putObject("error").put("code", -32603);
            error.put("message", "Internal error").putObject("data").put("details", "It closed");
            line(message.toString());
            return;
        }
        if (!signedIn) {
            fail(id, -32000, "Sign in first");
            return;
        }
        String session = "s" + nextSession.getAndIncrement() + "-" + ProcessHandle.current().pid();
        remember(session, params);
        if (flags.containsKey("early")) {
            ObjectNode update = JSON.createObjectNode();
            update.put("sessionUpdate", "available_commands_update");
            update.putArray("availableCommands")
                    .addObject()
                    .put("name", "early")
                    .put("description", "");
            update(session, update);
        }
        ObjectNode more = (ObjectNode) JSON.readTree(flags.getOrDefault("answer", "{}"));
        respond(id, options.describe().put("sessionId", session).setAll(more));
    }

    private void load(JsonNode id, ObjectNode params) {
        String session = params.get("sessionId").asString();
        if (session.equals("unknown")) {
            fail(id, -32002, "Invalid session identifier");
            return;
        }
        remember(session, params);
        int count = Integer.parseInt(flags.getOrDefault("replay", "2"));
        for (int i = 0; i < count; i++) {
            say(session, i % 2 == 0 ? "user_message_chunk" : "agent_message_chunk", "old " + i);
        }
        respond(id, options.describe());
    }

    private void remember(String session, ObjectNode params) {
        setups.put(session, params);
    }

    private static ObjectNode page(String cursor) {
        int page = Integer.parseInt(cursor);
        ObjectNode result = JSON.createObjectNode();
        ObjectNode old = result.putArray("sessions").addObject();
        old.put("sessionId", "old" + page).put("cwd", "/");
        old.put("updatedAt", "2026-01-0" + (page + 1) + "T10:00:00Z");
        return page < 2 ? result.put("nextCursor", Integer.toString(page + 1)) : result;
    }

    private void prompt(JsonNode id, ObjectNode params) {
        String session = params.get("sessionId").asString();
        try {
            respond(id, new Script(this, session, (ArrayNode) params.get("prompt")).play());
        } catch (Script.Failure failure) {
            fail(id, failure.code, failure.getMessage());
        } catch (Exception defect) {
            fail(id, -32603, defect.toString());
        }
    }

    CompletableFuture<Void> cancelOf(String session) {
        return cancels.computeIfAbsent(session, fresh -> new CompletableFuture<>());
    }

    String model() {
        return options.model();
    }

    ObjectNode setupOf(String session) {
        return setups.get(session);
    }

    void say(String session, String kind, String text) {
        ObjectNode update = JSON.createObjectNode().put("sessionUpdate", kind);
        update.putObject("content").put("type", "text").put("text", text);
        update(session, update);
    }

    void update(String session, JsonNode update) {
        ObjectNode params = JSON.createObjectNode().put("sessionId", session);
        notify("session/update", params.set("update", update));
    }

    void notify(String method, JsonNode params) {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").put("method", method);
        line(message.set("params", params).toString());
    }

    /** Ids are strings on purpose: the hub must give them back as they came. */
    String request(String method, JsonNode params, CompletableFuture<JsonNode> answer) {
        String id = "a-" + nextId.getAndIncrement();
        pending.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", id);
        String text = message.put("method", method).set("params", params).toString();
        record("< " + text);
        line(text);
        return id;
    }

    private void respond(JsonNode id, JsonNode result) {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").set("id", id);
        line(message.set("result", result).toString());
    }

    private void fail(JsonNode id, int code, String text) {
        ObjectNode message = JSON.createObjectNode().put("jsonrpc", "2.0").set("id", id);
        message.putObject("error").put("code", code).put("message", text);
        line(message.toString());
    }

    synchronized void withoutEnd(int bytes) {
        String piece = "x".repeat(64 * 1024);
        for (int written = 0; written < bytes; written += piece.length()) {
            out.print(piece);
        }
        out.flush();
    }

    synchronized void line(String text) {
        out.print(text + "\n");
        out.flush();
    }
}
