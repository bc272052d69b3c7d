package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ModelState;
import dev.tandem.protocol.Json;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Models, modes and options of a session's agent. */
final class SettingMessages implements Family {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;

    SettingMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "set_session_model" -> client.aside(message, () -> setModel(message));
            case "set_mode" ->
                    client.aside(
                            message,
                            () -> {
                                String mode = Wire.required(message, "modeId");
                                change(message, agent -> agent.setMode(mode));
                            });
            case "set_config_option" -> client.aside(message, () -> setOption(message));
            case "terminal_output" -> {
                String id = client.sessionId(message);
                ObjectNode reply = Wire.about("terminal_output", id);
                agent(id)
                        .terminalOutput(Wire.required(message, "terminalId"))
                        .ifPresent(reply::setAll);
                wire.reply(message, reply);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Tells which models there are, and nothing where the agent has none. */
    void show(String id) {
        models(parts, id).ifPresent(wire::send);
    }

    static java.util.Optional<ObjectNode> models(RelayEndpoint.Parts parts, String id) {
        return parts.engine()
                .agentSession(id)
                .flatMap(AgentSession::models)
                .map(state -> models(id, state));
    }

    /** The options as they are now; empty while no agent runs. */
    static ObjectNode options(RelayEndpoint.Parts parts, String id) {
        ObjectNode message = Wire.about("config_state", id);
        parts.engine()
                .agentSession(id)
                .ifPresent(agent -> {
                    ObjectNode all = agent.options();
                    all.remove("models");
                    message.setAll(all);
                });
        if (!message.has("configOptions")) {
            message.putArray("configOptions");
        }
        return message;
    }

    private static ObjectNode models(String id, ModelState state) {
        ObjectNode message = Wire.about("model_state", id);
        ArrayNode all = message.putArray("availableModels");
        for (ModelState.Model model : state.models()) {
            ObjectNode one = all.addObject().put("id", model.id()).put("modelId", model.id());
            String name = model.displayName().isEmpty() ? model.id() : model.displayName();
            one.put("displayName", name).put("name", name);
            putKnown(one, "provider", model.provider());
            putKnown(one, "description", model.description());
        }
        putKnown(message, "currentModelId", state.currentId());
        putKnown(message, "configId", state.configId());
        return message.put("source", state.source());
    }

    /** What the agent did not say is left out. */
    private static void putKnown(ObjectNode to, String name, String value) {
        if (!value.isEmpty()) {
            to.put(name, value);
        }
    }

    /** The models as the agent itself would tell them, whatever it has them from. */
    static ObjectNode inAcp(ModelState state) {
        ObjectNode models = Json.object();
        ArrayNode all = models.putArray("availableModels");
        for (ModelState.Model model : state.models()) {
            ObjectNode one = all.addObject().put("modelId", model.id());
            one.put("name", model.displayName().isEmpty() ? model.id() : model.displayName());
            putKnown(one, "description", model.description());
        }
        return models.put("currentModelId", state.currentId());
    }

    private AgentSession agent(String id) {
        return parts.engine()
                .agentSession(id)
                .orElseThrow(() -> new Refused("not_connected", "Not connected to agent"));
    }

    /** A switch that fails leaves the old model, and everybody who asked is told which that is. */
    private void setModel(ObjectNode message) {
        String id = client.sessionId(message);
        AgentSession agent = agent(id);
        try {
            ModelState state = agent.setModel(Wire.required(message, "modelId"));
            wire.reply(message, models(id, state));
            if (wire.compat()) {
                wire.send(Wire.about("model_changed", id).put("modelId", state.currentId()));
            }
        } catch (AgentException refused) {
            show(id);
            throw refused;
        }
        parts.engine().optionsChanged(id);
    }

    private void setOption(ObjectNode message) {
        JsonNode value = message.path("value");
        String option = Wire.required(message, "configId");
        change(
                message,
                agent -> {
                    if (value.isBoolean()) {
                        agent.setOption(option, value.booleanValue());
                    } else {
                        agent.setOption(option, Json.text(message, "value").orElse(""));
                    }
                });
    }

    private void change(ObjectNode message, Consumer<AgentSession> change) {
        String id = client.sessionId(message);
        change.accept(agent(id));
        wire.reply(message, options(parts, id));
        parts.engine().optionsChanged(id);
    }
}
