package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

class CliTest {
    private final Console console = new Console();

    @Test
    void firstRequiredArgumentNeedsNoFlag() {
        assertThat(console.run("click", "r12")).isZero();
        assertThat(console.arguments).isEqualTo(Json.object().put("ref", "r12"));
        assertThat(console.run("type", "r3", "--text=--hello")).isZero();
        assertThat(console.arguments)
                .isEqualTo(Json.object().put("ref", "r3").put("text", "--hello"));
    }

    // W16
    @Test
    void flagsForEveryCommandMayStandBeforeIt() {
        assertThat(console.run("--json", "--timeout-ms", "5", "goto", "http://x/")).isZero();
        assertThat(console.json().path("success").asBoolean()).isTrue();
        assertThat(console.arguments)
                .isEqualTo(Json.object().put("url", "http://x/").put("timeoutMs", 5L));
        // behind two dashes they would be words
        assertThat(console.run("--json", "type", "r3", "--", "--text")).isZero();
        assertThat(console.json().path("success").asBoolean()).isTrue();
        assertThat(console.arguments)
                .isEqualTo(Json.object().put("ref", "r3").put("text", "--text"));
        assertThat(console.run("--json", "--output-format=json")).isEqualTo(1);
        assertThat(console.json().path("error").asString()).isEqualTo("No command was given.");
        assertThat(console.run("--jsno")).isEqualTo(1);
        assertThat(console.err).contains("Unknown option: --jsno. Did you mean --json?");
    }

    @Test
    void everyToolIsACommandWithHelp() {
        for (Tool tool : Catalogue.load().tools()) {
            assertThat(console.run(tool.cli(), "--help")).as(tool.cli()).isZero();
            assertThat(console.out.toString().replaceAll("\\s+", " "))
                    .contains("tandem " + tool.cli(), tool.description());
            assertThat(console.out.toString().lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80))
                    .as("every option says what it is")
                    .noneMatch(line -> line.matches(" +--[a-z-]+( …)?"));
        }
        assertThat(console.called).isEmpty();
        assertThat(Catalogue.load().tools()).hasSizeGreaterThan(40);
    }

    // DESIGN: help is for people, on any terminal
    @ParameterizedTest
    @ValueSource(ints = {40, 60})
    void helpIsWholeOnANarrowTerminal(int columns) {
        console.terminal = new Invocation.Terminal(true, false, columns, true);
        List<String> lines =
                new ArrayList<>(
                        List.of(
                                "help",
                                "help up",
                                "help mcp",
                                "help doctor",
                                "session --help",
                                "mcp install --help"));
        Catalogue.load().tools().forEach(tool -> lines.add(tool.cli() + " --help"));
        for (String line : lines) {
            assertThat(console.run(line.split(" "))).as(line).isZero();
            assertThat(console.out.toString().lines())
                    .as(line)
                    .as("an address or an example stays whole")
                    .filteredOn(each -> each.strip().contains(" ") && !each.contains("://"))
                    .allSatisfy(each -> assertThat(each.length()).isLessThanOrEqualTo(columns));
            assertThat(console.out.toString()).as(line).doesNotContainPattern("[a-z-]…");
        }
        console.run("session", "--help");
        assertThat(console.out).contains("  session interrupt");
        console.run("help", "up");
        assertThat(console.out).contains("  --extension-legacy");
    }

    // OPS-L35
    @Test
    void flagNeverSwallowsTheNextFlag() {
        assertThat(console.run("click", "--ref", "--output-format", "json")).isEqualTo(1);
        assertThat(console.out).contains("Missing value for --ref");
        assertThat(console.run("click", "--ref")).isEqualTo(1);
        assertThat(console.err).contains("Missing value for --ref");
        console.run("launch", "--no-extension", "--flag", "--mute-audio");
        assertThat(console.err)
                .contains("Missing value for --flag. A value that starts with dashes is written")
                .contains("--flag=--mute-audio");
        assertThat(console.called).isEmpty();
    }

    // OPS-C12: the flag of the command line, and the argument's own name
    @Test
    void renamedFlagsAreKnownByTheirArgumentToo() {
        for (String flag : List.of("--mode", "--format")) {
            assertThat(console.run("snapshot", flag, "actionables")).as(flag).isZero();
            assertThat(console.arguments).isEqualTo(Json.object().put("format", "actionables"));
        }
    }

    // W10: --values a,b; a word of its own may have a comma
    @Test
    void severalValuesStandBetweenCommas() {
        for (String line :
                List.of("--values a,b", "--values=a,b", "--values a --values b", "a b")) {
            String[] words = ("select r1 " + line).split(" ");
            assertThat(console.run(words)).as(line).isZero();
            assertThat(Json.texts(console.arguments, "values")).as(line).containsExactly("a", "b");
        }
        assertThat(console.run("select", "r1", "Doe, Jane")).isZero();
        assertThat(Json.texts(console.arguments, "values")).containsExactly("Doe, Jane");
        assertThat(console.run("launch", "--no-extension", "--flag=--window-size=8,6")).isZero();
        assertThat(Json.texts(console.arguments, "flags")).containsExactly("--window-size=8,6");
    }

    // W16: 2 when the work failed, also where the answer tells of it
    @Test
    void stepsAndScriptsThatFailedAreFailures() {
        console.answer = Json.object().put("sessionId", "s9");
        var results = console.answer.putArray("results");
        results.addObject().put("i", 0).put("ok", true);
        assertThat(console.run("run", "[]")).isZero();
        results.addObject().put("i", 1).put("ok", false).putObject("error").put("message", "Gone.");
        assertThat(console.run("run", "[]")).isEqualTo(2);
        assertThat(console.out).contains("0  ok", "1  failed  Gone.");
        assertThat(console.run("run", "[]", "--json")).isEqualTo(2);
        assertThat(console.json().path("success").asBoolean(true)).isFalse();
        assertThat(console.json().path("error").asString()).isEqualTo("Step 1 failed: Gone.");
        assertThat(console.json().path("data").path("results").size()).isEqualTo(2);
        console.answer = Json.object().put("tabId", 1).put("error", "Error: x");
        assertThat(console.run("browser-execute", "1", "throw")).isEqualTo(2);
        assertThat(console.out).isEmpty();
        assertThat(console.err.toString()).isEqualTo("tandem: Error: x\n");
    }

    // OPS-L33
    @ParameterizedTest
    @CsvSource({
        "--extension-only,--no-extension",
        "--extension-legacy,--no-extension",
        "--extension-legacy,--extension-ops",
        "--extension-ops,--no-extension"
    })
    void launchFlagsThatExcludeEachOtherAreNamed(String one, String other) {
        assertThat(console.run("launch", one, other)).isEqualTo(1);
        assertThat(console.err).contains(one, other);
        assertThat(console.run("launch", other, one)).isEqualTo(1);
        assertThat(console.called).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--profile=x", "--chrome-path=/x", "--flag=--x", "--persist-profile"})
    void managedFlagsNeedTheManagedMode(String flag) {
        assertThat(console.run("launch", flag)).isEqualTo(1);
        assertThat(console.err).contains(flag.replaceAll("=.*", ""), "--no-extension");
        assertThat(console.run("launch", flag, "--no-extension")).isZero();
    }

    // OPS-91: a managed browser unless a session is named or live, or the user's own is asked for
    @Test
    void runChoosesItsBrowser() {
        String steps = "[{\"action\":\"list\"}]";
        String sent = "\"steps\":[{\"action\":\"list\"}]";
        console.answer = Json.object().put("sessionId", "s9");
        assertThat(console.run("run", steps, "--session-id", "s1")).isZero();
        assertThat(console.calls)
                .singleElement()
                .satisfies(call -> assertThat(call).contains("\"sessionId\":\"s1\""));
        console.calls.clear();
        assertThat(console.run("run", steps)).isZero();
        assertThat(console.calls).containsExactly("status {}", "run {" + sent + "}");
        console.calls.clear();
        console.answer = Json.object();
        assertThat(console.run("run", steps)).isZero();
        assertThat(console.calls.get(1)).isEqualTo("launch {\"noExtension\":true}");
        console.calls.clear();
        assertThat(console.run("run", steps, "--extension-ops", "--start-url", "http://x/"))
                .isZero();
        assertThat(console.calls.getFirst())
                .startsWith("launch ")
                .contains("\"extensionOnly\":true", "\"startUrl\":\"http://x/\"");
        console.calls.clear();
        assertThat(console.run("run", steps, "--headless", "--profile", "p")).isZero();
        assertThat(console.calls.getFirst())
                .startsWith("launch ")
                .contains("\"noExtension\":true", "\"headless\":true", "\"profile\":\"p\"");
        // an address to begin at is not left out where a session is live
        console.calls.clear();
        console.answer = Json.object().put("sessionId", "s9");
        assertThat(console.run("run", steps, "--start-url", "http://x/")).isZero();
        assertThat(console.calls.getFirst())
                .startsWith("launch ")
                .contains("\"startUrl\":\"http://x/\"");
    }

    // OPS-91, OPS-L36: a second session elsewhere opens no further tab at every run
    @Test
    void runFindsTheSessionInTheUsersOwnBrowser() {
        console.answer = Json.object();
        ArrayNode sessions = console.answer.putArray("sessions");
        sessions.addObject().put("sessionId", "s1").put("mode", "managed");
        sessions.addObject().put("sessionId", "s2").put("mode", "extension");
        assertThat(console.run("run", "[]", "--extension-ops")).isZero();
        assertThat(console.calls)
                .containsExactly("status {}", "run {\"steps\":[],\"sessionId\":\"s2\"}");
        console.calls.clear();
        sessions.addObject().put("sessionId", "s3").put("mode", "extension");
        assertThat(console.run("run", "[]", "--extension-ops")).isEqualTo(2);
        assertThat(console.err).contains("several sessions", "s2, s3", "--session-id");
        assertThat(console.calls).containsExactly("status {}");
        console.calls.clear();
        sessions.removeAll();
        sessions.addObject().put("sessionId", "s1").put("mode", "managed");
        sessions.addObject().put("sessionId", "s4").put("mode", "cdpConnect");
        assertThat(console.run("run", "[]", "--extension-ops")).isZero();
        assertThat(console.calls.get(1)).isEqualTo("launch {\"extensionOnly\":true}");
    }

    // W16: a file that cannot be used is wrong usage, not an error inside
    @Test
    void aFileThatIsNoTextIsAUsageErrorThatNamesIt(@TempDir Path files) throws IOException {
        console.folder = files;
        Path latin = files.resolve("latin.json");
        Files.write(latin, "[\"é\"]".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(files.resolve("large.json"), new byte[12 * 1024 * 1024 + 1]);
        Map<String, String> wrong =
                Map.of(
                        ".", "is a folder",
                        "latin.json", latin + " is not text in UTF-8.",
                        "large.json", "is larger than 12 MiB.",
                        "none.json", "cannot be read.");
        wrong.forEach((name, why) -> {
            assertThat(console.run("run", "--script", name)).as(name).isEqualTo(1);
            assertThat(console.err).contains("Invalid --script: ", why);
            assertThat(console.run("run", "--steps", "@" + name)).as(name).isEqualTo(1);
            assertThat(console.err).contains("Invalid --steps: ", why);
        });
        assertThat(console.called).isEmpty();
    }

    // OPS-93
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run | Provide --script <path> or pipe JSON to stdin.",
                "run 7 | Script must be a JSON array or an object with steps.",
                "run --script missing.json | cannot be read",
                "run [] --extension-ops --headless | --extension-ops and --headless exclude",
                "run [] --session-id s1 --extension-ops | --session-id and --extension-ops exclude",
                "run [] --session-id s1 --start-url x | --session-id and --start-url exclude",
                "run [] --session-id s1 --profile p | --session-id and --profile exclude",
            })
    void runRefusesWhatContradictsItself(String line, String sentence) {
        assertThat(console.run(line.split(" "))).isEqualTo(1);
        assertThat(console.err).contains(sentence);
        assertThat(console.called).isEmpty();
    }

    @Test
    void runReadsAScriptFromAFileOrStandardInput(@TempDir Path files) throws IOException {
        console.folder = files;
        console.answer = Json.object().put("sessionId", "s9");
        Files.writeString(files.resolve("a.json"), "{\"steps\":[{\"action\":\"list\"}]}");
        assertThat(console.run("run", "--script", "a.json")).isZero();
        assertThat(console.arguments.path("steps").size()).isEqualTo(1);
        console.stdin = "[{\"action\":\"list\"},{\"action\":\"list\"}]";
        for (String[] line : new String[][] {{"run", "--script", "-"}, {"run", "-"}, {"run"}}) {
            console.arguments = Json.object();
            assertThat(console.run(line)).as("%s", (Object) line).isZero();
            assertThat(console.arguments.path("steps").size()).isEqualTo(2);
        }
        console.stdin = "[{";
        assertThat(console.run("run", "--script", "-")).isEqualTo(1);
        assertThat(console.err).contains("Invalid --script: ");
    }

    // OPS-148: the help says which way is the default and how to ask for the others
    @Test
    void launchHelpNamesTheWays() {
        assertThat(console.run("launch", "--help")).isZero();
        assertThat(console.out)
                .containsPattern("--extension-ops +use the extension \\(the default\\)")
                .containsPattern("--extension-legacy +raw CDP for other programs")
                .containsPattern("--extension-only +your own browser or none")
                .containsPattern("--no-extension +managed browser");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "snapshto | Unknown command: snapshto. Did you mean snapshot?",
                "click r1 --buton=left | Unknown option: --buton. Did you mean --button?",
                "click | Missing --ref",
                "goto | Missing --url",
                "click r1 r2 | Unexpected argument: r2",
                "click r1 --ref r2 | --ref was given already, as r1.",
                "click --ref r1 r2 | Unexpected argument: r2",
                "click r1 --button up | Invalid --button: up. One of left, middle, right.",
                "snapshot --max-chars 1.5 | Invalid --max-chars: 1.5. It takes a whole number.",
                "snapshot --max-chars -5 | Invalid --max-chars: -5. It is 500 to 200000.",
                "snapshot --depth -1 | Invalid --depth: -1. It is 1 to 100.",
                "console-poll --since-seq -5 | Invalid --since-seq: -5. It is at least 0.",
                "sessions --limit 0 | Invalid --limit: 0. It takes a whole number from 1 to 999999.",
                "status --output-format xml | Invalid --output-format: xml",
                "status --transport native | Invalid --transport: native",
                "click -x | Unknown option: -x",
                "token add | Missing --name",
                "token add a --mode root | Invalid --mode: root. One of ask, act, read-only.",
                "origin add nonsense | \"nonsense\" is not an origin.",
                "token revoke ghost | There is no token named \"ghost\".",
                "origin remove https://a.test | There is no origin \"https://a.test\"",
                "pointer-move 1 up | Invalid --y: up. It takes a number.",
                "snapshot --viewport-first=maybe | It is true or false.",
                "completion tcsh | Invalid --shell: tcsh. One of bash, zsh, fish.",
                "help clik | Unknown command: clik. Did you mean click?",
                "get_attr r1 href | Unknown command: get_attr. The tool of that name is dom-attr here.",
                "scroll_into_view r1 | The tool of that name is scroll-into-view here.",
                "token rm | Unknown command: token rm. After token: list, add, revoke.",
                "permissions allwo x | Unknown command: permissions allwo. After permissions: ",
                "session nwe | Unknown command: session nwe. After session: new, send,",
                "snapshot --max-chars 10 | Invalid --max-chars: 10. It is 500 to 200000.",
                "launch --wait-timeout-ms 10 | Invalid --wait-timeout-ms: 10. It is 3000 to 600000.",
                "audit --since yesterday | Invalid --since: yesterday.",
            })
    void wrongUsageSaysWhatIsWrong(String line, String sentence) {
        assertThat(console.run(line.split(" "))).isEqualTo(1);
        assertThat(console.err).contains(sentence);
        assertThat(console.out).isEmpty();
    }

    @Test
    void everyNumberOutOfRangeIsToldItsRange() {
        for (Tool tool : Catalogue.load().tools()) {
            for (var property : tool.input().path("properties").properties()) {
                JsonNode least = property.getValue().path("minimum");
                // A run reads its script before anything else.
                if (least.isNumber() && !tool.cli().isEmpty() && !tool.name().equals("run")) {
                    String flag = "--" + tool.arguments().flag(property.getKey());
                    String less = String.valueOf(least.asLong() - 1);
                    console.run(tool.cli(), flag, less);
                    assertThat(console.err).contains("Invalid " + flag + ": " + less + ". It is ");
                }
            }
        }
    }

    @Test
    void wrongUsageIsJsonForPrograms() {
        assertThat(console.run("click", "--json")).isEqualTo(1);
        assertThat(console.json().path("success").asBoolean(true)).isFalse();
        assertThat(console.json().path("error").asString()).isEqualTo("Missing --ref");
        assertThat(console.json().path("exitCode").asInt()).isEqualTo(1);
    }

    @Test
    void jsonHasTheAnswerWhole() {
        console.answer = Json.object().put("content", "[r1] button").put("refCount", 1);
        assertThat(console.run("snapshot", "--json")).isZero();
        assertThat(console.json().path("success").asBoolean()).isTrue();
        assertThat(console.json().path("data")).isEqualTo(console.answer);
        assertThat(console.run("--output-format", "json", "snapshot")).isZero();
        assertThat(console.json().path("data")).isEqualTo(console.answer);
    }

    @Test
    void adviceNamesCommandsAlsoInsideTheMessage() {
        console.failure =
                Optional.of(
                        new TandemException(
                                ErrorCode.INVALID_REQUEST,
                                "Tab 9 not found. Call browser_tabs for current ids.",
                                "unknown_tab"));
        assertThat(console.run("browser-read", "9")).isEqualTo(2);
        assertThat(console.err.toString())
                .isEqualTo(
                        "[invalid_request] Tab 9 not found. Call browser-tabs for current ids.\n");
    }

    @Test
    void errorsKeepTheirCodeAndExitCode() {
        console.failure =
                Optional.of(
                        new TandemException(
                                ErrorCode.INVALID_REQUEST, "Unknown ref: r9.", "unknown_ref"));
        assertThat(console.run("click", "r9")).isEqualTo(2);
        assertThat(console.err.toString()).startsWith("[invalid_request] Unknown ref: r9.");
        assertThat(console.run("click", "r9", "--json", "--quiet")).isEqualTo(2);
        assertThat(console.json().path("code").asString()).isEqualTo("invalid_request");
        assertThat(console.json().path("reason").asString()).isEqualTo("unknown_ref");
        assertThat(console.json().path("retryable").isBoolean()).isTrue();
    }

    @Test
    void hintsSpeakTheLanguageOfTheCommandLineAndSayThingsOnce() {
        console.failure =
                Optional.of(
                        new TandemException(
                                ErrorCode.INVALID_REQUEST, "Unknown targetId", "unknown_target"));
        assertThat(console.run("target-use", "x")).isEqualTo(2);
        assertThat(console.err.toString())
                .isEqualTo(
                        """
                        [invalid_request] Unknown targetId
                          List the tabs with targets-list.
                        """);
        console.failure =
                Optional.of(
                        new TandemException(
                                ErrorCode.INVALID_REQUEST, "Unknown page name", "unknown_page"));
        assertThat(console.run("page-close", "x")).isEqualTo(2);
        assertThat(console.err).contains("List the named pages with `pages`.");
        console.failure =
                Optional.of(
                        new TandemException(
                                ErrorCode.TIMEOUT, "The load event did not come.", "navigation"));
        assertThat(console.run("goto", "http://a")).isEqualTo(2);
        assertThat(console.err).contains("with --wait-until \"domcontentloaded\"", "--timeout-ms");
        console.failure =
                Optional.of(
                        new TandemException(
                                        ErrorCode.EXECUTION_FAILED,
                                        "r1 is no longer on the page. Take a new snapshot.",
                                        "stale_ref")
                                .with("hint", "Take a new snapshot."));
        assertThat(console.run("click", "r1")).isEqualTo(2);
        assertThat(console.err.toString().split("Take a new snapshot", -1)).hasSize(2);
    }

    // W16: what is no list is one line, whatever small lists it has
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "snapshot | {'content':'x','warnings':[]}",
                "goto http://a | {'finalUrl':'http://a/','redirects':[]}",
                "select r1 a | {'selected':['a']}",
                "status | {'version':'1','browsers':[{'name':'Work'}],'sessions':[]}",
            })
    void streamJsonPrintsEverythingElseInOneLine(String line, String data) {
        console.answer = Json.parseObject(data.replace('\'', '"'));
        String[] words = (line + " --output-format stream-json").split(" ");
        assertThat(console.run(words)).isZero();
        assertThat(console.json().path("data")).isEqualTo(console.answer);
    }

    @Test
    void streamJsonPrintsListsLineByLine() {
        var tabs = console.answer.putArray("tabs");
        tabs.addObject().put("id", 1);
        tabs.addObject().put("id", 2);
        assertThat(console.run("browser-tabs", "--output-format=stream-json")).isZero();
        assertThat(console.out.toString()).isEqualTo("{\"id\":1}\n{\"id\":2}\n");
        assertThat(console.run("token", "--output-format=stream-json")).isZero();
        assertThat(console.json().path("success").asBoolean()).isTrue();
        assertThat(console.run("browsers", "--output-format=stream-json")).isZero();
        assertThat(console.json().path("name").asString()).isEqualTo("Work");
        assertThat(console.run("browsers", "--output-format=text")).isZero();
        assertThat(console.out.toString()).startsWith("Work ");
    }

    @Test
    void quietPrintsNothingButErrors() {
        console.answer = Json.object().put("content", "x");
        assertThat(console.run("snapshot", "--quiet")).isZero();
        assertThat(console.out).isEmpty();
    }

    @Test
    void stepsComeFromAFileOrStandardInput(@TempDir Path folder) throws IOException {
        String steps = "[{\"action\":\"snapshot\"}]";
        console.folder = folder;
        console.stdin = steps;
        Files.writeString(folder.resolve("steps.json"), steps);
        console.answer.putArray("results");
        for (String source : new String[] {steps, "@steps.json", "-"}) {
            assertThat(console.run("run", source)).as(source).isZero();
            assertThat(console.arguments.path("steps")).isEqualTo(Json.parse(steps));
        }
        assertThat(console.run("run", "@none.json")).isEqualTo(1);
        assertThat(console.run("run", "[{")).isEqualTo(1);
        assertThat(console.err).contains("Invalid --steps");
    }

    @Test
    void numbersMayBeNegativeWhereTheyAreDistances() {
        assertThat(console.run("scroll", "-300")).isZero();
        assertThat(console.arguments.path("dy").asInt()).isEqualTo(-300);
        assertThat(console.run("pointer-move", "10", "-2.5")).isZero();
        assertThat(console.arguments.path("y").asDouble()).isEqualTo(-2.5);
    }

    @Test
    void switchesCanBeTurnedOff() {
        assertThat(console.run("snapshot", "--no-viewport-first")).isZero();
        assertThat(console.arguments.path("viewportFirst").asBoolean(true)).isFalse();
    }

    @Test
    void twoWordCommandsWinOverTools() {
        assertThat(console.run("connect", "chrome")).isZero();
        assertThat(console.out).contains("Connected: Work");
        assertThat(console.err).contains("/state/extension", "ABCD-1234");
        assertThat(console.run("connect", "--session-id", "s1")).isZero();
        assertThat(console.called.map(Tool::name)).contains("connect");
    }

    @Test
    void theWayToTheUsersOwnBrowserIsShown() {
        console.opens = true;
        assertThat(console.run("connect", "chrome", "--json")).isZero();
        assertThat(console.json().path("data").path("name").asString()).isEqualTo("Work");
        assertThat(console.pages)
                .as("what Chrome opens for other programs")
                .containsExactly(console.pair().url());
        console.comes = false;
        assertThat(console.run("connect", "chrome")).isEqualTo(2);
        assertThat(console.err)
                .contains("In Chrome's address bar type chrome://extensions")
                .contains("(its path is on your clipboard)", "the page that opened. If it is in")
                .contains("No browser connected within 5 minutes.");
        console.own = Set.of("b-1");
        assertThat(console.run("connect", "chrome")).isZero();
        assertThat(console.out.toString()).isEqualTo("Connected already: Work\n");
        assertThat(console.err).contains("For another one").doesNotContain("Waiting", "5 minutes");
        assertThat(console.run("connect", "chrome", "--json")).isZero();
        assertThat(console.json().at("/data/name").asString()).isEqualTo("Work");
        assertThat(console.run("extension")).isZero();
        assertThat(console.out.toString()).isEqualTo("/state/extension\n");
        assertThat(console.run("browsers")).isZero();
        assertThat(console.out.toString()).matches("Work +extension +0\\.1\\.0\\s*");
    }

    @Test
    void actModeIsListedAsARuleAndTakenBack() {
        // SETTLED-5
        assertThat(console.run("token", "add", "ci", "--mode", "act", "--sites", "https://a.test"))
                .isZero();
        assertThat(console.err).contains("tandem permissions forget act:ci");
        assertThat(console.run("permissions", "rules")).isZero();
        assertThat(console.out).contains("act:ci", "01234567", "https://a.test");
        assertThat(console.run("permissions", "forget", "0123")).isZero();
        assertThat(console.run("permissions", "forget", "act:ci", "--json")).isZero();
        assertThat(console.out).contains("\"id\":\"act:ci\"");
        assertThat(console.run("permissions", "rules")).isZero();
        assertThat(console.out).contains("There are no rules.");
        assertThat(console.run("permissions", "forget", "act:ci")).isEqualTo(1);
        assertThat(console.err).contains("tandem permissions rules lists them");
        assertThat(console.run("token", "add", "x", "--sites", "https://a.test")).isEqualTo(1);
        assertThat(console.err).contains("--sites needs --mode act.");
    }

    @Test
    void hubCommandsDoTheirWork() {
        assertThat(console.run("origin", "add", "http://localhost:5173")).isZero();
        assertThat(console.run("origin", "list")).isZero();
        assertThat(console.out.toString()).isEqualTo("http://localhost:5173\n");
        assertThat(console.run("token", "add", "editor", "--profile", "all")).isZero();
        assertThat(console.out.toString()).isEqualTo("tdc_1secret\n");
        assertThat(console.tokens.getFirst().mode()).isEqualTo("ask");
        assertThat(console.run("token")).isZero();
        assertThat(console.out.toString()).isEqualTo("tdh_secret\n");
        assertThat(console.run("token", "revoke", "editor")).isZero();
        assertThat(console.run("pair", "--json")).isZero();
        assertThat(console.json().path("data").path("code").asString()).isEqualTo("ABCD-1234");
    }

    @Test
    void helpFitsEightyColumns() {
        List<String> lines = new ArrayList<>(List.of("mcp", "up", ""));
        lines.addAll(Commands.ofHubByName().keySet());
        for (String line : lines) {
            assertThat(console.run(("help " + line).strip().split(" "))).as(line).isZero();
            assertThat(console.out.toString().lines())
                    .as(line)
                    .allSatisfy(each -> assertThat(each.length()).isLessThanOrEqualTo(80));
        }
        assertThat(console.run("help")).isZero();
        assertThat(console.out).contains("snapshot", "origin add", "Exit codes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "help up | --extension-legacy  open /cdp",
                "help mcp | TANDEM_MCP_TOKEN",
                "help stop | tandem stop: ",
                "help click | Usage: tandem click REF [options]",
                "help token add | Usage: tandem token add NAME [options]",
                "help session | session watch",
                "session --help | session watch",
                "origin -h | origin remove",
                "click -h | Usage: tandem click REF [options]",
                "token list --help | Everywhere",
            })
    void everyCommandExplainsItself(String line, String sentence) {
        assertThat(console.run(line.split(" "))).isZero();
        assertThat(console.out).contains(sentence);
        assertThat(console.called).isEmpty();
    }

    @Test
    void aLineWithoutACommandIsWrong() {
        assertThat(console.run()).isEqualTo(1);
        assertThat(console.err).contains("No command was given.");
        assertThat(Main.run(List.of("mcp", "--help"), console)).isZero();
        assertThat(console.out).contains("Usage: tandem mcp [--as-user]");
    }

    @Test
    void wordsAfterTwoDashesAreNoFlags() {
        assertThat(console.run("goto", "--", "--json")).isZero();
        assertThat(console.arguments.path("url").asString()).isEqualTo("--json");
    }

    @Test
    void aFileThatCannotBeReadIsAnError() {
        console.unreadable = true;
        assertThat(console.run("session", "send", "-")).isEqualTo(2);
        assertThat(console.err).contains("[internal] ", "the pipe broke");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completionKnowsCommandsAndFlags(String shell) {
        assertThat(console.run("completion", shell)).isZero();
        assertThat(console.out).contains("snapshot", "max-chars", "revoke");
    }

    @Test
    void commandLineWithoutHubIsCheckedBeforeOneIsStarted() {
        assertThat(Main.run(List.of("--without-hub", "clik", "r1"), console)).isEqualTo(1);
        assertThat(console.err).contains("Did you mean click?");
        assertThat(Main.run(List.of("--without-hub", "click", "r1"), console))
                .isEqualTo(Main.NEEDS_HUB);
        assertThat(Main.run(List.of("--without-hub", "run", "-"), console))
                .isEqualTo(Main.NEEDS_HUB);
        assertThat(Main.run(List.of("--without-hub", "help"), console)).isZero();
    }
}
