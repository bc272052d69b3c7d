package dev.tandem.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The guide does its few things on the current page, without any model. */
class GuideTest {
    private FakeBrowser browser;
    private AcpClient client;

    @BeforeEach
    void start() throws Exception {
        browser = new FakeBrowser();
        ObjectNode tabs = Json.object();
        var list = tabs.putArray("tabs");
        list.addObject()
                .put("id", 1)
                .put("title", marked("Bakery"))
                .put("url", marked("https://b.test/"))
                .put("active", true);
        list.addObject()
                .put("id", 2)
                .put("title", marked("Butcher"))
                .put("url", marked("https://c.test/"))
                .put("active", false);
        browser.tools.put("browser_tabs", p -> FakeBrowser.ok("2 tabs", tabs));
        browser.tools.put("browser_read", p -> page(p.path("tabId").asInt(0)));
        browser.tools.put(
                "launch", p -> FakeBrowser.ok("held", Json.object().put("sessionId", "ops1")));
        browser.tools.put("status", p -> FakeBrowser.ok("fine", Json.object()));
        client = new AcpClient(new GuideBrain()).open(browser.asMcpServers());
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        browser.close();
    }

    /** As the hub hands out what a page wrote. */
    private static String marked(String text) {
        return "⟦page a1b2c3⟧" + text + "⟦/page a1b2c3⟧";
    }

    private static ObjectNode page(int tab) {
        String text =
                tab == 1
                        ? "# Bakery\nWe bake bread every morning from five o'clock on.\n## Opening hours\n"
                                + "Monday to Friday 6 to 18\n## Contact\nCommon line"
                        : "# Butcher\nCommon line\nMeat of the region";
        return FakeBrowser.ok("page", Json.object().put("dom", marked(text)));
    }

    @Test
    void outlinesTheCurrentPage() throws Exception {
        assertThat(client.ask("Please outline this page")).isEqualTo("end_turn");
        assertThat(client.said())
                .contains("**Bakery** (https://b.test/)")
                .contains("- Bakery\n  - Opening hours\n  - Contact")
                .contains("We bake bread every morning")
                .as("the marks are for models, not for people")
                .doesNotContain("⟦");
        assertThat(browser.called()).containsExactly("browser_tabs", "browser_read");
        assertThat(browser.methods).startsWith("initialize", "notifications/initialized");
    }

    @Test
    void readsThePageThatWasAttachedOrNamed() throws Exception {
        client.ask("read this page", "https://c.test/");
        assertThat(client.said()).contains("**Butcher**").doesNotContain("**Bakery**");
        client.ask("outline https://c.test/");
        client.ask("read the butcher page");
        assertThat(client.said()).doesNotContain("**Bakery**");
        assertThat(browser.calls.stream().filter(c -> Json.text(c, "name").equals("browser_read")))
                .allMatch(c -> c.path("arguments").path("tabId").asInt() == 2);
    }

    // ACP-B1: after a restart the conversation so far comes before the words
    @Test
    void whatWasSaidBeforeIsNotAskedAgain() throws Exception {
        ObjectNode params = Json.object().put("sessionId", client.sessionId);
        var blocks = params.putArray("prompt");
        ObjectNode past = blocks.addObject().put("type", "text").put("text", "User: compare tabs");
        past.putObject("annotations").putArray("audience").add("assistant");
        blocks.addObject().put("type", "text").put("text", "Outline this page");
        client.call("session/prompt", params);
        assertThat(client.said()).contains("Its outline").doesNotContain("A is");
    }

    @Test
    void saysThatAnEmptyPageIsEmpty() throws Exception {
        browser.tools.put("browser_read", p -> FakeBrowser.ok("", Json.object().put("dom", "")));
        client.ask("read this page");
        assertThat(client.said())
                .contains("**Bakery** (https://b.test/) is empty.")
                .contains("- **Butcher** (https://c.test/)");
    }

    @Test
    void everyToolCallIsShownAsACard() throws Exception {
        client.ask("read it");
        List<String> cards =
                client.updates.stream()
                        .filter(u -> u.has("toolCallId"))
                        .map(u -> Json.text(u, "sessionUpdate") + " " + Json.text(u, "status"))
                        .toList();
        assertThat(cards)
                .containsExactly(
                        "tool_call in_progress",
                        "tool_call_update completed",
                        "tool_call in_progress",
                        "tool_call_update completed");
    }

    @Test
    void findsWords() throws Exception {
        client.ask("Where are the opening hours on this page?");
        assertThat(client.said())
                .contains("“opening hours” stands once")
                .contains("## Opening hours");
        client.ask("find bread unicorns");
        assertThat(client.said())
                .contains("No line of **Bakery** (https://b.test/) holds all of “bread unicorns”")
                .contains("Some of it:\n\n- We bake bread");
        client.ask("find \"unicorns\"");
        assertThat(client.said()).contains("“unicorns” stands nowhere");
    }

    @Test
    void comparesTwoTabs() throws Exception {
        client.ask("compare my two tabs");
        assertThat(client.said())
                .contains("A is **Bakery**")
                .contains("B is **Butcher**")
                .contains("They share 1 lines")
                .contains("- Meat of the region");
    }

    @Test
    void fillsFieldsByTheirLabels() throws Exception {
        String snapshot =
                """
                [r1] textbox [required] "Your name"
                [r6] combobox "City" value="Rome"
                [r7] option [selected] "Rome"
                [r2] textbox "E-mail" value=""
                [r3] button "Send"
                [r4] textbox [disabled] "Code"
                [r5] listbox "Country\"\
                """;
        browser.tools.put(
                "snapshot",
                p -> FakeBrowser.ok("s", Json.object().put("content", marked(snapshot))));
        browser.tools.put("type", p -> FakeBrowser.ok("typed", Json.object()));
        browser.tools.put("select", p -> FakeBrowser.ok("chosen", Json.object()));
        client.ask("fill name: Ada Lovelace, e-mail: ada@x.org, country: UK, city: Rome, shoe: 40");
        assertThat(browser.calls.stream().filter(c -> Json.text(c, "name").equals("type")))
                .extracting(c -> c.path("arguments").toString())
                .containsExactly(
                        "{\"sessionId\":\"ops1\",\"ref\":\"r1\",\"text\":\"Ada Lovelace\",\"clear\":true}",
                        "{\"sessionId\":\"ops1\",\"ref\":\"r2\",\"text\":\"ada@x.org\",\"clear\":true}");
        assertThat(browser.calls.stream().filter(c -> Json.text(c, "name").equals("select")))
                .extracting(c -> c.path("arguments").path("ref").asString())
                .containsExactly("r5", "r6");
        assertThat(browser.called()).doesNotContain("click");
        assertThat(client.said())
                .contains("no single field called “shoe”")
                .contains("sent nothing");
        client.ask("fill this form");
        assertThat(client.said()).contains("- Your name (required)").doesNotContain("- Code");
    }

    @Test
    void showsAScreenshotInTheCard() throws Exception {
        browser.tools.put(
                "screenshot",
                p -> {
                    ObjectNode result = Json.object();
                    result.putArray("content")
                            .addObject()
                            .put("type", "image")
                            .put("mimeType", "image/png")
                            .put("data", "iVBORw0=");
                    return result;
                });
        client.ask("take a screenshot");
        assertThat(client.updates.toString()).contains("\"data\":\"iVBORw0=\"");
    }

    @Test
    void waitsForThePermissionCardByRepeatingTheSameCall() throws Exception {
        int[] asked = {0};
        browser.tools.put(
                "browser_read",
                p ->
                        ++asked[0] < 3
                                ? FakeBrowser.failed(
                                        "permission_pending", "The user has not answered yet.")
                                : page(1));
        client.ask("read this page");
        assertThat(asked[0]).isEqualTo(3);
        assertThat(client.said()).contains("Opening hours");
    }

    @Test
    void saysWhyAToolFailedAndGoesOn() throws Exception {
        browser.streams = true;
        browser.tools.put("browser_read", p -> FakeBrowser.failed("denied", "You refused this."));
        assertThat(client.ask("read this page")).isEqualTo("end_turn");
        assertThat(client.said()).contains("I could not read").contains("> You refused this.");
    }

    @Test
    void cancelEndsTheTurnAtOnceAndTellsTheServer() throws Exception {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<ObjectNode> never = new CompletableFuture<>();
        browser.tools.put(
                "browser_read",
                p -> {
                    reached.complete(null);
                    return never.join();
                });
        CompletableFuture<JsonNode> turn = client.prompt("read this page");
        reached.get(10, TimeUnit.SECONDS);
        client.cancel();
        assertThat(turn.get(10, TimeUnit.SECONDS).path("result").path("stopReason").asString())
                .isEqualTo("cancelled");
        org.awaitility.Awaitility.await()
                .until(() -> browser.methods.contains("notifications/cancelled"));
        never.complete(Json.object());
    }

    @Test
    void explainsTandemAndItsLimits() throws Exception {
        client.ask("What is Tandem?");
        client.ask("how do I give you a model?");
        client.ask("xyzzy");
        assertThat(client.said())
                .contains("under your permission")
                .contains("ANTHROPIC_API_KEY")
                .contains("I work without a model");
        assertThat(browser.calls).isEmpty();
    }

    @Test
    void answersWithoutAnyBrowser() throws Exception {
        try (AcpClient alone = new AcpClient(new GuideBrain()).open(Json.array())) {
            assertThat(alone.ask("read this page")).isEqualTo("end_turn");
            assertThat(alone.said()).contains("No browser is connected");
        }
    }

    @Test
    void badRequestsGetErrorsAndNothingBreaks() throws Exception {
        assertThat(
                        client.call("session/nonsense", Json.object())
                                .path("error")
                                .path("code")
                                .asInt())
                .isEqualTo(-32601);
        assertThat(client.call("session/prompt", Json.object()).path("error").path("code").asInt())
                .isEqualTo(-32602);
        assertThat(
                        client.call("session/new", Json.object().put("cwd", "here"))
                                .path("error")
                                .path("code")
                                .asInt())
                .isEqualTo(-32602);
        assertThat(client.ask("hello")).isEqualTo("end_turn");
    }
}
