package dev.tandem.hub.permission;

/**
 * What a user decided for good: tool pattern × origin pattern × client pattern.
 *
 * @param project the project it holds in; empty for all
 * @param expiresAt when it ends; 0 for never
 */
public record Rule(
        String id,
        String project,
        String tool,
        String origin,
        String client,
        boolean allow,
        long updatedAt,
        long expiresAt) {

    boolean matches(String name, String where, String who) {
        return (Patterns.toolMatches(tool, name) || (!allow && tool.equals("*")))
                && Patterns.originMatches(origin, where)
                && (client.equals("*") || client.equals(who));
    }

    long score() {
        return Patterns.originScore(origin) * 10_000L + Patterns.toolScore(tool);
    }
}
