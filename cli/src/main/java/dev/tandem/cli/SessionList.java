package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem sessions}: who needs the person first, then who runs, then the rest. */
final class SessionList {
    static final Flag SEARCH = Flag.value("search", "only those that hold these words");
    static final Flag PROJECT = Flag.value("project", "only those of a project");
    static final Flag STATE =
            Flag.value(
                    "state", "needs-you | working | idle | waiting | stopped | completed | failed");
    static final Flag LIMIT = Flag.value("limit", "at most so many (20)");

    private static final int NAME = 24;
    private static final int WIDE = 64;
    private static final Map<String, String> WORDS =
            Map.of("waiting_input", "needs-you", "working", "working", "idle", "idle");

    private static final List<String> GROUPS =
            List.of("NEEDS YOU", "RUNNING", "WAITING FOR A PLACE", "RECENT");

    private SessionList() {}

    static Command command() {
        return new Command(
                "sessions",
                "list the sessions, those that need you first",
                List.of(SEARCH, PROJECT, STATE, LIMIT),
                List.of(SEARCH),
                SessionList::run);
    }

    private static int run(Command.Context context) {
        Words words = context.words();
        int limit = limit(words);
        String state = words.value(STATE.argument()).orElse("");
        List<String> known =
                List.of(
                        "",
                        "needs-you",
                        "working",
                        "idle",
                        "waiting",
                        "stopped",
                        "completed",
                        "failed");
        if (!known.contains(state)) {
            throw new UsageException(
                    "Invalid --state: " + state + ". One of " + STATE.about() + ".");
        }
        List<ObjectNode> all =
                context
                        .port()
                        .sessions()
                        .sessions(words.value(SEARCH.argument()).orElse(""))
                        .stream()
                        .filter(one -> state.isEmpty() || state(one).equals(state))
                        .filter(one ->
                                words.value(PROJECT.argument())
                                        .map(one.path("projectId").asString("")::equals)
                                        .orElse(true))
                        .sorted(java.util.Comparator.comparingInt(SessionList::rank))
                        .toList();
        ArrayNode list = Json.array();
        all.stream().limit(limit).forEach(list::add);
        return context.printer().answer(text(context, all, limit), list);
    }

    private static int limit(Words words) {
        String limit = words.value(LIMIT.argument()).orElse("20");
        if (!limit.matches("[1-9]\\d{0,5}")) {
            throw new UsageException(
                    "Invalid --limit: " + limit + ". It takes a whole number from 1 to 999999.");
        }
        return Integer.parseInt(limit);
    }

    private static String text(Command.Context context, List<ObjectNode> all, int limit) {
        if (all.isEmpty() && context.words().has(SEARCH.argument())) {
            return "No session holds these words.";
        }
        if (all.isEmpty()) {
            return "No sessions. Begin one: tandem session send \"What can you do?\"";
        }
        Table table = new Table(context.columns());
        // the columns do not fit, and of those that do the name comes last
        boolean narrow = context.columns() > 0 && context.columns() < WIDE;
        int group = -1;
        long now = Clock.systemUTC().millis();
        for (ObjectNode one : all.subList(0, Math.min(limit, all.size()))) {
            if (rank(one) != group) {
                group = rank(one);
                table.heading(GROUPS.get(group));
            }
            boolean asks = group == 0;
            if (narrow) {
                table.row("  " + SessionChoice.shortId(one), state(one), SessionChoice.name(one));
            } else {
                table.row(
                        "  " + SessionChoice.shortId(one),
                        cut(SessionChoice.name(one)),
                        state(one),
                        one.path("agent").asString(""),
                        age(now - one.path("updatedAt").asLong(now)),
                        asks ? "" : waiting(one) + one.path("preview").asString(""));
            }
            if (asks) {
                table.heading("    " + question(one));
            }
        }
        int more = all.size() - limit;
        return more > 0
                ? table + "… and " + more + " more: --limit " + all.size()
                : table.toString();
    }

    private static String waiting(ObjectNode one) {
        int queued = one.path("queued").asInt(0);
        return queued == 0 ? "" : "(" + queued + (queued == 1 ? " waits) " : " wait) ");
    }

    private static String cut(String name) {
        return name.length() <= NAME ? name : name.substring(0, NAME - 1) + "…";
    }

    private static String question(ObjectNode one) {
        String question = one.path("question").asString("");
        return question.isEmpty() ? "It asks something: tandem session watch" : question;
    }

    static String state(ObjectNode one) {
        String status = one.path("status").asString("");
        if (one.path("phase").asString("").isEmpty()) {
            return "new";
        }
        if (one.path("locked").asBoolean(false)) {
            return "needs-you";
        }
        return one.path("phase").asString("").equals("Pending")
                ? "waiting"
                : WORDS.getOrDefault(status, status);
    }

    private static int rank(ObjectNode one) {
        return switch (state(one)) {
            case "needs-you" -> 0;
            case "working", "idle" -> 1;
            case "waiting" -> 2;
            default -> 3;
        };
    }

    static String age(long millis) {
        long minutes = Math.max(0, millis) / 60_000;
        if (minutes < 1) {
            return "now";
        }
        return minutes < 60
                ? minutes + " m"
                : minutes < 60 * 24 ? minutes / 60 + " h" : minutes / (60 * 24) + " d";
    }
}
