package dev.tandem.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sessions and projects, as the caller of a command line may use them. Failures are {@link
 * dev.tandem.protocol.TandemException}.
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
}
