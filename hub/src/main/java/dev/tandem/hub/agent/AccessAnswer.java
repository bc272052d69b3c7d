package dev.tandem.hub.agent;

/** The desk's word on an {@link AccessRequest}; a refusal says why, in words for the agent. */
public sealed interface AccessAnswer {
    record Allowed() implements AccessAnswer {}

    record Refused(String reason) implements AccessAnswer {}

    static AccessAnswer allowed() {
        return new Allowed();
    }

    static AccessAnswer refused(String reason) {
        return new Refused(reason);
    }
}
