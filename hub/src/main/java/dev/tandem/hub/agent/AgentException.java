package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/** Something about an agent failed; {@link #code()} is the word that clients see. */
public final class AgentException extends RuntimeException {
    /** In {@code details}: the parts of its words, for those who say them in another language. */
    public static final String EXIT = "exit";

    private final String code;
    private final boolean retryable;
    private final transient ObjectNode details;

    AgentException(String code, String message) {
        this(code, message, false, AcpJson.object());
    }

    AgentException(String code, String message, boolean retryable, ObjectNode details) {
        super(message);
        this.code = code;
        this.retryable = retryable;
        this.details = details;
    }

    /** What the agent's JSON-RPC error means here; the whole error stays in {@code details.rpc}. */
    static AgentException ofRpc(RpcException rpc) {
        ObjectNode details = AcpJson.object();
        details.set("rpc", rpc.toJson());
        if (rpc.code() == RpcException.AUTH_REQUIRED) {
            return new AgentException("auth_required", rpc.message(), true, details);
        }
        return new AgentException("agent_error", rpc.explained(), false, details);
    }

    public String code() {
        return code;
    }

    public boolean retryable() {
        return retryable;
    }

    public ObjectNode details() {
        return details;
    }
}
