package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem permissions} in front of a person, and while it watches. */
class PermissionCommandsTest {
    private final Console console = new Console();
    private final FakeSessions talk = console.talk;

    @BeforeEach
    void sitDown() {
        console.terminal = new Invocation.Terminal(true, false, 80, true);
    }

    private void announced(ObjectNode card) {
        talk.news.add(Json.object().put("type", "card").set("card", card));
    }

    /** A person strikes a key until the terminal says something, then the next one. */
    private void strikes(String first, String reaction, String then) {
        console.person =
                () -> {
                    LockSupport.parkNanos(1_000_000);
                    return console.err.toString().contains(reaction) ? then : first;
                };
    }

    @Test
    void whatIsAllowedForGoodIsSaidTwice() {
        talk.card("abcdef123456", "allow_once", "allow_always", "reject_once");
        strikes("3", "Press 3 again", "3");
        assertThat(console.run("permissions")).isZero();
        assertThat(talk.done).containsExactly("answer abcdef123456 allow_always");
        assertThat(console.err.toString()).contains("Press 3 again to confirm", "  Allowed.");
        assertThat(console.out).isEmpty();
    }

    @Test
    void anotherKeyTakesThePressBack() {
        talk.card("abcdef123456", "allow_once", "allow_always", "reject_once")
                .put("risk", "sensitive");
        strikes("1", "Press 1 again", "0");
        assertThat(console.run("permissions")).isZero();
        assertThat(talk.done).containsExactly("answer abcdef123456 reject_once");
        assertThat(console.err.toString()).contains("  Refused.");
    }

    @Test
    void aCardThatIsAnsweredElsewhereGoesAndFormsAreShownThen() {
        talk.card("abcdef123456", "allow_once", "reject_once");
        ObjectNode form = Json.object().put("requestId", "form1234-x");
        form.putObject("params").put("message", "Which city?");
        talk.questions.add(form);
        console.person =
                () -> {
                    talk.cards.clear();
                    return "";
                };
        assertThat(console.run("permissions")).isZero();
        assertThat(console.err.toString())
                .contains(
                        "Allow? click",
                        "  No longer asked: it was answered elsewhere or taken back.");
        assertThat(console.out.toString()).contains("form1234", "Which city?");
        assertThat(talk.done).isEmpty();
    }

    @Test
    void watchingShowsWhatStillWaits() {
        console.terminal = Invocation.Terminal.NONE;
        announced(talk.card("abcdef123456", "allow_once", "reject_once"));
        announced(Json.object().put("requestId", "answered-long-ago"));
        talk.news.add(Json.object().put("type", "resolved").put("requestId", "x"));
        List<ObjectNode> news = List.copyOf(talk.news);
        assertThat(console.run("permissions", "--watch")).isZero();
        assertThat(console.err.toString()).contains("Waiting for requests");
        assertThat(console.out.toString())
                .startsWith("abcdef12  Allow? click")
                .doesNotContain("answered");
        assertThat(talk.done).containsExactly("closed");
        talk.news.addAll(news);
        assertThat(console.run("permissions", "--watch", "--output-format", "stream-json"))
                .isZero();
        assertThat(console.out.toString().lines().map(Json::parse)).containsExactlyElementsOf(news);
    }

    @Test
    void whoWatchesAnswersByKeysAndLeavesByOne() {
        announced(talk.card("abcdef123456", "allow_once", "reject_once"));
        announced(talk.card("fedcba654321", "allow_once", "reject_once"));
        announced(talk.card("000000000000", "allow_once", "reject_once"));
        strikes("1", "  Allowed.", "q");
        assertThat(console.run("permissions", "--watch")).isZero();
        assertThat(talk.done).containsExactly("answer abcdef123456 allow_once", "closed");
        assertThat(talk.news).as("the third was not looked at any more").hasSize(1);
    }

    // every answer has a key, also those that no panel has a place for
    @Test
    void everyAnswerHasAKeyAndAName() {
        ObjectNode card =
                talk.card(
                        "abcdef123456",
                        "allow_once",
                        "allow_session",
                        "allow_site",
                        "allow_domain",
                        "allow_always",
                        "reject_once",
                        "reject_always",
                        "ask_me_tomorrow");
        assertThat(new CardText(card).ask(200))
                .contains("[4] This site, this session", "[5] Always, subdomains too")
                .contains("[9] Never", "[6] ask_me_tomorrow");
        card.put("source", "agent");
        var options = card.putArray("options");
        options.addObject().put("optionId", "a").put("kind", "allow_always").put("name", "Sure");
        options.addObject().put("optionId", "d").put("kind", "perhaps").put("name", "");
        options.addObject().put("optionId", "b").put("kind", "allow_always").put("name", "");
        options.addObject().put("optionId", "c").put("kind", "reject_always").put("name", "");
        assertThat(new CardText(card).ask(80))
                .contains("[1] Always allow “Sure”", "[2] Other answer")
                .contains("[3] Always allow", "[4] Always reject");
    }

    // SEC-17: what lasts is said twice, whatever the agent calls it
    @Test
    void anAgentsLastingAnswerIsSaidTwice() {
        ObjectNode card = talk.card("abcdef123456", "allow_once");
        card.put("source", "agent");
        var options = card.putArray("options");
        options.addObject().put("optionId", "x").put("kind", "allow_always").put("name", "Yes");
        options.addObject().put("optionId", "y").put("kind", "allow_once").put("name", "Yes");
        CardText text = new CardText(card);
        assertThat(text.twice(text.option("1").orElseThrow())).isTrue();
        assertThat(text.twice(text.option("2").orElseThrow())).isFalse();
    }

    // ACP-102: a person sees what is needed, and a number is one that JSON has
    @Test
    void formsSayWhatIsNeededAndTakeOnlyNumbersForNumbers() {
        ObjectNode form = Json.object().put("requestId", "form1234-x").put("sessionName", "First");
        ObjectNode schema =
                form.putObject("params").put("message", "You").putObject("requestedSchema");
        schema.putArray("required").add("age");
        ObjectNode fields = schema.putObject("properties");
        fields.putObject("age").put("type", "integer").put("description", "In years");
        fields.putObject("size").put("type", "number");
        talk.questions.add(form);
        assertThat(console.run("permissions")).isZero();
        assertThat(console.out.toString())
                .contains("age       integer, needed: In years\n", "size      number\n");
        assertThat(console.run("permissions", "answer", "form1234", "age=1.5")).isEqualTo(1);
        assertThat(console.err.toString())
                .contains("The field age is a whole number, and \"1.5\" is not.");
        for (String no : List.of("NaN", "Infinity", "1e999", "tall")) {
            assertThat(console.run("permissions", "answer", "form1234", "age=1", "size=" + no))
                    .isEqualTo(1);
            assertThat(console.err.toString())
                    .contains("The field size is a number, and \"" + no + "\" is not.");
        }
        assertThat(talk.done).isEmpty();
    }

    @Test
    void formsTakeEveryKindOfValue() {
        ObjectNode form = Json.object().put("requestId", "form1234-x").put("sessionName", "First");
        ObjectNode params = form.putObject("params").put("message", "Your trip");
        ObjectNode fields = params.putObject("requestedSchema").putObject("properties");
        fields.putObject("budget").put("type", "number");
        fields.putObject("pets").put("type", "boolean");
        ObjectNode meals = fields.putObject("meals").put("type", "array");
        meals.putObject("items").put("type", "string").putArray("enum").add("noon").add("night");
        talk.questions.add(form);
        assertThat(console.run("permissions", "answer", "form1234", "pets=maybe")).isEqualTo(1);
        assertThat(console.err.toString()).contains("The field pets is yes or no.");
        assertThat(console.run("permissions", "answer", "form1234", "meals=noon, tea"))
                .isEqualTo(1);
        assertThat(console.err.toString()).contains("The field meals is one of night, noon.");
        assertThat(
                        console.run(
                                "permissions",
                                "answer",
                                "form1234",
                                "budget=99.5",
                                "pets=Yes",
                                "meals=noon, night"))
                .isZero();
        assertThat(talk.done)
                .containsExactly(
                        "accept form1234-x"
                                + " {\"budget\":99.5,\"pets\":true,\"meals\":[\"noon\",\"night\"]}");
        talk.questions.add(form);
        assertThat(console.run("permissions", "decline", "form1234")).isZero();
        assertThat(console.out.toString()).isEqualTo("Declined.\n");
        assertThat(talk.done.getLast()).isEqualTo("decline form1234-x {}");
    }
}
