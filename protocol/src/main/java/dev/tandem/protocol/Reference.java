package dev.tandem.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Writes docs/reference from the protocol files, so that the documents cannot say anything else.
 */
public final class Reference {
    private static final String NOTE =
            "Generated from `extension/protocol`. Do not edit: change the data, then run\n`";
    static final String COMMAND =
            "mvn -q test -pl protocol -Dtest=ReferenceTest -Dtandem.reference.write=true";

    private Reference() {}

    /** Writes all pages into the folder that the first argument names. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args.length > 0 ? args[0] : "docs/reference");
        Files.createDirectories(folder);
        for (Map.Entry<String, String> page : pages().entrySet()) {
            Files.writeString(folder.resolve(page.getKey()), page.getValue());
        }
    }

    static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("tools.md", new ToolReference().page());
        pages.put("ops.md", new OpsReference().page());
        pages.put("errors.md", errors());
        pages.put("routes.md", routes());
        pages.put("limits.md", limits());
        return pages;
    }

    static String head(String title) {
        return "# " + title + "\n\n" + NOTE + COMMAND + "`.\n\n";
    }

    /** A cell of a Markdown table: pipes would end it. */
    static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    private static String errors() {
        StringBuilder page = new StringBuilder(head("Errors"));
        page.append(
                        "On the wire an error is `{code, message, retryable, details?}`. `retryable` \"if idempotent\" means:")
                .append(" only for a call that may be sent twice, or that was never dispatched.\n")
                .append(
                        "Codes marked • are the closed list of `/ops`; a finer cause is in `details.reason`.\n\n")
                .append(
                        "| code | what happened | what to do | kind | retryable | HTTP | JSON-RPC | exit |\n")
                .append("|---|---|---|---|---|---|---|---|\n");
        for (ErrorCode code : ErrorCode.values()) {
            page.append(
                    "| `%s`%s | %s | %s | %s | %s | %d | %d | %d |\n"
                            .formatted(
                                    code.code(),
                                    code.wire() ? " •" : "",
                                    cell(code.message()),
                                    cell(code.hint()),
                                    lower(code.kind()),
                                    retry(code.retry()),
                                    code.http(),
                                    code.jsonrpc(),
                                    code.exit()));
        }
        page.append("\n## Reasons\n\n| code | reason | what to do |\n|---|---|---|\n");
        for (ErrorCode code : ErrorCode.values()) {
            code.reasons()
                    .forEach((reason, hint) ->
                            page.append(
                                    "| `%s` | `%s` | %s |\n"
                                            .formatted(code.code(), reason, cell(hint))));
        }
        return page.toString();
    }

    private static String routes() {
        StringBuilder page = new StringBuilder(head("Routes"));
        page.append("Every path the hub answers. Anything else is 404.\n\n")
                .append(
                        "| path | methods | door | listener | tokens | what it gives |\n|---|---|---|---|---|---|\n");
        for (Route route : Routes.all()) {
            page.append("| `%s` | ".formatted(cell(route.path())))
                    .append(
                            route.kind() == Route.Kind.WS
                                    ? "WebSocket"
                                    : String.join(", ", route.methods()))
                    .append(" | %s | ".formatted(route.door()))
                    .append(String.join(", ", route.listener()))
                    .append(" | ")
                    .append(String.join(", ", route.tokens()))
                    .append(" | %s |\n".formatted(cell(route.about())));
        }
        return page.toString();
    }

    private static String limits() {
        StringBuilder page = new StringBuilder(head("Limits"));
        page.append(
                        "The unit is the end of the name: `Bytes`, `Ms` (milliseconds), `Chars`; otherwise a count.\n\n")
                .append("| name | value |\n|---|---|\n");
        for (Map.Entry<String, JsonNode> limit : Limits.all().properties()) {
            page.append("| `%s` | %d |\n".formatted(limit.getKey(), limit.getValue().longValue()));
        }
        return page.toString();
    }

    private static String retry(ErrorCode.Retry retry) {
        return switch (retry) {
            case NO -> "no";
            case YES -> "yes";
            case IDEMPOTENT -> "if idempotent";
        };
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
