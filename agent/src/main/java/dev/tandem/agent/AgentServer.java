package dev.tandem.agent;

import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The agent's side of ACP: sessions, prompts, cancel. */
final class AgentServer implements AcpStdio.Handler {
    private final AcpStdio stdio;
    private final Brain brain;
    private final Map<String, Conversation> conversations = new ConcurrentHashMap<>();

    AgentServer(AcpStdio stdio, Brain brain) {
        this.stdio = stdio;
        this.brain = brain;
    }

    @Override
    public void message(String method, JsonNode id, JsonNode params) {
        switch (method) {
            case "initialize" -> stdio.respond(id, greeting());
            case "authenticate" -> stdio.respond(id, Json.object());
            case "session/new" -> open(id, params);
            case "session/prompt" -> prompt(id, params);
            case "session/cancel" -> conversation(params).cancel();
            case "session/close" -> {
                conversation(params).close();
                conversations.remove(Json.text(params, "sessionId"));
                stdio.respond(id, Json.object());
            }
            default -> {
                if (!id.isMissingNode()) {
                    throw new AcpStdio.Failure(-32601, "There is no method " + method + ".");
                }
            }
        }
    }

    private ObjectNode greeting() {
        ObjectNode result = Json.object().put("protocolVersion", 1);
        ObjectNode can = result.putObject("agentCapabilities").put("loadSession", false);
        can.putObject("promptCapabilities")
                .put("image", brain.takesImages())
                .put("audio", false)
                .put("embeddedContext", true);
        can.putObject("mcpCapabilities").put("http", true).put("sse", false);
        can.putObject("sessionCapabilities").putObject("close");
        result.putArray("authMethods");
        result.putObject("agentInfo")
                .put("name", "tandem")
                .put("title", brain.name())
                .put("version", version());
        return result;
    }

    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "0.1.0" : version;
    }

    private void open(JsonNode id, JsonNode params) {
        if (!Path.of(Json.text(params, "cwd")).isAbsolute()) {
            throw new AcpStdio.Failure(-32602, "cwd must be an absolute path.");
        }
        String sessionId = "tandem-" + UUID.randomUUID();
        conversations.put(
                sessionId,
                new Conversation(sessionId, stdio, new Toolbox(params.path("mcpServers"))));
        stdio.respond(id, Json.object().put("sessionId", sessionId));
    }

    private void prompt(JsonNode id, JsonNode params) {
        Conversation conversation = conversation(params);
        Turn turn = conversation.begin(params.path("prompt"));
        Thread.ofVirtual()
                .name("turn")
                .start(() -> {
                    try {
                        String reason = conversation.run(brain, turn);
                        stdio.respond(id, Json.object().put("stopReason", reason));
                    } catch (AcpStdio.Failure failure) {
                        stdio.fail(id, -32603, String.valueOf(failure.getMessage()));
                    } catch (RuntimeException defect) {
                        stdio.fail(id, -32603, "The agent failed: " + defect);
                    }
                });
    }

    private Conversation conversation(JsonNode params) {
        Conversation found = conversations.get(Json.text(params, "sessionId"));
        if (found == null) {
            throw new AcpStdio.Failure(-32602, "There is no such session.");
        }
        return found;
    }
}
