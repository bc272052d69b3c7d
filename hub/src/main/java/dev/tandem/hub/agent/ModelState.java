package dev.tandem.hub.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The models a session offers, whichever of the two spellings its agent uses.
 *
 * @param source {@code config_option} or {@code models}
 * @param configId the option to set; empty for {@code models}
 */
public record ModelState(List<Model> models, String currentId, String source, String configId) {
    /** One choice; empty strings where the agent said nothing. */
    public record Model(String id, String displayName, String provider, String description) {}

    public ModelState {
        models = List.copyOf(models);
    }

    /** A config option of category {@code model} wins over {@code models}. */
    static Optional<ModelState> of(ObjectNode options) {
        for (JsonNode option : options.path("configOptions")) {
            if (AcpJson.text(option, "category").equals("model")
                    && AcpJson.text(option, "type").equals("select")) {
                return Optional.of(
                        new ModelState(
                                choices(option.path("options"), ""),
                                AcpJson.text(option, "currentValue"),
                                "config_option",
                                AcpJson.text(option, "id")));
            }
        }
        JsonNode models = options.path("models");
        if (!models.path("availableModels").isArray()) {
            return Optional.empty();
        }
        List<Model> found = new ArrayList<>();
        for (JsonNode model : models.path("availableModels")) {
            found.add(
                    new Model(
                            AcpJson.text(model, "modelId"),
                            AcpJson.text(model, "name"),
                            "",
                            AcpJson.text(model, "description")));
        }
        return Optional.of(
                new ModelState(found, AcpJson.text(models, "currentModelId"), "models", ""));
    }

    private static List<Model> choices(JsonNode options, String provider) {
        List<Model> found = new ArrayList<>();
        for (JsonNode option : options) {
            if (option.path("options").isArray()) {
                found.addAll(choices(option.path("options"), AcpJson.text(option, "name")));
            } else {
                found.add(
                        new Model(
                                AcpJson.text(option, "value"),
                                AcpJson.text(option, "name"),
                                provider,
                                AcpJson.text(option, "description")));
            }
        }
        return found;
    }
}
