package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a person reads while a session works, and how watching ends. */
class WatchTest {
    private final Console console = new Console();
    private final FakeSessions talk = console.talk;
    private ObjectNode session = Json.object();

    @BeforeEach
    void begin() {
        session = talk.session("00000000ffff01", "First", "Running", "working");
    }

    private void lifecycle(String event, ObjectNode more) {
        talk.entry(0, "lifecycle", more.put("event", event).put("runId", "r"));
    }

    private void update(String block, ObjectNode update) {
        talk.news.add(Json.object().put("type", "delta").put("block", block).set("update", update));
    }

    private void started(long prompt) {
        lifecycle("run_started", Json.object().put("prompt", prompt));
    }

    private void finished() {
        lifecycle("run_finished", Json.object().put("stopReason", "end_turn"));
    }

    @Test
    void workIsToldBesideTheWords() {
        started(10);
        talk.entry(10, "user", Json.object().put("text", "Do it\nplease"));
        update(
                "",
                Json.object()
                        .put("sessionUpdate", "tool_call")
                        .put("toolCallId", "t1")
                        .put("title", "Read"));
        update(
                "",
                Json.object()
                        .put("sessionUpdate", "tool_call_update")
                        .put("toolCallId", "t1")
                        .put("title", "Read notes.txt"));
        talk.entry(11, "tool_use", Json.object().put("toolCallId", "t2").put("title", ""));
        talk.entry(
                12, "tool_result", Json.object().put("toolCallId", "t1").put("status", "failed"));
        talk.entry(
                13, "tool_result", Json.object().put("toolCallId", "t2").put("status", "failed"));
        ObjectNode plan = Json.object();
        var steps = plan.putArray("entries");
        steps.addObject().put("status", "completed").put("content", "Look");
        steps.addObject().put("status", "pending").put("content", "Act");
        talk.entry(14, "plan", plan);
        talk.entry(15, "error", Json.object().put("error", "The disk is full."));
        update("", Json.object().put("sessionUpdate", "notice").put("title", "It was slow."));
        talk.delta("m1", "One");
        talk.delta("m2", "Two \ud83d");
        ObjectNode paused = Json.object().put("event", "paused");
        paused.putObject("value").put("message", "Three refusals in a row.");
        talk.entry(16, "system", paused);
        ObjectNode place = Json.object().put("event", "place_waits");
        place.putObject("value").put("message", "As many sessions run as may.");
        talk.entry(17, "system", place);
        finished();
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.out.toString()).isEqualTo("> Do it\n> please\nOne\nTwo \\ud83d\n");
        assertThat(console.err.toString())
                .contains("▸ Read\n", "▸ a tool\n")
                .contains("✗ Read notes.txt: failed\n", "✗ a tool: failed\n")
                .contains("Plan\n  [x] Look\n  [ ] Act\n")
                .contains("! The disk is full.\n", "! It was slow.\n")
                .contains("! Three refusals in a row.\n", "! As many sessions run as may.\n");
    }

    private void stopped(long seq, String message) {
        talk.entry(
                seq,
                "lifecycle",
                Json.object()
                        .put("event", "session_stopped")
                        .put("phase", "Stopped")
                        .put("message", message));
    }

    // after a hub's restart the log holds a stop before the turn that runs now
    @Test
    void aStopThatIsHistoryDoesNotEndTheWatch() {
        session.put("lastSeq", 13);
        stopped(11, "The hub was restarted.");
        started(10);
        talk.delta("m1", "Back again");
        finished();
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.out.toString()).isEqualTo("Back again\n");
        assertThat(console.err.toString()).doesNotContain("The turn ended");
    }

    // the message waited, the session was stopped, started, and stopped again when it had answered
    @Test
    void aStopBeforeTheLastTurnDoesNotHideItsAnswer() {
        session.put("phase", "Stopped").put("status", "stopped").put("lastSeq", 20);
        talk.started = 12;
        stopped(11, "The session was stopped.");
        started(10);
        talk.delta("m1", "The answer");
        finished();
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.out.toString()).isEqualTo("The answer\n");
    }

    @Test
    void howATurnOfEarlierFailedIsSaid() {
        session.put("status", "idle");
        started(10);
        talk.entry(12, "error", Json.object().put("error", "It broke."));
        lifecycle(
                "run_finished", Json.object().put("stopReason", "error").put("error", "It broke."));
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.err.toString()).containsOnlyOnce("! It broke.\n");
    }

    @Test
    void whatOnlyAPersonCanAnswerIsSaid() {
        started(10);
        ObjectNode asked = Json.object().put("event", "elicitation_requested");
        asked.putObject("value").putObject("params").put("message", "Which city?");
        talk.entry(11, "system", asked);
        ObjectNode silent = Json.object().put("event", "elicitation_requested");
        talk.entry(12, "system", silent);
        ObjectNode request =
                Json.object().put("requestId", "abcdef123456").put("state", "requested");
        request.set("card", talk.card("abcdef123456", "allow_once", "reject_once"));
        talk.entry(13, "permission", request);
        talk.entry(
                14,
                "permission",
                Json.object().put("requestId", "answered").put("state", "requested"));
        finished();
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.err.toString())
                .contains(
                        "? Which city? Answer it by tandem permissions, in the panel or at /app.\n")
                .contains("? The agent asks something. Answer it")
                .contains("? Allow? click \"Save\"\n  tandem permissions allow abcdef12 ")
                .doesNotContain("permissions allow answered");
        assertThat(talk.done).containsExactly("closed");
    }

    // the turn may end while the person still looks at the card
    @Test
    void aCardThatIsOverDoesNotHoldTheWatcher() {
        console.terminal = new Invocation.Terminal(true, false, 80, true);
        started(10);
        ObjectNode request =
                Json.object().put("requestId", "abcdef123456").put("state", "requested");
        request.set("card", talk.card("abcdef123456", "allow_once", "reject_once"));
        talk.entry(11, "permission", request);
        talk.entry(
                12,
                "permission",
                Json.object().put("requestId", "abcdef123456").put("state", "resolved"));
        finished();
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.err.toString())
                .contains(
                        "Allow? click",
                        "  No longer asked: it was answered elsewhere or taken back.");
        assertThat(talk.done).containsExactly("closed");
    }

    @Test
    void aSessionThatIsStoppedEndsTheTurn() {
        started(10);
        lifecycle("session_stopped", Json.object().put("phase", "Stopped"));
        assertThat(console.run("session", "watch")).isEqualTo(2);
        assertThat(console.err.toString())
                .contains("The session ended.\n", "The turn ended: stopped.");
    }

    @Test
    void aHubThatGoesAwayEndsTheWatching() {
        started(10);
        talk.delta("m1", "Half a");
        assertThat(console.run("session", "watch", "--json")).isZero();
        assertThat(console.json().path("data").path("text").asString()).isEqualTo("Half a");
        assertThat(console.json().path("data").path("stopReason").asString()).isEmpty();
    }

    @Test
    void nothingWasSaidYet() {
        session.put("status", "idle");
        talk.seq = 0;
        assertThat(console.run("session", "watch")).isZero();
        assertThat(console.out.toString()).contains("Nothing was said yet.");
        session.put("queued", 1);
        started(1);
        talk.delta("m1", "Here");
        finished();
        assertThat(console.run("session", "watch", "--json")).isZero();
        assertThat(console.json().path("data").path("text").asString()).isEqualTo("Here");
        assertThat(console.json().path("data").path("stopReason").asString()).isEqualTo("end_turn");
    }

    @Test
    void anIdleSessionShowsItsLastTurnToProgramsToo() {
        session.put("status", "idle");
        started(10);
        talk.delta("m1", "Done before");
        finished();
        assertThat(console.run("session", "watch", "--json")).isZero();
        assertThat(console.json().path("data").path("text").asString()).isEqualTo("Done before");
    }

    @Test
    void aNewSessionCanBeginWithWords() {
        started(10);
        talk.delta("m1", "Hello");
        finished();
        assertThat(console.run("session", "new", "Fresh", "--prompt", "Hi")).isZero();
        assertThat(talk.done).contains("create Fresh|||", "send new000001 Hi");
        assertThat(console.out.toString()).isEqualTo("Hello\n");
    }

    @Test
    void anExportIsATextToRead() {
        ObjectNode export = talk.export;
        export.putObject("session").put("name", "First");
        var messages = export.putArray("messages");
        message(messages.addObject(), "user", "text", "Do it");
        message(messages.addObject(), "assistant", "text", "Done");
        message(messages.addObject(), "tool_use", "title", "Read notes.txt");
        message(messages.addObject(), "tool_result", "status", "completed");
        message(messages.addObject(), "tool_result", "status", "failed");
        message(messages.addObject(), "error", "error", "The disk is full.");
        message(messages.addObject(), "lifecycle", "event", "run_finished");
        assertThat(console.run("session", "export", "--markdown")).isZero();
        assertThat(console.out.toString())
                .isEqualTo(
                        """
                        # First

                        ## You, today

                        Do it

                        Done

                        - Read notes.txt
                          - failed

                        > The disk is full.
                        """);
    }

    private static void message(ObjectNode message, String kind, String field, String value) {
        message.put("kind", kind).put("created_at", "today").putObject("body").put(field, value);
    }

    @Test
    void whereThereIsNoSessionTheWayToOneIsSaid() {
        talk.sessions.clear();
        assertThat(console.run("session", "stop")).isEqualTo(1);
        assertThat(console.err.toString()).contains("There is no session. Make one:");
        assertThat(console.run("sessions")).isZero();
        assertThat(console.out.toString()).startsWith("No sessions. Begin one:");
    }

    @Test
    void projectsNameTheirFolders() {
        assertThat(console.run("projects")).isZero();
        assertThat(console.out.toString())
                .contains("default", "My\\tproject", "1 session ", "/code/a, /code/b");
    }

    @Test
    void agesAreShort() {
        long now = System.currentTimeMillis();
        session.put("updatedAt", now - 5 * 60_000L);
        talk.session("00000000ffff02", "Second", "Stopped", "stopped")
                .put("updatedAt", now - 3 * 3_600_000L);
        talk.session("00000000ffff03", "Third", "Stopped", "stopped")
                .put("updatedAt", now - 50 * 3_600_000L);
        assertThat(console.run("sessions")).isZero();
        assertThat(console.out.toString())
                .containsPattern("First.* 5 m")
                .containsPattern("Second.* 3 h")
                .containsPattern("Third.* 2 d");
    }

    // ACP-116: a crash before it was our turn is not the end of it
    @Test
    void whatWaitsBehindACrashIsFollowedToItsAnswer() {
        lifecycle(
                "session_stopped",
                Json.object().put("phase", "Failed").put("message", "boom").put("again", true));
        started(10);
        talk.delta("m1", "here I am");
        finished();
        assertThat(console.run("session", "send", "hello")).isZero();
        assertThat(console.out.toString()).isEqualTo("here I am\n");
        assertThat(console.err.toString()).contains("is started again").doesNotContain("boom");
    }
}
