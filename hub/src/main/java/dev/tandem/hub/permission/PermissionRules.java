package dev.tandem.hub.permission;

import dev.tandem.hub.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rules of this hub's owner, per project. Patterns are brought to one spelling and unsafe ones
 * refused. Any thread may call it.
 */
public final class PermissionRules {
    /** The owner of the hub; other users come with team logins. */
    private static final String OWNER = "owner";

    private static final String COLUMNS =
            "id, workspace_id, tool_name, origin, client, policy, updated_at, expires_at, seal";
    private static final Comparator<Rule> STRONGEST =
            Comparator.comparingLong(Rule::score)
                    .thenComparing(rule -> !rule.client().equals("*"))
                    .thenComparingLong(Rule::updatedAt)
                    .thenComparing(rule -> !rule.allow());

    private final Database database;
    private final Clock clock;
    private final RuleSeal seal;
    private volatile Known known = new Known();

    /**
     * What was read since the last change. Each change has one of its own, so that a list that was
     * read before is kept where nobody looks.
     */
    private static final class Known {
        private volatile @Nullable List<Rule> rules;
    }

    public PermissionRules(Database database, Clock clock, RuleSeal seal) {
        this.database = database;
        this.clock = clock;
        this.seal = seal;
    }

    /** With a seal of its own: allow rules that another run stored wait for a yes. */
    public PermissionRules(Database database, Clock clock) {
        this(database, clock, RuleSeal.fresh());
    }

    /**
     * A rule to be stored.
     *
     * @param updatedAt when the user decided; 0 for now. An older one than stored changes nothing
     * @param accepted false when it comes from elsewhere and waits for a yes here
     */
    public record Wish(
            String project,
            String tool,
            String origin,
            String client,
            boolean allow,
            long updatedAt,
            long expiresAt,
            boolean accepted) {
        public Wish(
                String project,
                String tool,
                String origin,
                String client,
                boolean allow,
                long updatedAt,
                long expiresAt) {
            this(project, tool, origin, client, allow, updatedAt, expiresAt, true);
        }

        public Wish(String project, String tool, String origin, boolean allow) {
            this(project, tool, origin, "*", allow, 0, 0);
        }
    }

    /** Throws when this is no pattern of origins. */
    public static void checkOrigin(String pattern) {
        var _ = Patterns.origin(pattern);
    }

    /** The project's rules and those for all projects, newest first. */
    public List<Rule> list(String project) {
        return all().stream()
                .filter(rule -> rule.project().isEmpty() || rule.project().equals(project))
                .toList();
    }

    /** The rules of all projects, newest first. */
    public List<Rule> everyone() {
        return all();
    }

    /** Removes what was decided for one program. */
    public void removeFor(String client) {
        everyone().stream()
                .filter(rule -> rule.client().equals(client))
                .forEach(rule -> remove(rule.project(), rule.tool(), rule.origin(), client));
    }

    /** Creates or replaces the rule with the same patterns; answers what is stored then. */
    public Rule put(Wish wish) {
        String tool = Patterns.tool(wish.tool());
        String origin = Patterns.origin(wish.origin());
        long at = wish.updatedAt() == 0 ? clock.millis() : wish.updatedAt();
        Rule wanted =
                new Rule(
                        "",
                        wish.project(),
                        tool,
                        origin,
                        wish.client(),
                        wish.allow(),
                        at,
                        wish.expiresAt(),
                        wish.accepted());
        Rule stored =
                database.write(sql -> {
                    sql.update(
                            "INSERT INTO extension_tool_permissions(id, user_id, workspace_id,"
                                    + " tool_name, origin, client, policy, updated_at, created_at,"
                                    + " expires_at, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                                    + " ON CONFLICT (user_id, workspace_id, tool_name, origin,"
                                    + " client) DO UPDATE SET policy = excluded.policy,"
                                    + " updated_at = excluded.updated_at,"
                                    + " expires_at = excluded.expires_at, seal = excluded.seal,"
                                    + " deleted_at = NULL WHERE"
                                    + " extension_tool_permissions.updated_at <="
                                    + " excluded.updated_at",
                            UUID.randomUUID().toString(),
                            OWNER,
                            wish.project(),
                            tool,
                            origin,
                            wish.client(),
                            wish.allow() ? "allow" : "deny",
                            at,
                            clock.millis(),
                            wish.expiresAt(),
                            wish.accepted() ? seal.of(wanted) : "");
                    return sql.first(
                                    "SELECT "
                                            + COLUMNS
                                            + " FROM extension_tool_permissions WHERE user_id = ?"
                                            + " AND workspace_id = ? AND tool_name = ? AND origin"
                                            + " = ? AND client = ?",
                                    this::rule,
                                    OWNER,
                                    wish.project(),
                                    tool,
                                    origin,
                                    wish.client())
                            .orElseThrow();
                });
        known = new Known();
        return stored;
    }

    /** Lets a rule act that came from elsewhere; false when there is no such one. */
    public boolean accept(String id) {
        Optional<Rule> waiting =
                everyone().stream().filter(rule -> rule.id().equals(id)).findFirst();
        waiting.ifPresent(rule ->
                put(
                        new Wish(
                                rule.project(),
                                rule.tool(),
                                rule.origin(),
                                rule.client(),
                                rule.allow(),
                                rule.updatedAt(),
                                rule.expiresAt())));
        return waiting.isPresent();
    }

    /** Removes a rule; true when there was one. */
    public boolean remove(String project, String tool, String origin, String client) {
        long now = clock.millis();
        int removed =
                database.write(sql ->
                        sql.update(
                                "UPDATE extension_tool_permissions SET deleted_at = ?, seal = '',"
                                        + " updated_at = ? WHERE user_id = ? AND workspace_id = ? AND"
                                        + " tool_name = ? AND origin = ? AND client = ? AND"
                                        + " deleted_at IS NULL",
                                now,
                                now,
                                OWNER,
                                project,
                                Patterns.tool(tool),
                                Patterns.origin(origin),
                                client));
        known = new Known();
        return removed > 0;
    }

    /** Rules that were removed since then, for browsers that keep a copy. */
    public List<Rule> removedSince(String project, long since) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM extension_tool_permissions WHERE user_id = ? AND"
                                + " workspace_id = ? AND deleted_at > ? ORDER BY deleted_at DESC",
                        this::rule,
                        OWNER,
                        project,
                        since));
    }

    /** The rule that decides about this name here; the most specific wins, then the newest. */
    Optional<Rule> deciding(Ask.Who who, String name, String origin) {
        return all(list(who.project()), clock.millis()).stream()
                .filter(rule -> rule.matches(name, origin, who.key()))
                .max(STRONGEST);
    }

    /** Whether the user let this requester work on every site, and refused nobody anything. */
    boolean everywhere(Ask.Who who) {
        Collection<Rule> holding = all(list(who.project()), clock.millis());
        return holding.stream().allMatch(Rule::allow)
                && holding.stream()
                        .anyMatch(rule ->
                                rule.tool().equals("*")
                                        && rule.origin().equals("*")
                                        && rule.client().equals(who.key()));
    }

    private static Collection<Rule> all(List<Rule> rules, long now) {
        return rules.stream()
                .filter(rule -> rule.expiresAt() == 0 || rule.expiresAt() > now)
                .filter(Rule::accepted)
                .toList();
    }

    private List<Rule> all() {
        Known current = known;
        List<Rule> rules = current.rules;
        if (rules == null) {
            rules =
                    database.read(sql ->
                            sql.query(
                                    "SELECT "
                                            + COLUMNS
                                            + " FROM extension_tool_permissions WHERE user_id = ?"
                                            + " AND deleted_at IS NULL ORDER BY updated_at DESC",
                                    this::rule,
                                    OWNER));
            current.rules = rules;
        }
        return rules;
    }

    private Rule rule(ResultSet row) throws SQLException {
        Rule stored =
                new Rule(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6).equals("allow"),
                        row.getLong(7),
                        row.getLong(8),
                        true);
        return stored.accepted(!stored.allow() || seal.fits(stored, row.getString(9)));
    }
}
