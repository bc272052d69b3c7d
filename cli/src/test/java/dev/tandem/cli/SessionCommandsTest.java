package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class SessionCommandsTest {
    private static final String[] OURS = {
        "allow_once", "allow_session", "allow_site", "allow_always", "reject_once", "reject_always"
    };

    private final Console console = new Console();
    private final FakeSessions talk = console.talk;

    private void turn(long prompt, String stopReason) {
        talk.entry(
                prompt + 1,
                "lifecycle",
                Json.object().put("event", "run_started").put("runId", "r").put("prompt", prompt));
        talk.delta("m1", "Hel");
        talk.delta("m1", "lo");
        talk.entry(
                prompt + 2,
                "assistant",
                Json.object().put("messageId", "m1").put("text", "Hello there"));
        finish(prompt + 3, stopReason);
    }

    private void finish(long seq, String stopReason) {
        talk.entry(
                seq,
                "lifecycle",
                Json.object()
                        .put("event", "run_finished")
                        .put("runId", "r")
                        .put("stopReason", stopReason));
    }

    @Test
    void whoNeedsThePersonComesFirstAndLinesFit() {
        talk.session("0000000000aaaaa1", "Old " + "x".repeat(60), "Stopped", "stopped");
        talk.session("0000000000aaaaa2", "Busy", "Running", "working");
        talk.session("0000000000aaaaa3", "Asks", "Running", "waiting_input")
                .put("question", "Allow? \u001b[31mclick\u202e \"Pay\"");
        talk.session("0000000000aaaaa4", "Locked", "Failed", "failed")
                .put("locked", true)
                .put("question", "Sign in to its agent first: no key");
        assertThat(console.run("sessions")).isZero();
        assertThat(console.out.toString().lines().toList())
                .satisfies(lines -> {
                    assertThat(lines.get(0)).isEqualTo("NEEDS YOU");
                    assertThat(lines.get(1)).contains("aaaaa3", "Asks", "needs-you", "guide");
                    assertThat(lines.get(2)).contains("Allow? \\x1b[31mclick\\u202e");
                    assertThat(lines.get(3)).contains("Locked", "needs-you");
                    assertThat(lines.get(4)).contains("Sign in to its agent first");
                    assertThat(lines.get(5)).isEqualTo("RUNNING");
                    assertThat(lines.get(7)).isEqualTo("RECENT");
                    assertThat(lines).allMatch(line -> line.length() <= 80);
                });
        assertThat(console.out.toString()).doesNotContain("\u001b", "\u202e");
        for (int columns : new int[] {40, 50, 63, 64, 80}) {
            console.terminal = new Invocation.Terminal(true, false, columns, true);
            assertThat(console.run("sessions")).isZero();
            assertThat(console.out.toString().lines())
                    .allMatch(line -> line.length() <= columns, "fits " + columns)
                    .anyMatch(line -> line.contains("aaaaa3") && line.contains("needs-you"));
            assertThat(console.out).contains("Asks", "Busy", "Old xx");
        }
    }

    // one that has no process yet does not look as if it ran
    @Test
    void whoWaitsForAPlaceIsSaidToWait() {
        talk.session("0000000000aaaaa1", "Busy", "Running", "working");
        talk.session("0000000000aaaaa2", "Later", "Pending", "idle");
        assertThat(console.run("sessions")).isZero();
        assertThat(console.out.toString().lines().toList())
                .satisfies(lines -> {
                    assertThat(lines.get(0)).isEqualTo("RUNNING");
                    assertThat(lines.get(2)).isEqualTo("WAITING FOR A PLACE");
                    assertThat(lines.get(3)).contains("Later", "waiting").doesNotContain("idle");
                });
        assertThat(console.run("sessions", "--state", "waiting")).isZero();
        assertThat(console.out.toString()).contains("Later").doesNotContain("Busy");
    }

    @Test
    void listsAreFilteredAndCut() {
        IntStream.range(0, 30)
                .forEach(i -> talk.session("id00000" + (100 + i), "S" + i, "Stopped", "stopped"));
        talk.session("id00000999", "Runs", "Running", "working");
        assertThat(console.run("sessions", "--state", "working")).isZero();
        assertThat(console.out.toString()).contains("Runs").doesNotContain("S1");
        assertThat(console.run("sessions", "--limit", "5")).isZero();
        assertThat(console.out.toString()).contains("… and 26 more");
        assertThat(console.run("sessions", "S29", "--json")).isZero();
        assertThat(console.json().path("data")).hasSize(1);
        assertThat(console.run("sessions", "nowhere")).isZero();
        assertThat(console.out).hasToString("No session holds these words.\n");
        assertThat(console.run("sessions", "--state", "asleep")).isEqualTo(1);
        assertThat(console.run("sessions", "--limit", "0")).isEqualTo(1);
    }

    @Test
    void withoutASessionWordsGoToTheOneUsedLast() {
        talk.session("00000000ffff01", "First", "Stopped", "stopped");
        talk.session("00000000ffff02", "Second", "Stopped", "stopped");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "How", "are you?")).isZero();
        assertThat(talk.done).contains("send 00000000ffff01 How are you?", "closed");
        assertThat(console.out.toString()).isEqualTo("Hello there\n");
        assertThat(console.err.toString()).startsWith("→ First");
    }

    @Test
    void whoHasNoSessionGetsOne() {
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "Hi")).isZero();
        assertThat(talk.done).contains("create |||", "send new000001 Hi");
    }

    @Test
    void whatIsSaidInANewSessionMayChooseItsAgent() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "Hi", "--agent", "claude")).isEqualTo(1);
        assertThat(console.err.toString()).contains("--agent is for a new session: add --new.");
        assertThat(talk.done).isEmpty();
        assertThat(console.run("session", "send", "Hi", "--new", "--agent", "claude")).isZero();
        assertThat(talk.done).contains("create |claude||", "send new000001 Hi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Second", "second", "ffff02", "Sec", "00000000ffff02"})
    void sessionsAreFoundByNameOrTheEndOfTheirId(String word) {
        talk.session("00000000ffff01", "First", "Running", "idle");
        talk.session("00000000ffff02", "Second", "Running", "idle");
        assertThat(console.run("session", "stop", word)).isZero();
        assertThat(talk.done).containsExactly("stop 00000000ffff02");
    }

    @Test
    void doubtIsSaidAndNothingDone() {
        talk.session("00000000ffff01", "Same", "Running", "idle");
        talk.session("00000000ffff02", "Same", "Running", "idle");
        assertThat(console.run("session", "stop", "Same")).isEqualTo(1);
        assertThat(console.err.toString()).contains("ffff01, ffff02");
        assertThat(console.run("session", "stop", "Nobody")).isEqualTo(1);
        assertThat(talk.done).isEmpty();
    }

    @Test
    void aTurnThatEndsBadlyIsAnError() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        turn(10, "cancelled");
        assertThat(console.run("session", "send", "Hi")).isEqualTo(2);
        assertThat(console.err.toString()).contains("[cancelled]");
        talk.entry(
                11,
                "lifecycle",
                Json.object()
                        .put("event", "session_stopped")
                        .put("phase", "Failed")
                        .put("message", "The agent could not be started."));
        assertThat(console.run("session", "send", "Hi")).isEqualTo(2);
        assertThat(console.err.toString()).contains("could not be started");
    }

    @Test
    void aFailureIsSaidOnce() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        talk.entry(
                11,
                "lifecycle",
                Json.object().put("event", "run_started").put("runId", "r").put("prompt", 10));
        talk.entry(12, "error", Json.object().put("error", "It broke."));
        talk.entry(
                13,
                "lifecycle",
                Json.object()
                        .put("event", "run_finished")
                        .put("runId", "r")
                        .put("error", "It broke.")
                        .put("stopReason", "error"));
        assertThat(console.run("session", "send", "Hi")).isEqualTo(2);
        assertThat(console.err.toString().split("It broke", -1)).hasSize(2);
        talk.entry(
                11,
                "lifecycle",
                Json.object().put("event", "run_started").put("runId", "r").put("prompt", 10));
        talk.entry(12, "error", Json.object().put("error", "A small thing."));
        finish(13, "end_turn");
        assertThat(console.run("session", "send", "Hi")).isZero();
        assertThat(console.err.toString()).contains("! A small thing.");
    }

    // AMB-B4: what waits is seen, and an interrupt keeps it
    @Test
    void whatWaitsIsSaid() {
        talk.session("00000000ffff01", "First", "Running", "working").put("queued", 2);
        assertThat(console.run("sessions")).isZero();
        assertThat(console.out.toString()).contains("2 wait");
        assertThat(console.run("session", "send", "Hi", "--no-wait")).isZero();
        assertThat(console.out.toString()).contains("Waits in \"First\" until its turn.");
        assertThat(console.run("session", "interrupt")).isZero();
        assertThat(console.out.toString())
                .contains("Interrupted \"First\". 2 messages wait there, until you send another.");
    }

    @Test
    void whoIsAskedFirstIsToldSo() {
        talk.session("00000000ffff01", "First", "Running", "waiting_input");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "Hi")).isZero();
        assertThat(console.err.toString())
                .contains("→ First (it waits for you first: tandem permissions)");
    }

    @Test
    void programsGetOneObjectOrAStream() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "Hi", "--json")).isZero();
        assertThat(console.json().path("data").path("text").asString()).isEqualTo("Hello there");
        assertThat(console.json().path("data").path("stopReason").asString()).isEqualTo("end_turn");
        turn(10, "end_turn");
        assertThat(console.run("session", "watch", "--output-format", "stream-json")).isZero();
        List<String> lines = console.out.toString().lines().toList();
        assertThat(lines).hasSize(5).allMatch(line -> Json.parse(line).isObject());
    }

    @Test
    void standardInputIsTheMessage() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        console.stdin = "from a file\n";
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "-")).isZero();
        assertThat(talk.done).contains("send 00000000ffff01 from a file");
        assertThat(console.run("session", "send")).isEqualTo(1);
        assertThat(console.run("session", "new", "Fix", "--prompt", "-")).isZero();
        assertThat(talk.done).contains("create Fix|||", "send new000001 from a file");
        talk.done.clear();
        console.stdin = " \n";
        assertThat(console.run("session", "new", "Fix", "--prompt", "-")).isEqualTo(1);
        assertThat(console.err).contains("Missing --prompt");
        assertThat(talk.done).as("nothing is begun without words").isEmpty();
    }

    @Test
    void elsewhereADashIsADash() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "see", "-", "please")).isZero();
        assertThat(console.run("session", "rename", "First", "-")).isZero();
        assertThat(console.run("session", "rename", "ffff01", "--name", "-")).isZero();
        assertThat(talk.done)
                .contains(
                        "send 00000000ffff01 see - please",
                        "rename 00000000ffff01 -",
                        "rename 00000000ffff01 -");
    }

    // SEC-22
    @Test
    void anAgentsWordsDriveNoTerminal() {
        talk.session("00000000ffff01", "First", "Running", "idle");
        talk.delta("m1", "\u001b]52;c;x\u0007 \u009b31m \u202e\ud83d");
        talk.delta("m1", "\ude00 ok");
        turn(10, "end_turn");
        assertThat(console.run("session", "send", "Hi", "--session", "First")).isZero();
        assertThat(console.out.toString())
                .contains("\\x1b]52", "\\x9b31m", "\\u202e", "\ud83d\ude00 ok")
                .doesNotContain("\u001b", "\u009b", "\u202e");
        talk.export = Json.object().put("text", "\u009b\u202e\u007f");
        assertThat(console.run("session", "export")).isZero();
        assertThat(console.out.toString()).doesNotContain("\u009b", "\u202e", "\u007f");
        assertThat(Json.parse(console.out.toString())).isEqualTo(talk.export);
        assertThat(console.run("session", "export", "--json")).isZero();
        assertThat(console.json().path("data")).isEqualTo(talk.export);
        assertThat(console.out.toString()).doesNotContain("\u009b", "\u202e", "\u007f");
    }

    @Test
    void foldersAreMeantFromWhereTheLineWasTyped() {
        console.folder = Path.of("/home/me/code");
        assertThat(
                        console.run(
                                "session",
                                "new",
                                "Fix",
                                "--folder",
                                "app",
                                "--agent",
                                "a",
                                "--mode",
                                "act"))
                .isZero();
        assertThat(talk.done).containsExactly("create Fix|a|act|/home/me/code/app");
        assertThat(console.run("session", "new", "Fix", "--mode", "root")).isEqualTo(1);
    }

    @Test
    void aFirstWordAloneIsExplained() {
        assertThat(console.run("session")).isEqualTo(1);
        assertThat(console.err.toString()).contains("new, send, watch");
    }

    @Test
    void cardsHaveTheKeysOfThePanel() {
        String shown = new CardText(talk.card("abcdef123456", OURS)).ask(80);
        assertThat(shown)
                .contains("Allow? click \"Save\"", "https://app.test", "asked by", "First")
                .contains("[1] Once", "[2] This session", "[3] Always")
                .contains("[9] Never", "[0] Not now");
        assertThat(shown.lines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @CsvSource({"allow,,allow_once", "allow,session,allow_session", "allow,always,allow_always"})
    void commandsAnswerCards(String verb, String how, String option) {
        talk.card("abcdef123456", OURS);
        List<String> line = new ArrayList<>(List.of("permissions", verb, "abcdef"));
        if (how != null) {
            line.addAll(List.of("--for", how));
        }
        assertThat(console.run(line.toArray(String[]::new))).isZero();
        assertThat(talk.done).containsExactly("answer abcdef123456 " + option);
    }

    @Test
    void wrongCardsAreNotAnswered() {
        talk.card("abcdef123456", "allow_once", "reject_once");
        assertThat(console.run("permissions", "allow", "abc")).isEqualTo(1);
        assertThat(console.run("permissions", "allow", "ffffff")).isEqualTo(1);
        assertThat(console.run("permissions", "allow", "abcdef", "--for", "always")).isEqualTo(1);
        assertThat(console.run("permissions", "allow", "abcdef", "--for", "ever")).isEqualTo(1);
        assertThat(talk.done).isEmpty();
        assertThat(console.run("permissions", "reject", "abcdef")).isZero();
        assertThat(talk.done).containsExactly("answer abcdef123456 reject_once");
        assertThat(console.run("permissions")).isZero();
        assertThat(console.out.toString()).isEqualTo("Nobody asks.\n");
    }

    @Test
    void whereNobodySitsCardsAreListed() {
        talk.card("abcdef123456", OURS);
        assertThat(console.run("permissions")).isZero();
        assertThat(console.out.toString()).startsWith("abcdef12  Allow? click");
        assertThat(console.run("permissions", "--json")).isZero();
        assertThat(console.json().path("data")).hasSize(1);
        assertThat(talk.done).isEmpty();
    }

    // SEC-17, in a terminal: what was typed before the card could be read is no answer
    @Test
    void keysStruckTooEarlyAreNoAnswer() {
        console.terminal = new Invocation.Terminal(true, false, 80, true);
        talk.card("abcdef123456", OURS);
        console.keys.addAll(List.of("1", "1", "1", "q"));
        assertThat(console.run("permissions")).isZero();
        assertThat(talk.done).isEmpty();
    }

    // SEC-8, in a terminal: what a key says follows from its kind, not from the agent's label
    @Test
    void anAgentsLabelIsAQuotation() {
        ObjectNode card = talk.card("abcdef123456", "allow_once", "reject_once");
        card.put("source", "agent");
        ((ObjectNode) card.path("options").path(0)).put("name", "Reject” [0] Really");
        card.putObject("element").put("role", "button").put("name", "Pay all");
        card.put("leadsTo", "https://evil.test/?all");
        assertThat(console.run("permissions")).isZero();
        assertThat(console.out.toString())
                .contains("[1] Allow once “Reject’ [0] Really”", "[2] Reject")
                .contains("button “Pay all” (the page's words)")
                .containsPattern("leads to +https://evil.test/\\?all");
    }

    @Test
    void aPersonIsAskedWhoseOutputGoesIntoAPipe() {
        console.terminal = new Invocation.Terminal(false, false, 80, true);
        talk.card("abcdef123456", OURS);
        console.keys.add("q");
        assertThat(console.run("permissions")).isZero();
        assertThat(console.err.toString()).contains("Allow? click", "[1] Once");
        console.terminal = new Invocation.Terminal(true, false, 80, false);
        assertThat(console.run("permissions")).isZero();
        assertThat(console.err.toString()).as("nobody's keys can come").isEmpty();
    }

    @Test
    void aCardIsNoFormAndTheHelpNamesWhatTakesIt() {
        talk.card("abcdef12", "allow_once", "reject_once");
        assertThat(console.run("permissions", "answer", "abcdef12", "1")).isEqualTo(1);
        assertThat(console.err.toString()).contains("tandem permissions allow abcdef12");
        assertThat(console.run("permissions", "--help")).isZero();
        assertThat(console.out.toString()).contains("permissions allow", "permissions forget");
    }

    @Test
    void agentsAreListedAndTried() {
        ObjectNode agent = Json.object().put("agentId", "guide").put("name", "Guide");
        agent.put("available", true).put("builtIn", true).put("command", "tandem");
        talk.agents.add(agent);
        talk.agents.add(
                Json.object()
                        .put("agentId", "gone")
                        .put("name", "Gone")
                        .put("reason", "Not installed."));
        assertThat(console.run("agents")).isZero();
        assertThat(console.out.toString()).contains("built in", "missing", "Not installed.");
        talk.report.put("version", "1.2").put("answer", "hello\n\n- one thing\n");
        talk.report.putObject("capabilities").putObject("promptCapabilities").put("image", true);
        assertThat(console.run("agents", "guide", "--test")).isZero();
        assertThat(console.out.toString()).contains("1.2", "prompt.image", "hello - one thing\n");
        assertThat(talk.done).containsExactly("check guide true");
        assertThat(console.run("agents", "--test")).isZero();
        assertThat(talk.done).as("what is not there is not tried").hasSize(2);
        assertThat(talk.done.getLast()).isEqualTo("check guide true");
        talk.report.put("problem", "It does not start. " + "Say why. ".repeat(20) + "Over.");
        console.out.setLength(0);
        console.err.setLength(0);
        assertThat(console.run("agents", "guide")).isEqualTo(2);
        assertThat(console.out.toString()).contains("It does not start.", "Over.");
        assertThat(console.out.toString().lines()).allMatch(line -> line.length() <= 80);
        assertThat(console.err.toString()).doesNotContain("page", "snapshot");
        console.out.setLength(0);
        assertThat(console.run("agents", "guide", "--json")).isEqualTo(2);
        assertThat(console.out.toString().lines()).hasSize(1);
        assertThat(console.out.toString()).contains("\"success\":false", "1.2");
        assertThat(console.run("agents", "nobody")).isEqualTo(1);
    }

    // ACP-85: the refusal says where the ways to sign in are
    @Test
    void whoMustSignInIsToldWhere() {
        talk.agents.add(
                Json.object().put("agentId", "ext").put("name", "Ext").put("available", true));
        talk.report.put("problem", "Sign in first").put("code", "auth_required");
        assertThat(console.run("agents", "ext", "--test")).isEqualTo(2);
        assertThat(console.out.toString().replaceAll("\\s+", " "))
                .contains("problem Sign in first")
                .contains("to do Begin a chat with it in the panel or at /app");
    }

    // ACP-86: offered where the agent says it can, and nowhere else
    @Test
    void signingOutIsOfferedByAgentsThatCan() {
        talk.agents.add(Json.object().put("agentId", "guide").put("name", "Guide"));
        assertThat(console.run("agents", "guide")).isZero();
        assertThat(console.out.toString()).doesNotContain("--sign-out");
        talk.report.put("signsOut", true);
        assertThat(console.run("agents", "guide")).isZero();
        assertThat(console.out.toString()).contains("tandem agents guide --sign-out");
        talk.done.clear();
        assertThat(console.run("agents", "guide", "--sign-out")).isZero();
        assertThat(console.out.toString()).contains("You are signed out of Guide.");
        assertThat(talk.done).containsExactly("sign out guide");
        assertThat(console.run("agents", "--sign-out")).as("of which").isEqualTo(1);
        assertThat(console.run("agents", "nobody", "--sign-out")).isEqualTo(1);
        assertThat(talk.done).hasSize(1);
    }

    // ACP-90
    @Test
    void whatAnAgentRemembersGoesOnHere() {
        talk.agents.add(Json.object().put("agentId", "guide").put("name", "Guide"));
        talk.earlier.add(
                remembered("0191-aaaaaa01", "Fix the\u001b[2J lamp", 1).put("cwd", "/w/a"));
        talk.earlier.add(
                remembered("0191-aaaaaa02", "Newer", 2).put("cwd", "/w/b").put("registered", true));
        talk.earlier.add(
                remembered("0191-aaaaaa03", "Ours", 0)
                        .put("imported", false)
                        .put("sessionId", "00000000ffff01"));
        talk.session("00000000ffff01", "Ours", "Stopped", "stopped");
        assertThat(console.run("agents", "guide", "--sessions")).isZero();
        assertThat(console.out.toString())
                .contains("aaaaaa01", "Fix the\\x1b[2J lamp", "/w/a", "here", "--continue ID")
                .doesNotContain("\u001b");

        assertThat(console.run("session", "new", "--continue", "last")).isEqualTo(1);
        assertThat(console.err.toString()).contains("--agent");
        assertThat(go("last")).isZero();
        assertThat(talk.done).contains("create Newer|guide|||0191-aaaaaa02@/w/b");
        // the agent's word alone opens no folder
        assertThat(go("aaaaaa01")).isEqualTo(1);
        assertThat(console.err.toString()).contains("/w/a", "--folder");
        assertThat(go("aaaaaa01", "--folder", "/w/a", "--name", "Lamp")).isZero();
        assertThat(talk.done).contains("create Lamp|guide||/w/a|0191-aaaaaa01@");
        int before = talk.sessions.size();
        assertThat(go("ours")).isZero();
        assertThat(console.out.toString()).contains("Here is \"Ours\" (ffff01)");
        assertThat(talk.sessions).hasSize(before);
        assertThat(go("nothing")).isEqualTo(1);
        assertThat(console.err.toString()).contains("tandem agents guide --sessions");
        assertThat(go("0191-aaaaaa0")).as("the beginning of several").isEqualTo(1);
    }

    private int go(String which, String... more) {
        List<String> line =
                new ArrayList<>(List.of("session", "new", "--agent", "guide", "--continue", which));
        line.addAll(List.of(more));
        return console.run(line.toArray(String[]::new));
    }

    private static ObjectNode remembered(String id, String title, long at) {
        return Json.object()
                .put("agentSessionId", id)
                .put("sessionId", id)
                .put("title", title)
                .put("updatedAt", at)
                .put("imported", true);
    }

    @Test
    void completionKnowsTheSecondWordsFlags() {
        assertThat(console.run("completion", "bash")).isZero();
        assertThat(console.out.toString()).contains("\"session send\") words='--text --session");
    }

    // ACP-102 (in a terminal): forms are shown with their fields, checked, filled in or declined
    @Test
    void formsAreAnswered() {
        ObjectNode form = Json.object().put("requestId", "form1234-x").put("sessionName", "First");
        ObjectNode params =
                form.putObject("params").put("message", "Where to?").put("mode", "form");
        ObjectNode schema = params.putObject("requestedSchema").put("type", "object");
        ObjectNode fields = schema.putObject("properties");
        fields.putObject("city").put("type", "string").put("description", "A place");
        fields.putObject("nights").put("type", "integer");
        fields.putObject("pets").put("type", "boolean").put("default", false);
        fields.putObject("room").put("type", "string").putArray("enum").add("big").add("small");
        schema.putArray("required").add("city");
        talk.questions.add(form);
        assertThat(console.run("permissions")).isZero();
        assertThat(console.out.toString())
                .contains("form1234", "Where to?", "big | small", "permissions answer ID");
        assertThat(console.run("permissions", "answer", "form1234", "nights=2")).isEqualTo(1);
        assertThat(console.run("permissions", "answer", "form1234", "city=Rome", "nights=two"))
                .isEqualTo(1);
        assertThat(console.run("permissions", "answer", "form1234", "city=Rome", "room=huge"))
                .isEqualTo(1);
        assertThat(console.run("permissions", "answer", "form1234", "town=Rome")).isEqualTo(1);
        assertThat(talk.done).isEmpty();
        assertThat(
                        console.run(
                                "permissions",
                                "answer",
                                "form1234",
                                "city=New York",
                                "nights=2",
                                "room=big"))
                .isZero();
        assertThat(talk.done)
                .containsExactly(
                        "accept form1234-x"
                                + " {\"pets\":false,\"city\":\"New York\",\"nights\":2,\"room\":\"big\"}");
        assertThat(console.run("permissions", "decline", "form1234")).isEqualTo(1);
    }
}
