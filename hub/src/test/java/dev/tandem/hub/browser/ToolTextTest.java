package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import org.junit.jupiter.api.Test;

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
    void snapshotIsItsPageItsNumberAndItsLines() {
        String data =
                """
                {"snapshotId":"s1","url":"http://a.test/","title":"A","content":"[r1] main",
                 "truncated":%s,"refCount":1,"timingMs":3,"warnings":[],"targetId":"tab-1"}\
                """;
        assertThat(text("snapshot", data.formatted(false)))
                .isEqualTo("snapshotId: s1\n⟦url: http://a.test/\ntitle: A\n[r1] main⟧");
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
                        """);
        assertThat(text)
                .isEqualTo(
                        """
                        ⟦step 0 ok
                        finalUrl: http://a.test/
                        title: A
                        step 1 ok
                        snapshotId: s1
                        [r1] button
                        step 2 ok
                        ~ [r1] button
                        step 3 ok
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

    /** The text, with the marks made short. */
    private String text(String tool, String data) {
        ToolResult result =
                ToolResult.of(catalogue.byName(tool).orElseThrow(), Json.parseObject(data));
        return ToolText.of(result, new Untrusted())
                .replaceAll("⟦page \\w+⟧", "⟦")
                .replaceAll("⟦/page \\w+⟧", "⟧");
    }
}
