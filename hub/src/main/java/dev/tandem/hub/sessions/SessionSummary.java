package dev.tandem.hub.sessions;

import java.util.Locale;

/**
 * A session as lists show it.
 *
 * @param unread answers and errors that nobody has seen, up to 100
 * @param preview the beginning of the last thing that was said, by anybody
 * @param queued prompts that wait for the agent
 * @param locked why its agent works only after a sign-in; empty when it needs none
 */
public record SessionSummary(
        Session session, Status status, int unread, String preview, int queued, String locked) {

    /** What the agent does, apart from the phase. */
    public enum Status {
        WORKING,
        IDLE,
        WAITING_INPUT,
        COMPLETED,
        FAILED,
        STOPPED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
