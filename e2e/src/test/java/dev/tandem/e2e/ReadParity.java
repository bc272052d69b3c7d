package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import tools.jackson.databind.JsonNode;

/** Questions, pictures, exports, steps and guides, read back from the page and from files. */
record ReadParity(ParityBench bench) {
    void questionsAboutElements(Way way) {
        Driver driver = bench.atStart(way);
        String add = driver.ref("button \"Add one\"");
        JsonNode html = driver.call("dom-html", "--ref", add);
        assertThat(html.path("outerHTML").asString())
                .isEqualTo("<button id=\"add\">Add one</button>");
        assertThat(
                        driver.call("dom-html", "--ref", add, "--max-chars", "9")
                                .path("truncated")
                                .asBoolean())
                .isTrue();
        assertThat(driver.call("dom-text", "--ref", add).path("text").asString())
                .isEqualTo("Add one");
        assertThat(driver.call("dom-attr", "--ref", add, "--attr", "id").path("value").asString())
                .isEqualTo("add");
        assertThat(driver.call("dom-attr", "--ref", add, "--attr", "title").path("value").isNull())
                .isTrue();
        String name = driver.ref("textbox \"Name\"");
        assertThat(driver.call("dom-value", "--ref", name).path("value").asString())
                .isEqualTo("start ");
        JsonNode secret = driver.call("dom-value", "--ref", driver.ref("\"Secret\""));
        assertThat(secret.path("redacted").asBoolean()).isTrue();
        assertThat(secret.toString()).doesNotContain("hunter2");
        assertThat(driver.call("dom-visible", "--ref", add).path("value").asBoolean()).isTrue();
        assertThat(driver.call("dom-enabled", "--ref", add).path("value").asBoolean()).isTrue();
        String never = driver.ref("button [disabled] \"Never\"");
        assertThat(driver.call("dom-enabled", "--ref", never).path("value").asBoolean()).isFalse();
        String box = driver.ref("checkbox \"Box\"");
        assertThat(driver.call("dom-checked", "--ref", box).path("value").asBoolean()).isFalse();
        driver.page("by('add').style.display = 'none'");
        assertThat(driver.call("dom-visible", "--ref", add).path("value").asBoolean()).isFalse();
    }

    void picturesShowThePage(Way way) throws IOException {
        Driver driver = bench.atStart(way);
        JsonNode view = driver.call("screenshot");
        BufferedImage seen = image(view);
        assertThat(seen.getWidth()).isEqualTo(view.path("width").asInt());
        JsonNode whole = driver.call("screenshot", "--full-page");
        assertThat(image(whole).getHeight()).isGreaterThan(2500);
        Path file = bench.folder().resolve(way + ".png");
        JsonNode pad =
                driver.call(
                        "screenshot",
                        "--ref",
                        driver.ref("img \"Pad\""),
                        "--path",
                        file.toString());
        assertThat(pad.path("path").asString()).isEqualTo(file.toString());
        BufferedImage element = image(pad);
        assertThat(element.getWidth()).isEqualTo(200);
        assertThat(element.getRGB(100, 50)).isEqualTo(0xffc80000);
    }

    private static BufferedImage image(JsonNode shot) throws IOException {
        return ImageIO.read(Path.of(shot.path("path").asString()).toFile());
    }

    void exportsAreTheSameSource(Way way) {
        Driver driver = bench.atStart(way);
        JsonNode page = driver.call("clone-page");
        assertThat(page.path("component").asString()).contains("Add one", "export");
        assertThat(page.path("css").asString()).contains("{");
        JsonNode button = driver.call("clone-component", "--ref", driver.ref("button \"Add one\""));
        assertThat(button.path("component").asString()).contains("Add one").doesNotContain("Pop");
        JsonNode golden = Way.MANAGED.findings().result("clone-component --ref");
        assertThat(button.path("component")).isEqualTo(golden.path("component"));
    }

    void listsOfStepsAndGuides(Way way) {
        Driver driver = bench.atStart(way);
        String add = driver.ref("button \"Add one\"");
        String steps =
                "[{\"action\":\"click\",\"args\":{\"ref\":\"%s\"}},{\"action\":\"dom_get_text\",\"args\":{\"ref\":\"%s\"}}]"
                        .formatted(add, add);
        JsonNode run = driver.call("run", steps);
        assertThat(run.path("results").path(1).path("data").path("text").asString())
                .isEqualTo("Add one");
        assertThat(driver.page("seen.clicks").asInt()).isEqualTo(1);
        assertThat(driver.call("prompting-guide").path("guide").asString()).contains("snapshot");
        String skill = driver.call("skill-list").path("skills").path(0).path("name").asString();
        assertThat(driver.call("skill-load", skill).path("content").asString()).isNotEmpty();
    }
}
