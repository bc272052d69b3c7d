package dev.tandem.hub.permission;

/**
 * What a user decided for good: tool pattern × origin pattern × client pattern.
 *
 * @param project the project it holds in; empty for all
 * @param expiresAt when it ends; 0 for never
 * @param accepted whether it acts: an allow rule only after this hub's user made or accepted it
 */
public record Rule(
        String id,
        String project,
        String tool,
        String origin,
        String client,
        boolean allow,
        long updatedAt,
        long expiresAt,
        boolean accepted) {

    Rule accepted(boolean yes) {
        return new Rule(id, project, tool, origin, client, allow, updatedAt, expiresAt, yes);
    }

    boolean matches(String name, String where, String who) {
        return (Patterns.toolMatches(tool, name) || (!allow && tool.equals("*")))
                && Patterns.originMatches(origin, where)
                && (client.equals("*") || client.equals(who));
    }

    long score() {
        return Patterns.originScore(origin) * 10_000L + Patterns.toolScore(tool);
    }
}
