package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Tool;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Every tool, by the same command lines, in three ways of getting a browser. The effects are read
 * from the page and from files, not from the tools' own words.
 *
 * <p>OPS-2, OPS-4, OPS-150, OPS-163, OPS-171; OPS-29, OPS-160 (one runtime, one catalogue).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ParityTest {
    /** How the browser came to us. */
    enum Way {
        MANAGED("managed", "managed"),
        EXTENSION("extension", "extension_ops"),
        CDP_CONNECT("cdpConnect", "cdpConnect");

        private final String mode;
        private final String sessionMode;

        Way(String mode, String sessionMode) {
            this.mode = mode;
            this.sessionMode = sessionMode;
        }
    }

    @TempDir static Path folder;
    private final Map<Way, Driver> drivers = new EnumMap<>(Way.class);
    private final Pages pages = new Pages();
    private final String start = ParityPage.on(pages);
    private RunningHub hub;
    private CommandLine cli;
    private OwnBrowser own;
    private Chrome debugged;

    @BeforeAll
    void openBrowsers() throws IOException {
        hub = new RunningHub(new Launcher(Launcher.freshState(folder)));
        cli = new CommandLine(hub);
        own = OwnBrowser.connect(hub);
        debugged = new Chrome("--remote-debugging-port=0");
        opened(Way.EXTENSION, cli.call("launch", "--extension-only"));
        opened(Way.MANAGED, cli.call("launch", "--no-extension", "--headless"));
        String port = Integer.toString(debugged.debuggingPort());
        opened(Way.CDP_CONNECT, cli.call("connect", "--cdp-port", port));
    }

    // OPS-41, OPS-42, OPS-162
    private void opened(Way way, JsonNode session) {
        assertThat(session.path("mode").asString()).isEqualTo(way.mode);
        assertThat(session.path("sessionMode").asString()).isEqualTo(way.sessionMode);
        assertThat(session.path("state").asString()).isEqualTo("active");
        drivers.put(way, new Driver(cli, session.path("sessionId").asString()));
    }

    @AfterAll
    void close() throws IOException {
        own.close();
        debugged.close();
        hub.close();
        pages.close();
    }

    private Driver driver(Way way) {
        return Objects.requireNonNull(drivers.get(way));
    }

    private Driver atStart(Way way) {
        Driver driver = driver(way);
        driver.call("goto", start);
        driver.look();
        return driver;
    }

    // OPS-41, OPS-42, OPS-44
    @ParameterizedTest
    @EnumSource
    @Order(1)
    void sessionsAreOpenedAndDescribed(Way way) {
        Driver driver = driver(way);
        JsonNode status = driver.call("status");
        assertThat(status.path("mode").asString()).isEqualTo(way.mode);
        assertThat(status.path("sessionMode").asString()).isEqualTo(way.sessionMode);
        String browser = status.path("browser").asString();
        JsonNode launched = driver.call("launch", "--browser", browser, "--start-url", start);
        assertThat(launched.path("mode").asString()).isEqualTo(way.mode);
        assertThat(launched.path("url").asString()).isEqualTo(start);
        String id = launched.path("sessionId").asString();
        JsonNode back =
                driver.call(
                        "connect",
                        "--session-id",
                        id,
                        "--lease-id",
                        launched.path("leaseId").asString());
        assertThat(back.path("sessionId").asString()).isEqualTo(id);
        driver.call("disconnect", "--session-id", id, "--close-tabs");
        JsonNode gone = driver.refused("snapshot", "--session-id", id);
        assertThat(gone.path("code").asString()).isEqualTo("invalid_session");
    }

    // OPS-52, OPS-53, OPS-119
    @ParameterizedTest
    @EnumSource
    @Order(2)
    void pagesLoadAndSayHow(Way way) throws IOException {
        Driver driver = driver(way);
        JsonNode loaded = driver.call("goto", start, "--wait-until", "networkidle");
        assertThat(loaded.path("finalUrl").asString()).isEqualTo(start);
        assertThat(loaded.path("status").asInt()).isEqualTo(200);
        assertThat(driver.page("location.href").asString()).isEqualTo(start);
        assertThat(driver.call("goto", pages.url("/nothing")).path("status").asInt())
                .isEqualTo(404);
        JsonNode refused = driver.refused("goto", "http://127.0.0.1:" + closedPort() + "/");
        assertThat(refused.path("details").path("reason").asString()).isEqualTo("net_error");
        assertThat(refused.path("details").path("netError").asString())
                .isEqualTo("net::ERR_CONNECTION_REFUSED");
        assertThat(driver.refused("goto", "chrome://version").path("code").asString())
                .isEqualTo("restricted_url");
        driver.call("goto", start);
        driver.call("wait", "--until", "load");
        driver.look();
        driver.call("wait", "--ref", driver.ref("button \"Add one\""), "--state", "visible");
        driver.call("wait", "--text", "0 times");
        JsonNode late = driver.refused("wait", "--text", "never there", "--timeout-ms", "300");
        assertThat(late.path("code").asString()).isEqualTo("timeout");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    // OPS-45, OPS-46, OPS-47, OPS-48, OPS-49, OPS-50, OPS-51
    @ParameterizedTest
    @EnumSource
    @Order(3)
    void tabsBelongToTheSession(Way way) {
        Driver driver = atStart(way);
        String browser = driver.browser();
        String front = front(browser);
        String first = driver.call("targets-list").path("activeTargetId").asString();
        String second =
                driver.call("target-new", "--url", pages.url("/other")).path("targetId").asString();
        assertThat(urls(driver)).containsExactlyInAnyOrder(start, pages.url("/other"));
        driver.call("target-use", second);
        assertThat(driver.look()).contains("heading \"Other\"");
        driver.call("target-use", first);
        JsonNode named = driver.call("page", "docs", "--url", pages.url("/other"));
        assertThat(named.path("created").asBoolean()).isTrue();
        JsonNode again = driver.call("page", "docs");
        assertThat(again.path("created").asBoolean()).isFalse();
        assertThat(again.path("targetId")).isEqualTo(named.path("targetId"));
        assertThat(driver.call("pages").path("pages").path(0).path("name").asString())
                .isEqualTo("docs");
        driver.call("page-close", "docs");
        assertThat(driver.refused("page-close", "docs").path("error").asString())
                .contains("Unknown page name");
        driver.call("target-close", second);
        assertThat(urls(driver)).containsExactly(start);
        assertThat(front(browser)).isEqualTo(front);
    }

    private List<String> urls(Driver driver) {
        List<String> urls = new ArrayList<>();
        for (JsonNode target : driver.call("targets-list", "--include-urls").path("targets")) {
            urls.add(target.path("url").asString());
        }
        return urls;
    }

    /** The tab that the user has in front of them. */
    private String front(String browser) {
        for (JsonNode tab : cli.call("browser-tabs", "--browser", browser).path("tabs")) {
            if (tab.path("active").asBoolean()) {
                return tab.path("id").asString();
            }
        }
        return "none";
    }

    // OPS-54, OPS-107, OPS-109
    @ParameterizedTest
    @EnumSource
    @Order(4)
    void snapshotsAreTheSameTextWithTheSameRefs(Way way) {
        Driver driver = atStart(way);
        String content = driver.look();
        String golden = driver(Way.MANAGED).result("snapshot").path("content").asString();
        assertThat(content.replaceAll("\\[r\\d+]", "[r]"))
                .isEqualTo(golden.replaceAll("\\[r\\d+]", "[r]"));
        assertThat(driver.look()).isEqualTo(content);
        JsonNode short_ = driver.call("snapshot", "--max-chars", "500");
        assertThat(short_.path("content").asString().length()).isLessThanOrEqualTo(500);
        assertThat(short_.path("truncated").asBoolean()).isTrue();
        assertThat(driver.call("snapshot", "--mode", "actionables").path("content").asString())
                .contains("button \"Add one\"")
                .doesNotContain("heading");
        String colours = driver.ref("listbox \"Colours\"");
        assertThat(driver.call("snapshot", "--root", colours).path("content").asString())
                .contains("Green")
                .doesNotContain("Add one");
        JsonNode review = driver.call("review");
        assertThat(review.path("content").asString()).contains("button \"Add one\"");

        JsonNode other = driver.call("launch", "--browser", driver.browser(), "--start-url", start);
        String id = other.path("sessionId").asString();
        JsonNode unknown =
                driver.refused("dom-text", driver.ref("\"Add one\""), "--session-id", id);
        assertThat(unknown.path("details").path("reason").asString()).isEqualTo("unknown_ref");
        driver.call("disconnect", "--session-id", id, "--close-tabs");
    }

    // OPS-55, OPS-56, OPS-57, OPS-58, OPS-59, OPS-60, OPS-61, OPS-62, OPS-63, OPS-82, OPS-122
    @ParameterizedTest
    @EnumSource
    @Order(5)
    void handsReachThePage(Way way) {
        Driver driver = atStart(way);
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

    // OPS-L7, OPS-L8: windows join, files go in without a file dialog, dialogs can be answered
    @ParameterizedTest
    @EnumSource
    @Order(6)
    void windowsDialogsFilesAndThePointer(Way way) throws IOException {
        Driver driver = atStart(way);
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

        Path note = Files.writeString(folder.resolve("note-" + way + ".txt"), "words in a file");
        JsonNode put =
                driver.call("upload", "--ref", driver.ref("\"File\""), "--files", note.toString());
        assertThat(put.path("fileCount").asInt()).isEqualTo(1);
        assertThat(driver.page("seen.files.join()").asString())
                .isEqualTo(note.getFileName() + " text/plain words in a file");

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

    // OPS-64, OPS-65, OPS-66, OPS-67, OPS-68, OPS-69, OPS-70, OPS-83
    @ParameterizedTest
    @EnumSource
    @Order(7)
    void questionsAboutElements(Way way) {
        Driver driver = atStart(way);
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

    // OPS-71, OPS-72, OPS-73, OPS-113
    @ParameterizedTest
    @EnumSource
    @Order(8)
    void consoleNetworkAndPerformance(Way way) {
        Driver driver = driver(way);
        driver.call("goto", pages.url("/other"));
        int before = driver.call("console-poll", "--max", "200").path("nextSeq").asInt();
        int requests = driver.call("network-poll", "--max", "200").path("nextSeq").asInt();
        driver.call("goto", start, "--wait-until", "networkidle");
        JsonNode events =
                driver.call("console-poll", "--since-seq", Integer.toString(before)).path("events");
        assertThat(texts(events, "text")).anyMatch(text -> text.contains("hello"));
        assertThat(texts(events, "kind")).contains("console", "exception");
        JsonNode sent =
                driver.call("network-poll", "--since-seq", Integer.toString(requests))
                        .path("events");
        assertThat(texts(sent, "url")).contains(start, pages.url("/data"));
        assertThat(texts(sent, "status")).contains("200");
        JsonNode perf = driver.call("perf");
        assertThat(texts(perf.path("metrics"), "name")).contains("Nodes", "JSHeapUsedSize");
    }

    private static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.path(field).asString("")));
        return texts;
    }

    // OPS-74, OPS-111
    @ParameterizedTest
    @EnumSource
    @Order(9)
    void picturesShowThePage(Way way) throws IOException {
        Driver driver = atStart(way);
        JsonNode view = driver.call("screenshot");
        BufferedImage seen = image(view);
        assertThat(seen.getWidth()).isEqualTo(view.path("width").asInt());
        JsonNode whole = driver.call("screenshot", "--full-page");
        assertThat(image(whole).getHeight()).isGreaterThan(2500);
        Path file = folder.resolve(way + ".png");
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

    // OPS-75, OPS-76, OPS-165
    @ParameterizedTest
    @EnumSource
    @Order(10)
    void exportsAreTheSameSource(Way way) {
        Driver driver = atStart(way);
        JsonNode page = driver.call("clone-page");
        assertThat(page.path("component").asString()).contains("Add one", "export");
        assertThat(page.path("css").asString()).contains("{");
        JsonNode button = driver.call("clone-component", "--ref", driver.ref("button \"Add one\""));
        assertThat(button.path("component").asString()).contains("Add one").doesNotContain("Pop");
        JsonNode golden = driver(Way.MANAGED).result("clone-component --ref");
        assertThat(button.path("component")).isEqualTo(golden.path("component"));
    }

    // OPS-77, OPS-79, OPS-80, OPS-81
    @ParameterizedTest
    @EnumSource
    @Order(11)
    void listsOfStepsGuidesAndTheUsersMarks(Way way) {
        Driver driver = atStart(way);
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
        JsonNode nobody =
                driver.refused("annotate", "--timeout-ms", "700", "--screenshot-mode", "none");
        assertThat(nobody.path("code").asString()).isEqualTo("timeout");
    }

    // the three names of the overlay contract, on the same runtime
    @ParameterizedTest
    @EnumSource
    @Order(12)
    void tabsAreListedReadAndScripted(Way way) {
        Driver driver = atStart(way);
        String browser = driver.browser();
        JsonNode tabs = driver.call("browser-tabs", "--browser", browser).path("tabs");
        JsonNode mine =
                tabs.valueStream()
                        .filter(tab -> tab.path("url").asString().equals(start))
                        .findFirst()
                        .orElseThrow();
        String id = mine.path("id").asString();
        assertThat(driver.call("browser-read", id, "--browser", browser).path("dom").asString())
                .contains("Add one");
        JsonNode sum = driver.call("browser-execute", id, "return 6 * 7", "--browser", browser);
        assertThat(sum.path("result").asInt()).isEqualTo(42);
    }

    // a command that is interrupted stops its work, and the next one need not wait for it
    @Test
    @Order(13)
    void endingTheCommandEndsTheCall() throws IOException {
        Driver driver = atStart(Way.EXTENSION);
        List<String> look =
                List.of("snapshot", "--session-id", driver.session(), "--timeout-ms", "500");
        Process waiting =
                cli.launcher()
                        .start(
                                "wait",
                                "--text",
                                "never there",
                                "--timeout-ms",
                                "120000",
                                "--session-id",
                                driver.session());
        // calls on one tab run one after the other, so this one is late while the wait runs
        Awaitility.await().untilAsserted(() -> cli.failure(2, look));
        waiting.destroy();
        Awaitility.await().untilAsserted(() -> cli.call(look));
    }

    // OPS-2, OPS-4: what a tool answers does not depend on where the browser came from
    @Test
    @Order(20)
    void resultsHaveTheSameShapeInEveryWay() {
        Map<String, JsonNode> golden = driver(Way.MANAGED).results();
        for (Way way : List.of(Way.EXTENSION, Way.CDP_CONNECT)) {
            Map<String, JsonNode> results = driver(way).results();
            assertThat(results.keySet()).isEqualTo(golden.keySet());
            golden.forEach((step, data) ->
                    assertThat(Shape.differences(data, driver(way).result(step)))
                            .as("%s, %s", way, step)
                            .isEmpty());
        }
    }

    // OPS-2: no tool is left out. OPS-8: a ref of a snapshot is good for every tool that takes one
    @Test
    @Order(21)
    void everyToolOfTheCatalogueWasCalled() {
        TreeSet<String> all = new TreeSet<>();
        TreeSet<String> byRef = new TreeSet<>();
        for (Tool tool : Catalogue.load().tools()) {
            all.add(tool.name());
            if (tool.input().path("properties").has("ref")) {
                byRef.add(tool.name());
            }
        }
        // nobody marks anything here; that it asks and gives up is checked above
        all.remove("annotate");
        for (Way way : Way.values()) {
            assertThat(driver(way).tools()).as(way.name()).isEqualTo(all);
            assertThat(driver(way).toolsByRef()).as(way.name()).containsAll(byRef);
        }
    }

    // OPS-1, OPS-21: all of the above worked with the raw CDP door shut
    @Test
    @Order(22)
    void nobodyNeededTheCdpDoor() throws IOException {
        assertThat(
                        Http.get(
                                        hub.url() + "/cdp/json/version",
                                        "Authorization",
                                        "Bearer " + hub.token())
                                .status())
                .isEqualTo(404);
        assertThat(hub.status().path("cdpConnected").asBoolean(true)).isFalse();
    }

    // OPS-43: the user's own browser is never closed; the hub's is, when asked
    @ParameterizedTest
    @EnumSource
    @Order(30)
    void endingASessionLeavesTheUsersBrowser(Way way) throws IOException {
        Driver driver = driver(way);
        int before = hub.status().path("extensions").size();
        cli.call("disconnect", "--session-id", driver.session(), "--close-browser");
        boolean closes = way == Way.MANAGED;
        Awaitility.await()
                .until(() ->
                        hub.status().path("extensions").size() == (closes ? before - 1 : before));
        assertThat(own.chrome().alive() && debugged.alive()).isTrue();
    }

    // OPS-L32: it says so when the process is gone, within two seconds
    @Test
    @Order(40)
    void theHubStopsAtOnceWithBrowsersConnected() throws IOException {
        assertThat(hub.status().path("extensions").size()).isEqualTo(2);
        long began = System.nanoTime();
        Launcher.Run stopped = hub.run("stop");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        assertThat(stopped.out()).contains("stopped");
        assertThat(hub.process().isAlive()).isFalse();
    }
}
