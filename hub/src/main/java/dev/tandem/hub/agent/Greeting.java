package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/** The first request to every agent: who we are and what we can do. */
final class Greeting {
    private Greeting() {}

    static ObjectNode of(AgentEntry.Offers offers, String hubVersion) {
        ObjectNode hello = AcpJson.object().put("protocolVersion", 1);
        ObjectNode can = hello.putObject("clientCapabilities");
        can.putObject("fs").put("readTextFile", offers.fs()).put("writeTextFile", offers.fs());
        can.put("terminal", offers.terminal());
        ObjectNode session = can.putObject("session");
        session.putObject("configOptions").putObject("boolean");
        session.putObject("compaction");
        session.putObject("notices");
        can.putObject("auth").put("terminal", true);
        if (offers.elicitation()) {
            ObjectNode elicitation = can.putObject("elicitation");
            elicitation.putObject("form");
            elicitation.putObject("url");
        }
        hello.putObject("clientInfo")
                .put("name", "tandem")
                .put("title", "Tandem")
                .put("version", hubVersion);
        return hello;
    }
}
