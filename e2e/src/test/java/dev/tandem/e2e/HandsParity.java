package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** Input, windows, dialogs, files and the pointer, read back from the page. */
record HandsParity(ParityBench bench) {
    void handsReachThePage(Way way) {
        Driver driver = bench.atStart(way);
        driver.call("click", "--ref", driver.ref("button \"Add one\""));
        assertThat(driver.page("seen.clicks").asInt()).isEqualTo(1);
        driver.call("hover", "--ref", driver.ref("button \"Hot\""));
        assertThat(driver.page("getComputedStyle(by('hot')).color").asString())
                .isEqualTo("rgb(1, 2, 3)");
        String name = driver.ref("textbox \"Name\"");
        assertThat(driver.call("type", "--ref", name, "--text", "end").path("value").asString())
                .isEqualTo("start end");
        driver.call("press", "--key", "Backspace", "--ref", name);
        assertThat(driver.page("[by('name').value, seen.keys.at(-1)].join()").asString())
                .isEqualTo("start en,Backspace");
        driver.call("type", "--ref", name, "--text", "new", "--clear");
        assertThat(driver.page("by('name').value").asString()).isEqualTo("new");
        for (String box : List.of("checkbox \"Box\"", "checkbox \"Aria box\"")) {
            assertThat(driver.call("check", "--ref", driver.ref(box)).path("changed").asBoolean())
                    .isTrue();
        }
        assertThat(driver.page("[by('box').checked, by('aria').ariaChecked].join()").asString())
                .isEqualTo("true,true");
        driver.call("uncheck", "--ref", driver.ref("checkbox \"Aria box\""));
        assertThat(driver.page("by('aria').ariaChecked").asString()).isEqualTo("false");
        driver.call(
                "select",
                "--ref",
                driver.ref("listbox \"Colours\""),
                "--values",
                "r",
                "--values",
                "b");
        assertThat(
                        driver.page("[...by('colours').selectedOptions].map((o) => o.value).join()")
                                .asString())
                .isEqualTo("r,b");
        driver.call("scroll", "--dy", "150", "--ref", driver.ref("region \"Scroller\""));
        assertThat(driver.page("by('scroller').scrollTop").asInt()).isEqualTo(150);
        driver.call("scroll", "--dy", "200");
        assertThat(driver.page("scrollY").asInt()).isEqualTo(200);
        driver.call("scroll-into-view", "--ref", driver.ref("button \"Bottom\""));
        assertThat(driver.page("by('low').getBoundingClientRect().top < innerHeight").asBoolean())
                .isTrue();
        String vanishing = driver.ref("button \"Vanishing\"");
        driver.page("by('gone').remove()");
        JsonNode stale = driver.refused("click", vanishing);
        assertThat(stale.path("code").asString()).isEqualTo("execution_failed");
        assertThat(stale.path("details").path("reason").asString()).isEqualTo("stale_ref");
        assertThat(
                        driver.refused("click", driver.ref("button [disabled] \"Never\""))
                                .path("details")
                                .path("reason")
                                .asString())
                .isEqualTo("disabled");
    }

    void windowsDialogsFilesAndThePointer(Way way) throws IOException {
        Driver driver = bench.atStart(way);
        JsonNode popped = driver.call("click", "--ref", driver.ref("button \"Pop\""), "--diff");
        String popup = popped.path("newTargets").path(0).path("targetId").asString();
        driver.call("wait", "--until", "load", "--target-id", popup);
        assertThat(driver.call("snapshot", "--target-id", popup).path("content").asString())
                .contains("heading \"Other\"");
        driver.call("target-close", popup);

        JsonNode asked = driver.call("click", "--ref", driver.ref("button \"Ask\""));
        assertThat(asked.path("dialog").path("message").asString()).isEqualTo("Sure?");
        assertThat(driver.call("dialog").path("dialog").path("open").asBoolean()).isTrue();
        driver.call("dialog", "--action", "accept");
        assertThat(driver.page("seen.answers.join()").asString()).isEqualTo("true");

        Path note =
                Files.writeString(
                        bench.folder().resolve("note-" + way + ".txt"), "words in a file");
        JsonNode put =
                driver.call("upload", "--ref", driver.ref("\"File\""), "--files", note.toString());
        assertThat(put.path("fileCount").asInt()).isEqualTo(1);
        // the page reads the file in its own time
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(driver.page("seen.files.join()").asString())
                                .isEqualTo(note.getFileName() + " text/plain words in a file"));

        String middle =
                driver.page(
                                "(scrollTo(0, 0), (({x, y}) => `${x + 20} ${y + 20}`)"
                                        + "(by('pad').getBoundingClientRect()))")
                        .asString();
        String x = middle.split(" ")[0];
        String y = middle.split(" ")[1];
        driver.call("pointer-move", x, y);
        driver.call("pointer-down", x, y);
        driver.call("pointer-up", x, y);
        driver.call("pointer-drag", "--from-x", x, "--from-y", y, "--to-x", x, "--to-y", y);
        assertThat(driver.page("seen.pad.join()").asString())
                .isEqualTo("pointerdown,pointerup,pointerdown,pointerup");
    }
}
