package dev.tandem.cli;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What waits for a person's answer, as the caller of a command line may see and give it. Failures
 * are {@link dev.tandem.protocol.TandemException}.
 */
public interface CardPort {
    /** The cards that wait for a person, oldest first. */
    List<ObjectNode> cards();

    /** A person's answer to a card. */
    void answer(String requestId, String optionId);

    /** Cards as they come and go: {@code {type: card, card}} and {@code {type: resolved, …}}. */
    Following follow();

    /** Forms and links that wait for a person: requestId, sessionName, params. */
    List<ObjectNode> questions();

    /**
     * A person's answer to a form.
     *
     * @param action accept or decline
     */
    void answerQuestion(String requestId, String action, ObjectNode content);
}
