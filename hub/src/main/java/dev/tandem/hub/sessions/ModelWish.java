package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ModelState;
import dev.tandem.protocol.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The model that a session was asked to use. It is given to the agent once, so that what the user
 * chooses later stands; where it is not to be had, the log says which one is used.
 */
final class ModelWish {
    static final String MODEL = "llm_model";
    private static final String ASKED = "model_asked";

    private ModelWish() {}

    /** A start goes on, whatever becomes of the wish, unless the agent is gone. */
    static void atStart(Parts parts, Session session, AgentSession agent) {
        Optional<String> model = session.field(MODEL).filter(text -> !text.isBlank());
        if (model.isEmpty() || model.equals(session.field(ASKED))) {
            return;
        }
        try {
            switchTo(parts, session.id(), agent, model.get());
        } catch (AgentException refused) {
            if (!agent.agent().isRunning()) {
                throw refused;
            }
            tell(parts, session.id(), agent, model.get());
        }
        parts.store().update(session.id(), fields -> fields.put(ASKED, model.get()));
    }

    /** The user asks for another one now; a refusal of the agent changes nothing. */
    static Session now(Parts parts, String id, Optional<AgentSession> agent, String model) {
        if (agent.isPresent() && switchTo(parts, id, agent.get(), model)) {
            note(parts, id, "ambient:model_switched", Json.object().put("model", model));
        }
        return parts.store()
                .update(
                        id,
                        fields -> {
                            fields.put(MODEL, model);
                            return agent.isPresent() ? fields.put(ASKED, model) : fields;
                        });
    }

    /** False when the agent has no such model. */
    private static boolean switchTo(Parts parts, String id, AgentSession agent, String model) {
        boolean offered =
                agent.models().stream()
                        .flatMap(state -> state.models().stream())
                        .map(ModelState.Model::id)
                        .anyMatch(model::equals);
        if (!offered) {
            tell(parts, id, agent, model);
        } else if (agent.models().filter(now -> now.currentId().equals(model)).isEmpty()) {
            agent.setModel(model);
            AgentOptions.changed(parts, id, agent);
        }
        return offered;
    }

    private static void tell(Parts parts, String id, AgentSession agent, String asked) {
        String used = agent.models().map(ModelState::currentId).orElse("its own choice");
        note(
                parts,
                id,
                "model_not_offered",
                Json.object()
                        .put("asked", asked)
                        .put("used", used)
                        .put(
                                "message",
                                "The agent does not offer the model %s; it uses %s."
                                        .formatted(asked, used)));
    }

    private static void note(Parts parts, String id, String event, ObjectNode value) {
        ObjectNode body = Json.object().put("event", event);
        parts.log().append(id, Entry.Kind.SYSTEM, body.set("value", value));
    }
}
