package dev.tandem.cli;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** Conversations that an agent had elsewhere, in a terminal or an editor. */
final class Earlier {
    private static final String LAST = "last";
    private static final int TITLE = 32;
    private static final int SHORT = 8;

    private Earlier() {}

    /** The one that a person means: by id, by title, by the end of the id, or the newest. */
    static ObjectNode named(List<ObjectNode> all, String word, String agent) {
        if (all.isEmpty()) {
            throw new UsageException(agent + " remembers no earlier conversation.");
        }
        if (word.equals(LAST)) {
            return all.stream()
                    .max(Comparator.comparingLong(one -> one.path("updatedAt").asLong(0)))
                    .orElseThrow();
        }
        String lower = word.toLowerCase(Locale.ROOT);
        List<Predicate<ObjectNode>> ways =
                List.of(
                        one -> id(one).equals(word),
                        one -> title(one).equalsIgnoreCase(word),
                        one -> word.length() >= 3 && id(one).endsWith(word),
                        one -> title(one).toLowerCase(Locale.ROOT).startsWith(lower));
        for (Predicate<ObjectNode> way : ways) {
            List<ObjectNode> found = all.stream().filter(way).toList();
            if (found.size() > 1) {
                throw new UsageException(
                        "\""
                                + word
                                + "\" may be one of several: "
                                + String.join(", ", found.stream().map(Earlier::id).toList()));
            }
            if (found.size() == 1) {
                return found.getFirst();
            }
        }
        throw new UsageException(
                agent
                        + " remembers no \""
                        + word
                        + "\"; tandem agents "
                        + agent
                        + " --sessions lists what it does.");
    }

    /** Where it was. An agent's word does not open a folder: the person names it once. */
    static String folder(ObjectNode one) {
        String cwd = one.path("cwd").asString("");
        if (!cwd.isEmpty() && !one.path("registered").asBoolean(false)) {
            throw new UsageException(
                    "It worked in "
                            + cwd
                            + ", which no project has. To let it work there: --folder "
                            + cwd);
        }
        return cwd;
    }

    static String text(Command.Context context, List<ObjectNode> all, String agent) {
        if (all.isEmpty()) {
            return agent + " remembers no earlier conversation.";
        }
        Table table = Table.whole(context.columns());
        long now = Clock.systemUTC().millis();
        for (ObjectNode one : all) {
            long at = one.path("updatedAt").asLong(0);
            table.row(
                    id(one).substring(Math.max(0, id(one).length() - SHORT)),
                    cut(title(one)),
                    at == 0 ? "" : SessionList.age(now - at),
                    one.path("imported").asBoolean(true) ? "" : "here",
                    one.path("cwd").asString(""));
        }
        return table + "\nGo on with one: tandem session new --agent " + agent + " --continue ID\n";
    }

    private static String id(ObjectNode one) {
        return one.path("agentSessionId").asString("");
    }

    private static String title(ObjectNode one) {
        return one.path("title").asString("");
    }

    private static String cut(String title) {
        String shown = title.isEmpty() ? "untitled" : title;
        return shown.length() <= TITLE ? shown : shown.substring(0, TITLE - 1) + "…";
    }
}
