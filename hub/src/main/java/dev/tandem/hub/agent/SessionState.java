package dev.tandem.hub.agent;

import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent last said about its session: options, modes, models, plan, commands, usage, title.
 * Any thread may read.
 */
final class SessionState {
    private static final String[] OPTIONS = {"configOptions", "modes", "models"};

    private final ReentrantLock lock = new ReentrantLock();
    private final ObjectNode state = AcpJson.object();

    /** Options that were known before; load and resume may leave them out. */
    void remember(ObjectNode options) {
        takeAnswer(options);
    }

    void takeAnswer(JsonNode answer) {
        lock.lock();
        try {
            for (String field : OPTIONS) {
                if (AcpJson.has(answer, field)) {
                    state.set(field, answer.get(field).deepCopy());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void take(ObjectNode update) {
        lock.lock();
        try {
            switch (AcpJson.text(update, "sessionUpdate")) {
                case "plan" -> put("plan", update.path("entries"));
                case "available_commands_update" ->
                        put("commands", update.path("availableCommands"));
                case "config_option_update" -> put("configOptions", update.path("configOptions"));
                case "current_mode_update" -> currentMode(AcpJson.text(update, "currentModeId"));
                case "usage_update" -> put("usage", update);
                case "session_info_update" -> info(update);
                default -> {
                    // Everything else is a matter of the log, not of the state.
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void currentModel(String modelId) {
        lock.lock();
        try {
            AcpJson.objectOrEmpty(state.path("models")).put("currentModelId", modelId);
        } finally {
            lock.unlock();
        }
    }

    void currentMode(String modeId) {
        lock.lock();
        try {
            if (!state.path("modes").isObject()) {
                state.putObject("modes").putArray("availableModes");
            }
            AcpJson.objectOrEmpty(state.path("modes")).put("currentModeId", modeId);
        } finally {
            lock.unlock();
        }
    }

    private void put(String field, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            state.set(field, value.deepCopy());
        }
    }

    /** The one update in which null is not the same as absent: it clears. */
    private void info(ObjectNode update) {
        for (String field : new String[] {"title", "updatedAt"}) {
            JsonNode value = update.get(field);
            if (value != null && value.isNull()) {
                state.remove(field);
            } else if (value != null) {
                state.set(field, value);
            }
        }
    }

    ObjectNode options() {
        lock.lock();
        try {
            ObjectNode copy = AcpJson.object();
            for (String field : OPTIONS) {
                if (state.has(field)) {
                    copy.set(field, state.get(field).deepCopy());
                }
            }
            return copy;
        } finally {
            lock.unlock();
        }
    }

    ObjectNode all() {
        lock.lock();
        try {
            return state.deepCopy();
        } finally {
            lock.unlock();
        }
    }

    ArrayNode list(String field) {
        lock.lock();
        try {
            return AcpJson.arrayOrEmpty(state.path(field).deepCopy());
        } finally {
            lock.unlock();
        }
    }
}
