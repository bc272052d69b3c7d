package dev.tandem.hub.agent;

/**
 * One line of the catalogue.
 *
 * @param available the program was found
 * @param path where, or empty
 * @param reason what to do when it is not available, or empty
 * @param login what its files and variables suggest; nothing was run to find out
 */
public record AgentListing(
        AgentEntry entry,
        boolean builtIn,
        boolean available,
        String path,
        String reason,
        Login login) {
    /** Whether the user seems to be signed in to an agent. */
    public enum Login {
        SIGNED_IN,
        SIGNED_OUT,
        UNKNOWN
    }
}
