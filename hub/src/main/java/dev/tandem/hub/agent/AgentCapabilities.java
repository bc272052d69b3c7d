package dev.tandem.hub.agent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an agent said it can do; what it did not say it cannot. */
public record AgentCapabilities(ObjectNode raw) {
    /** Of an agent's whole answer to {@code initialize}. */
    public static AgentCapabilities saidIn(JsonNode greeting) {
        return new AgentCapabilities(AcpJson.objectOrEmpty(greeting.path("agentCapabilities")));
    }

    public boolean loadSession() {
        return raw.path("loadSession").asBoolean(false);
    }

    public boolean image() {
        return raw.path("promptCapabilities").path("image").asBoolean(false);
    }

    public boolean audio() {
        return raw.path("promptCapabilities").path("audio").asBoolean(false);
    }

    public boolean embeddedContext() {
        return raw.path("promptCapabilities").path("embeddedContext").asBoolean(false);
    }

    public boolean mcpHttp() {
        return raw.path("mcpCapabilities").path("http").asBoolean(false);
    }

    public boolean mcpSse() {
        return raw.path("mcpCapabilities").path("sse").asBoolean(false);
    }

    /** Whether it can reach such a server, in ACP's shape; programs every agent can start. */
    boolean takes(JsonNode server) {
        return switch (AcpJson.text(server, "type")) {
            case "http" -> mcpHttp();
            case "sse" -> mcpSse();
            default -> true;
        };
    }

    public boolean listSessions() {
        return declared(raw.path("sessionCapabilities").path("list"));
    }

    public boolean deleteSession() {
        return declared(raw.path("sessionCapabilities").path("delete"));
    }

    public boolean resumeSession() {
        return declared(raw.path("sessionCapabilities").path("resume"));
    }

    public boolean closeSession() {
        return declared(raw.path("sessionCapabilities").path("close"));
    }

    /** Whether a conversation that it had elsewhere can go on here. */
    public boolean remembers() {
        return listSessions() && (loadSession() || resumeSession());
    }

    public boolean additionalDirectories() {
        return declared(raw.path("sessionCapabilities").path("additionalDirectories"));
    }

    public boolean logout() {
        return declared(raw.path("auth").path("logout"));
    }

    private static boolean declared(JsonNode capability) {
        return capability.isObject() || (capability.isBoolean() && capability.booleanValue());
    }
}
