package dev.tandem.hub.agent.scripted;

import static dev.tandem.hub.agent.scripted.ScriptedAgent.JSON;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Models, modes and options of the scripted agent, in each spelling that agents use. */
final class ScriptedOptions {
    private final String style;
    private String model = "small";
    private String mode = "ask";
    private boolean fast;

    ScriptedOptions(String style) {
        this.style = style;
    }

    ObjectNode describe() {
        ObjectNode all = JSON.createObjectNode();
        if (style.equals("config") || style.equals("all")) {
            all.set("configOptions", configOptions());
        }
        if (style.equals("mixed")) {
            all.putArray("configOptions").add(speed());
        }
        if (style.equals("models") || style.equals("mixed") || style.equals("all")) {
            ObjectNode models = all.putObject("models").put("currentModelId", model);
            ArrayNode available = models.putArray("availableModels");
            for (String id : new String[] {"small", "large", "broken"}) {
                available.addObject().put("modelId", id).put("name", "The " + id + " one");
            }
        }
        if (style.equals("modes") || style.equals("models") || style.equals("all")) {
            ObjectNode modes = all.putObject("modes").put("currentModeId", mode);
            ArrayNode available = modes.putArray("availableModes");
            available.addObject().put("id", "ask").put("name", "Ask");
            available.addObject().put("id", "code").put("name", "Code");
        }
        return all;
    }

    private ArrayNode configOptions() {
        ArrayNode options = JSON.createArrayNode();
        ObjectNode models = options.addObject().put("id", "llm").put("name", "Model");
        models.put("category", "model").put("type", "select").put("currentValue", model);
        ArrayNode groups = models.putArray("options");
        ArrayNode first =
                groups.addObject().put("group", "acme").put("name", "Acme").putArray("options");
        first.addObject().put("value", "small").put("name", "The small one");
        first.addObject().put("value", "large").put("name", "The large one");
        ArrayNode second =
                groups.addObject().put("group", "zeta").put("name", "Zeta").putArray("options");
        second.addObject().put("value", "broken").put("name", "The broken one");
        options.add(speed());
        ObjectNode level = options.addObject().put("id", "think").put("name", "Thinking");
        level.put("category", "thought_level").put("type", "select");
        // The second option depends on the first: large models think more.
        level.put("currentValue", model.equals("large") ? "high" : "low");
        ArrayNode levels = level.putArray("options");
        levels.addObject().put("value", "low").put("name", "Low");
        levels.addObject().put("value", "high").put("name", "High");
        return options;
    }

    private ObjectNode speed() {
        ObjectNode speed = JSON.createObjectNode().put("id", "fast").put("name", "Fast");
        return speed.put("type", "boolean").put("currentValue", fast);
    }

    String model() {
        return model;
    }

    ObjectNode set(String method, ObjectNode params) {
        if (method.equals("session/set_mode")) {
            mode = params.get("modeId").asString();
            return JSON.createObjectNode();
        }
        if (method.equals("session/set_model")) {
            String wanted = params.get("modelId").asString();
            if (wanted.equals("broken")) {
                return JSON.createObjectNode().put("error", "That model is broken");
            }
            model = wanted;
            return JSON.createObjectNode();
        }
        if (params.get("configId").asString().equals("fast")) {
            fast = params.get("value").asBoolean();
        } else if (params.get("configId").asString().equals("llm")) {
            String wanted = params.get("value").asString();
            if (wanted.equals("broken")) {
                return JSON.createObjectNode().put("error", "That model is broken");
            }
            model = wanted;
        }
        return JSON.createObjectNode().set("configOptions", describe().path("configOptions"));
    }
}
