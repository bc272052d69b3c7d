package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentCapabilities;
import dev.tandem.hub.agent.AgentListing;
import dev.tandem.hub.agent.Launch;
import dev.tandem.protocol.Json;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The programs themselves: which there are, signing in and out, starting again. */
final class AgentMessages implements Family {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;

    AgentMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "list_agents" -> {
                ObjectNode reply = Wire.message("agents");
                wire.reply(message, reply.set("agents", list()));
            }
            case "authenticate" -> client.aside(message, () -> authenticate(message));
            case "logout" ->
                    client.aside(
                            message,
                            () -> {
                                String id = Wire.required(message, "agentId");
                                parts.engine().processes().signOut(id);
                                wire.reply(message, state(id, "auth_required"));
                            });
            case "restart_agent" ->
                    client.aside(
                            message,
                            () -> {
                                String id = Wire.required(message, "agentId");
                                parts.engine().processes().restart(id);
                                wire.reply(message, state(id, "ready"));
                            });
            default -> {
                return false;
            }
        }
        return true;
    }

    ArrayNode list() {
        ArrayNode agents = Json.array();
        for (AgentListing one : parts.agents().list()) {
            String id = one.entry().agentId();
            ObjectNode agent = agents.addObject().put("agentId", id);
            agent.put("name", one.entry().name()).put("command", one.entry().argv().getFirst());
            ArrayNode args = agent.putArray("args");
            one.entry().argv().stream().skip(1).forEach(args::add);
            agent.put("available", one.available()).put("builtIn", one.builtIn());
            agent.put("path", one.path()).put("reason", one.reason());
            agent.put("login", one.login().name().toLowerCase(Locale.ROOT));
            agent.put("state", parts.engine().processes().run(id) ? "ready" : "exited");
            parts.engine()
                    .accounts()
                    .known(id)
                    .ifPresent(greeting -> {
                        Wire.copy(greeting, "authMethods", agent, "authMethods");
                        AgentCapabilities can = AgentCapabilities.saidIn(greeting);
                        agent.put("remembers", can.remembers()).put("signsOut", can.logout());
                    });
        }
        return agents;
    }

    /** What the agent said of itself; starts it once if nobody has asked it yet. */
    void greet(String agentId, ObjectNode message) {
        ObjectNode greeting = parts.engine().accounts().greeting(agentId);
        message.put("agentId", agentId);
        Wire.copy(greeting, "agentInfo", message, "agentInfo");
        Wire.copy(greeting, "agentCapabilities", message, "capabilities");
        JsonNode prompt = greeting.path("agentCapabilities").path("promptCapabilities");
        if (prompt.isObject()) {
            message.set("promptCapabilities", prompt);
        }
        Wire.copy(greeting, "authMethods", message, "authMethods");
    }

    private void authenticate(ObjectNode message) {
        String id = Wire.required(message, "agentId");
        Optional<Launch> inTerminal =
                parts.engine().accounts().signIn(id, Wire.required(message, "methodId"));
        ObjectNode reply = state(id, inTerminal.isPresent() ? "auth_required" : "ready");
        // A sign-in that needs a terminal is the user's to run, in a terminal of theirs.
        inTerminal.ifPresent(login -> {
            ObjectNode terminal = reply.putObject("terminal");
            ArrayNode command = terminal.putArray("command");
            login.argv().forEach(command::add);
            ObjectNode env = terminal.putObject("env");
            login.env().forEach(env::put);
        });
        wire.reply(message, reply);
    }

    private ObjectNode state(String agentId, String state) {
        ObjectNode message = Wire.message("agent_state").put("state", state);
        greet(agentId, message);
        return message;
    }
}
