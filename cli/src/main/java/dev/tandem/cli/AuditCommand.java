package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem audit}: what was done and decided, newest first. */
final class AuditCommand {
    private static final int DEFAULT = 50;
    private static final int MOST = 10_000;
    private static final Pattern AGO = Pattern.compile("(\\d{1,6})([smhd])");
    private static final DateTimeFormatter SHOWN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss");

    private static final Flag CLIENT = Flag.value("client", "only this client, by name");
    private static final Flag TOOL = Flag.value("tool", "only this tool");
    private static final Flag DOOR =
            Flag.choice(
                    "door",
                    "only this way in: cli | mcp | ops | command",
                    "cli",
                    "mcp",
                    "ops",
                    "command");
    private static final Flag ORIGIN = Flag.value("origin", "only this site: scheme://host[:port]");
    private static final Flag OUTCOME = Flag.value("outcome", "ok | failed | an error code");
    private static final Flag KIND =
            Flag.choice("kind", "call | decision; both without it", "call", "decision");
    private static final Flag SINCE = Flag.value("since", "30s, 15m, 2h, 7d or an ISO time");
    private static final Flag LIMIT = Flag.value("limit", "at most so many; default " + DEFAULT);

    private AuditCommand() {}

    static Command command() {
        return new Command(
                "audit",
                "show what was done in your browsers, and what was decided",
                List.of(CLIENT, TOOL, DOOR, ORIGIN, OUTCOME, KIND, SINCE, LIMIT),
                List.of(),
                AuditCommand::run);
    }

    private static int run(Command.Context context) {
        List<ObjectNode> rows = context.port().audit(query(context.words()));
        ArrayNode list = Json.array();
        rows.forEach(list::add);
        Table table = Table.whole(context.columns());
        for (ObjectNode row : rows) {
            table.row(
                    shown(row.path("at").asLong()),
                    text(row, "client"),
                    asked(row),
                    Stream.of(
                                    outcome(row),
                                    lasted(row.path("durationMs").asLong()),
                                    text(row, "door"),
                                    text(row, "origin"))
                            .filter(word -> !word.isEmpty())
                            .collect(Collectors.joining(", ")));
        }
        return context.printer()
                .answer(table.isEmpty() ? "Nothing was recorded." : table.toString(), list);
    }

    private static Port.AuditQuery query(Words words) {
        return new Port.AuditQuery(
                words.value("client").orElse(""),
                words.value("tool").orElse(""),
                words.value("door").orElse(""),
                words.value("origin").orElse(""),
                words.value("outcome").orElse(""),
                kind(words),
                words.value("since").map(AuditCommand::since).orElse(0L),
                words.value("limit").map(AuditCommand::limit).orElse(DEFAULT));
    }

    private static String kind(Words words) {
        String kind = words.value("kind").orElse("");
        if (!List.of("", "call", "decision").contains(kind)) {
            throw new UsageException("Invalid --kind: " + kind + ". One of call, decision.");
        }
        return kind;
    }

    private static long since(String word) {
        Matcher ago = AGO.matcher(word);
        if (ago.matches()) {
            long count = Long.parseLong(ago.group(1));
            Duration back =
                    switch (ago.group(2)) {
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        default -> Duration.ofDays(count);
                    };
            return Instant.now().minus(back).toEpochMilli();
        }
        try {
            return Instant.parse(word).toEpochMilli();
        } catch (DateTimeException e) {
            throw new UsageException(
                    "Invalid --since: " + word + ". Like 15m, 2h, 7d or 2026-01-31T12:00:00Z.");
        }
    }

    private static int limit(String word) {
        if (!word.matches("\\d{1,5}")
                || Integer.parseInt(word) < 1
                || Integer.parseInt(word) > MOST) {
            throw new UsageException("Invalid --limit: " + word + ". From 1 to " + MOST + ".");
        }
        return Integer.parseInt(word);
    }

    /** What an agent does itself has no tool of ours: then what it wanted. */
    private static String asked(JsonNode row) {
        String tool = text(row, "tool");
        return tool.isEmpty() || tool.equals("elicitation") ? text(row, "permissions") : tool;
    }

    private static String outcome(JsonNode row) {
        String by = text(row, "by");
        String reason = text(row, "reason");
        String more = by.isEmpty() ? reason : "by " + by;
        return text(row, "outcome") + (more.isEmpty() ? "" : " (" + more + ")");
    }

    /** What happened today needs no date. */
    private static String shown(long at) {
        LocalDateTime time =
                LocalDateTime.ofInstant(Instant.ofEpochMilli(at), ZoneId.systemDefault());
        boolean today = time.toLocalDate().equals(LocalDate.now(ZoneId.systemDefault()));
        return (today ? TODAY : SHOWN).format(time);
    }

    private static String lasted(long millis) {
        return millis < 10_000 ? millis + " ms" : millis / 1000 + " s";
    }

    private static String text(JsonNode row, String field) {
        return row.path(field).asString("");
    }
}
