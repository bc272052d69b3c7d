package dev.tandem.cli;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** Finds the session that a person means: by name, by the end of its id, or the one used last. */
final class SessionChoice {
    private static final int SHORT = 6;

    private SessionChoice() {}

    /** The end of an id tells sessions apart; its beginning is the time. */
    static String shortId(ObjectNode session) {
        String id = session.path("sessionId").asString("");
        return id.substring(Math.max(0, id.length() - SHORT));
    }

    static String name(ObjectNode session) {
        return session.path("name").asString("");
    }

    static String id(ObjectNode session) {
        return session.path("sessionId").asString("");
    }

    /** The named one; without a word, the one that was used last. */
    static ObjectNode of(Command.Context context) {
        List<ObjectNode> all = context.port().sessions().sessions("");
        return context.words()
                .value(SessionCommands.SESSION.argument())
                .map(word -> named(all, word))
                .orElseGet(() -> last(all));
    }

    static ObjectNode last(List<ObjectNode> all) {
        if (all.isEmpty()) {
            throw new UsageException("There is no session. Make one: tandem session new NAME");
        }
        return all.getFirst();
    }

    static ObjectNode named(List<ObjectNode> all, String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        List<Predicate<ObjectNode>> ways =
                List.of(
                        one -> id(one).equals(word),
                        one -> name(one).equalsIgnoreCase(word),
                        one -> word.length() >= 3 && id(one).endsWith(word),
                        one -> name(one).toLowerCase(Locale.ROOT).startsWith(lower));
        for (Predicate<ObjectNode> way : ways) {
            List<ObjectNode> found = all.stream().filter(way).toList();
            if (found.size() == 1) {
                return found.getFirst();
            }
            if (found.size() > 1) {
                String which =
                        String.join(", ", found.stream().map(SessionChoice::shortId).toList());
                throw new UsageException(
                        "\"" + word + "\" may be one of several sessions: " + which);
            }
        }
        throw new UsageException(
                "There is no session \"" + word + "\"; tandem sessions lists them.");
    }
}
