package dev.tandem.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sessions, projects, agents and permission cards, as the caller of a command line may use them.
 * Failures are {@link dev.tandem.protocol.TandemException}.
 */
public interface SessionPort {
    /**
     * Sessions that hold these words, newest change first; all of them without words: sessionId,
     * name, projectId, phase, status, agent, mode, preview, question, unread, queued, lastSeq,
     * updatedAt.
     */
    List<ObjectNode> sessions(String search);

    /** Makes a session and answers it as {@link #sessions} does; it is not started. */
    ObjectNode create(Wish wish);

    /** Starts a session that does not run. */
    void start(String sessionId);

    void stop(String sessionId);

    /** Ends the running turn; false if none ran. */
    boolean interrupt(String sessionId);

    void rename(String sessionId, String name);

    /** The session and its whole log. */
    ObjectNode export(String sessionId);

    /** Stores a message, starts the session if need be, and answers the message's number. */
    long send(String sessionId, String text);

    LastTurn lastTurn(String sessionId);

    /**
     * The newest turn.
     *
     * @param prompt the number of the message it answers; 0 if there was no turn
     * @param started the number at which it began
     */
    record LastTurn(long prompt, long started) {
        public static final LastTurn NONE = new LastTurn(0, -1);
    }

    /** Everything after that number, then what happens. */
    Following follow(String sessionId, long afterSeq);

    /** The projects: projectId, name, sessions, folders. */
    List<ObjectNode> projects();

    /** The agents of this machine; nothing is started to find them. */
    List<ObjectNode> agents();

    /** Starts an agent to see its version and abilities, and on request whether it answers. */
    ObjectNode check(String agentId, boolean testTurn);

    /**
     * What an agent remembers of earlier conversations: agentSessionId, title, cwd, updatedAt;
     * sessionId with imported=false where it is a session here already, registered where it may
     * work in its cwd. The agent is started for it.
     */
    List<ObjectNode> earlier(String agentId);

    /** Signs out of an agent; one that did not say it can is refused. It is started for it. */
    void signOut(String agentId);

    /** The cards that wait for a person, oldest first. */
    List<ObjectNode> cards();

    /** A person's answer to a card. */
    void answer(String requestId, String optionId);

    /** Forms and links that wait for a person: requestId, sessionName, params. */
    List<ObjectNode> questions();

    /**
     * A person's answer to a form.
     *
     * @param action accept or decline
     */
    void answerQuestion(String requestId, String action, ObjectNode content);

    /** Cards as they come and go: {@code {type: card, card}} and {@code {type: resolved, …}}. */
    Following followCards();

    /**
     * What a new session shall be; empty strings leave it to the hub.
     *
     * @param folder where its agent works
     * @param earlier a conversation of the agent's that goes on in it
     */
    record Wish(
            String name,
            String project,
            String agent,
            String mode,
            Optional<Path> folder,
            Optional<Conversation> earlier) {}

    /**
     * One that an agent had elsewhere.
     *
     * @param cwd where it was; empty to leave that to the hub
     */
    record Conversation(String agentSessionId, String cwd) {}

    /** News, one after the other. */
    interface Following extends AutoCloseable {
        /** The next piece; empty when none came in time or none will come. */
        Optional<ObjectNode> next(Duration atMost);

        /** True when the caller is gone or nothing can follow. */
        boolean over();

        @Override
        void close();
    }
}
