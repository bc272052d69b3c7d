package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a model reads of a result, to the word: each costs it some of its room. */
class ToolTextTest {
    private final Catalogue catalogue = Catalogue.load();

    @Test
    void pageThatLoadedAsAskedIsNamedAndNothingElse() {
        String text =
                text(
                        "goto",
                        """
                        {"finalUrl":"http://a.test/","status":200,"timingMs":12.5,"title":"A",
                         "meta":{"blockerState":"clear"},"redirects":[]}\
                        """);
        assertThat(text).isEqualTo("⟦finalUrl: http://a.test/\ntitle: A⟧");
        String asked = "{\"url\":\"http://a.test/\"}";
        assertThat(text("goto", "{\"finalUrl\":\"http://a.test/\",\"title\":\"A\"}", asked))
                .isEqualTo("⟦title: A⟧");
        assertThat(text("goto", "{\"finalUrl\":\"http://b.test/\",\"title\":\"B\"}", asked))
                .isEqualTo("⟦finalUrl: http://b.test/\ntitle: B⟧");
    }

    @Test
    void whatTheCallerGaveIsNotGivenBack() {
        String typed = "{\"value\":\"12.5\",\"timingMs\":5}";
        assertThat(text("type", typed, "{\"ref\":\"r1\",\"text\":\"12.5\"}")).isEqualTo("ok");
        assertThat(text("type", typed, "{\"ref\":\"r1\",\"text\":\"12,5\"}"))
                .isEqualTo("⟦value: 12.5⟧");
        String chosen = "{\"selected\":[\"de\"]}";
        assertThat(text("select", chosen, "{\"values\":[\"de\"]}")).isEqualTo("ok");
        assertThat(text("select", chosen, "{\"values\":[\"German\"]}"))
                .isEqualTo("⟦selected: [\"de\"]⟧");
    }

    @Test
    void actionWithoutAnyEffectSaysSo() {
        assertThat(text("click", "{\"navigated\":false,\"url\":\"http://a.test/\",\"diff\":\"\"}"))
                .isEqualTo("nothing else changed");
    }

    // OPS-161: what is not all says so
    @Test
    void changesThatAreCutOffSaySo() {
        String cut =
                """
                {"navigated":true,"url":"http://a.test/","diff":"[r7] main","truncated":true,"nextCursor":"s1:9"}\
                """;
        assertThat(text("click", cut))
                .isEqualTo(
                        """
                        navigated: true
                        truncated: true
                        nextCursor: s1:9
                        ⟦url: http://a.test/
                        [r7] main⟧\
                        """);
        assertThat(text("click", "{\"diff\":\"\",\"truncated\":true,\"warnings\":[\"More.\"]}"))
                .contains("More.")
                .doesNotContain("nothing else changed");
    }

    @Test
    void aLongTextIsCutBetweenCharacters() {
        String page = "a".repeat(199_999) + "🚲".repeat(2);
        assertThat(text("browser_read", "{\"dom\":\"" + page + "\"}")).doesNotContain("\ud83d");
    }

    @Test
    @DisplayName("OPS-54 a snapshot without a line says what that means")
    void anEmptySnapshotSaysWhatThatMeans() {
        String empty = "{\"snapshotId\":\"s1\",\"content\":\"\"}";
        assertThat(text("snapshot", empty, "{\"find\":\"Sign in\"}"))
                .isEqualTo("nothing on the page matches");
        assertThat(text("snapshot", empty, "{\"since\":\"last\"}")).isEqualTo("nothing changed");
        assertThat(text("snapshot", empty)).isEqualTo("the page shows nothing");
    }

    // SEC-21: that one began is ours, its name and where it comes from the page's
    @Test
    void aDownloadIsToldInThePagesWords() {
        String saved =
                """
                {"navigated":false,"url":"http://a.test/","downloads":[{"name":"a.pdf","host":"b.test"}]}\
                """;
        assertThat(text("click", saved))
                .isEqualTo(
                        """
                        a download began
                        ⟦downloads: [{"name":"a.pdf","host":"b.test"}]⟧\
                        """);
    }

    @Test
    @DisplayName("OPS-71 what was logged is a line each, with every fact once")
    void whatWasLoggedIsALineEach() {
        String log =
                """
                {"events":[
                 {"seq":7,"kind":"console","level":"warn","category":"warning","text":"two\\nlines",
                  "argsPreview":"two\\nlines","source":"http://a.test/x.js","line":3,"column":5,"ts":61001,"targetId":"tab-1"},
                 {"seq":8,"kind":"exception","level":"error","category":"error","text":"Uncaught Error: no",
                  "source":"http://a.test/x.js","line":9,"column":1,"ts":62000,"targetId":"tab-1",
                  "stack":"Error: no\\n    at f (http://a.test/x.js:9:1)\\n    at g (http://a.test/x.js:2:1)"}],
                 "nextSeq":8,"dropped":%d}\
                """;
        String lines =
                """
                ⟦7 00:01:01.001 warn: two
                  lines (http://a.test/x.js:3:5)
                8 00:01:02.000 exception: Uncaught Error: no
                  at f (http://a.test/x.js:9:1)
                  at g (http://a.test/x.js:2:1)⟧\
                """;
        assertThat(text("console_poll", log.formatted(0))).isEqualTo("nextSeq: 8\n" + lines);
        assertThat(text("console_poll", log.formatted(4)))
                .isEqualTo("nextSeq: 8\ndropped: 4\n" + lines);
        String two = log.formatted(0).replaceFirst("tab-1", "tab-2");
        assertThat(text("console_poll", two)).contains("tab-2 warn: two", "tab-1 exception: ");
    }

    @Test
    void howStepsWentIsSaidOutsideThePagesWords() {
        String text =
                text(
                        "run",
                        """
                        {"results":[{"i":0,"ok":true,"data":{"value":"A"}},
                         {"i":1,"ok":true,"data":{"value":"b"}},
                         {"i":2,"ok":false,"error":{"message":"r9 is covered","code":"execution_failed"}}]}\
                        """,
                        """
                        {"steps":[{"action":"type","args":{"text":"A"}},
                         {"action":"type","args":{"text":"B"}},{"action":"click","args":{"ref":"r9"}}]}\
                        """);
        assertThat(text)
                .isEqualTo(
                        """
                        step 2 failed
                        ⟦step 1:
                        value: b
                        {"message":"r9 is covered","code":"execution_failed"}⟧\
                        """);
    }

    @Test
    void whatWentOtherwiseIsSaid() {
        String text =
                text(
                        "goto",
                        """
                        {"finalUrl":"http://b.test/","status":404,"timingMs":12.5,"title":"",
                         "meta":{"blockerState":"login"},"redirects":["http://a.test/"]}\
                        """);
        assertThat(text)
                .contains("status: 404", "blockerState", "redirects", "http://a.test/")
                .doesNotContain("timingMs");
    }

    @Test
    void snapshotIsItsPageAndItsLines() {
        String data =
                """
                {"snapshotId":"s1","url":"http://a.test/","title":"A","content":"[r1] main",
                 "truncated":%s,"refCount":1,"timingMs":3,"warnings":[],"targetId":"tab-1"}\
                """;
        assertThat(text("snapshot", data.formatted(false)))
                .isEqualTo("⟦url: http://a.test/\ntitle: A\n[r1] main⟧");
        assertThat(text("snapshot", data.formatted(true))).contains("truncated: true");
    }

    @Test
    void stepsNameTheirPageOnce() {
        String text =
                text(
                        "run",
                        """
                        {"timingMs":9,"sessionId":"x","results":[
                         {"i":0,"ok":true,"data":{"finalUrl":"http://a.test/","status":200,"title":"A"}},
                         {"i":1,"ok":true,"data":{"snapshotId":"s1","url":"http://a.test/","title":"A",
                          "content":"[r1] button","targetId":"tab-1"}},
                         {"i":2,"ok":true,"data":{"navigated":false,"url":"http://a.test/","diff":"~ [r1] button"}},
                         {"i":3,"ok":true,"data":{"navigated":true,"url":"http://b.test/"}}]}\
                        """,
                        """
                        {"steps":[{"action":"goto","args":{"url":"http://a.test/"}},{"action":"snapshot"},
                         {"action":"click","args":{"ref":"r1"}},{"action":"click","args":{"ref":"r1"}}]}\
                        """);
        assertThat(text)
                .isEqualTo(
                        """
                        ok
                        ⟦title: A
                        step 1:
                        [r1] button
                        step 2:
                        ~ [r1] button
                        navigated: true
                        url: http://b.test/⟧\
                        """);
    }

    @Test
    void tabOfItsOwnAndAnswerNoAreKept() {
        assertThat(text("target_new", "{\"targetId\":\"tab-2\"}")).isEqualTo("targetId: tab-2");
        assertThat(text("is_visible", "{\"value\":false}")).isEqualTo("value: false");
        assertThat(text("wait", "{\"timingMs\":5,\"meta\":{\"blockerState\":\"clear\"}}"))
                .isEqualTo("ok");
    }

    // SEC-21: what a project brought along is its own words; ours and the user's need no marks
    @Test
    void skillsOfAProjectAreMarked() {
        assertThat(text("skill_load", "{\"skill\":\"a\",\"topic\":null,\"content\":\"Do it\"}"))
                .contains("Do it")
                .doesNotContain("⟦");
        String project =
                "{\"skill\":\"a\",\"source\":\"project\",\"topic\":null,\"content\":\"Do it\"}";
        assertThat(text("skill_load", project)).contains("⟦Do it⟧");
        String list =
                """
                {"skills":[{"name":"a","description":"Pay","version":"now","source":"project"},
                 {"name":"b","description":"Fill","version":"1","source":"user"}],"count":2}\
                """;
        assertThat(text("skill_list", list)).contains("⟦Pay⟧", "⟦now⟧", "\"Fill\"");
        ObjectNode structured =
                ToolText.structured(
                        catalogue.byName("skill_list").orElseThrow(),
                        Json.parseObject(list),
                        new Untrusted());
        assertThat(structured.at("/skills/0/description").asString()).startsWith("⟦page ");
        assertThat(structured.at("/skills/1/description").asString()).isEqualTo("Fill");
    }

    /** The text, with the marks made short. */
    private String text(String tool, String data) {
        return text(tool, data, "{}");
    }

    private String text(String tool, String data, String asked) {
        ToolResult result =
                ToolResult.of(catalogue.byName(tool).orElseThrow(), Json.parseObject(data))
                        .to(Json.parseObject(asked));
        return ToolText.of(result, new Untrusted())
                .replaceAll("⟦page \\w+⟧", "⟦")
                .replaceAll("⟦/page \\w+⟧", "⟧");
    }
}
