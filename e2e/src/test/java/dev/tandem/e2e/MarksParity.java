package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * {@code tandem annotate} at the shell while somebody marks, by the mouse and keys of the browser:
 * a browser that the hub started has no other hands than those of the tools.
 */
record MarksParity(ParityBench bench) {
    void theUsersMarksComeBackToTheShell(Way way) throws Exception {
        Driver driver = bench.atStart(way);
        CompletableFuture<JsonNode> marks =
                CompletableFuture.supplyAsync(
                        () -> driver.call("annotate", "--context", "What is wrong?"));
        awaitPicker(driver, true);
        assertThat(bench.hub().status().path("annotationConnected").asBoolean()).isTrue();
        mark(driver, "pad", "no");
        mark(driver, "add", "ok");
        press(driver, "Control+Enter");
        submitted(marks.get(60, TimeUnit.SECONDS));
        awaitPicker(driver, false);
        assertThat(driver.page("seen.pad.length + seen.clicks").asInt())
                .as("the page heard nothing of it")
                .isZero();

        if (way == Way.MANAGED) {
            peopleReadThem(driver);
        }
        CompletableFuture<JsonNode> left =
                CompletableFuture.supplyAsync(
                        () -> driver.call("annotate", "--screenshot-mode", "none"));
        awaitPicker(driver, true);
        press(driver, "Escape");
        assertThat(left.get(60, TimeUnit.SECONDS).path("cancelled").asBoolean()).isTrue();
        awaitPicker(driver, false);

        JsonNode nobody =
                driver.refused("annotate", "--timeout-ms", "700", "--screenshot-mode", "none");
        assertThat(nobody.path("code").asString()).isEqualTo("timeout");
        awaitPicker(driver, false);
        assertThat(bench.hub().status().path("annotationConnected").asBoolean(true)).isFalse();
    }

    private void peopleReadThem(Driver driver) throws Exception {
        CompletableFuture<Launcher.Run> given =
                CompletableFuture.supplyAsync(
                        () -> bench.hub().run("annotate", "--session-id", driver.session()));
        awaitPicker(driver, true);
        mark(driver, "pad", "x");
        press(driver, "Control+Enter");
        Launcher.Run printed = given.get(60, TimeUnit.SECONDS);
        assertThat(printed.exit()).as(printed.all()).isZero();
        assertThat(printed.out()).contains("1. x", "capture.png");
        awaitPicker(driver, false);
    }

    private static void submitted(JsonNode done) throws IOException {
        assertThat(done.path("message").asString()).contains("1. no", "2. ok");
        JsonNode details = done.path("details");
        assertThat(details.path("annotations").path(0).path("note").asString()).isEqualTo("no");
        JsonNode second = details.path("annotations").path(1);
        assertThat(second.path("tag").asString()).contains("button");
        assertThat(second.path("rect").path("width").asDouble()).isPositive();
        Path picture = Path.of(done.path("screenshots").path(0).path("path").asString());
        assertThat(Files.size(picture)).isGreaterThan(1000);
    }

    private void mark(Driver driver, String id, String note) {
        String middle =
                driver.page(
                                "(() => { const b = by('%s').getBoundingClientRect(); return"
                                                .formatted(id)
                                        + " Math.round(b.x + 9) + ' ' + Math.round(b.y + 9) })()")
                        .asString();
        for (String part : new String[] {"pointer-move", "pointer-down", "pointer-up"}) {
            bench.cli()
                    .call(
                            part,
                            middle.split(" ")[0],
                            middle.split(" ")[1],
                            "--session-id",
                            driver.session());
        }
        note.chars().forEach(letter -> press(driver, String.valueOf((char) letter)));
    }

    private void press(Driver driver, String key) {
        bench.cli().call("press", key, "--session-id", driver.session());
    }

    private static void awaitPicker(Driver driver, boolean open) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        driver.page("document.querySelector('[popover=manual]') !== null")
                                        .asBoolean(!open)
                                == open);
    }
}
