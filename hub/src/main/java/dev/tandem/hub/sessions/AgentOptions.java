package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.protocol.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Models, modes and options that the user chose: kept with the session, set again at a start. */
final class AgentOptions {
    private static final Logger LOG = LoggerFactory.getLogger(AgentOptions.class);
    private static final String CHOSEN = "agent_chosen";

    private AgentOptions() {}

    /** Keeps what is set now and tells everybody who watches. */
    static void changed(Parts parts, String id, AgentSession agent) {
        ObjectNode options = agent.options();
        parts.store()
                .update(
                        id,
                        fields -> {
                            JsonNode before = fields.path("agent_options");
                            ObjectNode kept =
                                    fields.path(CHOSEN) instanceof ObjectNode known
                                            ? known
                                            : fields.putObject(CHOSEN);
                            choose(kept, before, options);
                            fields.set("agent_options", options);
                            return fields;
                        });
        parts.log().feed(id).publish(update(options));
    }

    /** Only what was changed is a choice; the rest stays the agent's own. */
    private static void choose(ObjectNode kept, JsonNode before, ObjectNode now) {
        ObjectNode chosen =
                kept.path("options") instanceof ObjectNode known
                        ? known
                        : kept.putObject("options");
        ObjectNode earlier = values(before);
        values(now)
                .properties()
                .forEach(option -> {
                    if (!option.getValue().equals(earlier.get(option.getKey()))) {
                        chosen.set(option.getKey(), option.getValue());
                    }
                });
        for (String[] way :
                new String[][] {{"models", "currentModelId"}, {"modes", "currentModeId"}}) {
            JsonNode value = now.path(way[0]).path(way[1]);
            if (value.isString() && !value.equals(before.path(way[0]).path(way[1]))) {
                kept.set(way[0], value);
            }
        }
    }

    private static ObjectNode values(JsonNode options) {
        ObjectNode values = Json.object();
        for (JsonNode option : options.path("configOptions")) {
            values.set(Json.text(option, "id").orElse(""), option.path("currentValue"));
        }
        return values;
    }

    private static ObjectNode update(ObjectNode options) {
        ObjectNode update = Json.object();
        if (options.has("configOptions")) {
            update.put("sessionUpdate", "config_option_update");
            return update.set("configOptions", options.get("configOptions"));
        }
        if (options.has("models")) {
            update.put("sessionUpdate", "current_model_update");
            return update.set("currentModelId", options.path("models").path("currentModelId"));
        }
        update.put("sessionUpdate", "current_mode_update");
        return update.set("currentModeId", options.path("modes").path("currentModeId"));
    }

    /** A fresh process knows nothing of earlier choices. */
    static void restore(Session session, AgentSession agent) {
        JsonNode kept = session.fields().path(CHOSEN);
        kept.path("options")
                .properties()
                .forEach(option ->
                        attempt(() -> {
                            JsonNode value = option.getValue();
                            if (value.isBoolean()) {
                                agent.setOption(option.getKey(), value.booleanValue());
                            } else {
                                agent.setOption(option.getKey(), value.asString(""));
                            }
                        }));
        // Where an option says the same, it has been set above.
        if (agent.models().filter(now -> now.source().equals("models")).isPresent()) {
            Json.text(kept, "models").ifPresent(model -> attempt(() -> agent.setModel(model)));
        }
        if (!agent.options().has("configOptions")) {
            Json.text(kept, "modes").ifPresent(mode -> attempt(() -> agent.setMode(mode)));
        }
    }

    private static void attempt(Runnable change) {
        try {
            change.run();
        } catch (AgentException refused) {
            LOG.info("An option could not be set again: {}", refused.getMessage());
        }
    }
}
