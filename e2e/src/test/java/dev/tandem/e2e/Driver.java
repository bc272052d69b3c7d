package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** One browser driven by command lines; it checks every result by the catalogue and notes it. */
final class Driver {
    private static final Catalogue CATALOGUE = Catalogue.load();

    private final CommandLine cli;
    private final String session;
    private final Findings findings;
    private String snapshot = "";

    Driver(CommandLine cli, String session, Findings findings) {
        this.cli = cli;
        this.session = session;
        this.findings = findings;
    }

    String session() {
        return session;
    }

    /** Runs a tool's command in the session; the words are the step's name too. */
    JsonNode call(String command, String... words) {
        Tool tool = tool(command);
        List<String> all = words(tool, words);
        JsonNode data = cli.call(all);
        assertThat(Schema.of(tool.output()).check(data)).as("%s %s", all, data).isEmpty();
        findings.add(tool, command + named(words), all, data);
        return data;
    }

    /** Runs a command that must fail and answers the error. */
    JsonNode refused(String command, String... words) {
        Tool tool = tool(command);
        JsonNode error = cli.failure(2, words(tool, words));
        findings.add(command + " refused" + named(words), error);
        return error;
    }

    /** The names of the flags make the step; values differ from browser to browser. */
    private static String named(String... words) {
        StringBuilder name = new StringBuilder();
        for (String word : words) {
            if (word.startsWith("--")) {
                name.append(' ').append(word);
            }
        }
        return name.toString();
    }

    /** Takes a snapshot, and finds refs in it from now on. */
    String look() {
        snapshot = call("snapshot").path("content").asString();
        return snapshot;
    }

    /** The ref of the line that has these words, such as {@code button "Add one"}. */
    String ref(String words) {
        Matcher line =
                Pattern.compile("\\[(\\w+)] [^\\n]*?" + Pattern.quote(words)).matcher(snapshot);
        assertThat(line.find()).as("%s in%n%s", words, snapshot).isTrue();
        return line.group(1);
    }

    /** What a script in the page answers; the page's own truth, not a tool's. */
    JsonNode page(String expression) {
        String target =
                cli.call("targets-list", "--session-id", session).path("activeTargetId").asString();
        JsonNode answer =
                cli.call(
                        "browser-execute",
                        target.substring("tab-".length()),
                        "return " + expression,
                        "--browser",
                        browser());
        assertThat(answer.has("error")).as("%s", answer).isFalse();
        return answer.path("result");
    }

    String browser() {
        return cli.call("status", "--session-id", session).path("browser").asString();
    }

    private List<String> words(Tool tool, String... words) {
        List<String> all = new ArrayList<>(List.of(tool.cli()));
        all.addAll(List.of(words));
        boolean ofSession = tool.needsSession() || tool.name().equals("status");
        if (ofSession && !all.contains("--session-id")) {
            all.addAll(List.of("--session-id", session));
        }
        return all;
    }

    private static Tool tool(String command) {
        return CATALOGUE.byCli(command).orElseThrow();
    }
}
