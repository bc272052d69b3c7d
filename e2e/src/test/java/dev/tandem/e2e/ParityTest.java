package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
    @TempDir static Path folder;
    private ParityBench bench;

    // OPS-41, OPS-42, OPS-162
    @BeforeAll
    void openBrowsers() throws IOException {
        bench = new ParityBench(folder);
    }

    @AfterAll
    void close() throws IOException {
        bench.close();
    }

    // OPS-41, OPS-42, OPS-44
    @ParameterizedTest
    @EnumSource
    @Order(1)
    void sessionsAreOpenedAndDescribed(Way way) {
        Driver driver = bench.driver(way);
        JsonNode status = driver.call("status");
        assertThat(status.path("mode").asString()).isEqualTo(way.mode());
        assertThat(status.path("sessionMode").asString()).isEqualTo(way.sessionMode());
        String browser = status.path("browser").asString();
        JsonNode launched =
                driver.call("launch", "--browser", browser, "--start-url", bench.start());
        assertThat(launched.path("mode").asString()).isEqualTo(way.mode());
        assertThat(launched.path("url").asString()).isEqualTo(bench.start());
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

    // OPS-42: every way to write down where a browser is leads to the same browsers
    @Test
    @Order(1)
    void addressesOfBrowsersAreUnderstood() throws IOException {
        String port = Integer.toString(bench.debuggingPort());
        String socket =
                Http.get("http://127.0.0.1:" + port + "/json/version")
                        .json()
                        .path("webSocketDebuggerUrl")
                        .asString();
        assertThat(socket).contains("/devtools/browser/");
        JsonNode third = bench.driver(Way.CDP_CONNECT).call("status");
        for (String[] way :
                new String[][] {
                    {"--ws-endpoint", socket},
                    {"--ws-endpoint", "ws://127.0.0.1:" + port},
                    {"--host", "localhost", "--cdp-port", port}
                }) {
            JsonNode there = connected(Way.CDP_CONNECT, way);
            assertThat(there.path("browser"))
                    .as("%s", (Object) way)
                    .isEqualTo(third.path("browser"));
        }
        String own = bench.driver(Way.EXTENSION).call("status").path("browser").asString();
        String hub = "ws://127.0.0.1:" + bench.hub().port();
        for (String address : List.of(hub, hub + "/ops")) {
            JsonNode here = connected(Way.EXTENSION, "--ws-endpoint", address, "--browser", own);
            assertThat(here.path("browser").asString()).isEqualTo(own);
        }
    }

    private JsonNode connected(Way way, String... address) {
        List<String> words = new ArrayList<>(List.of("connect"));
        words.addAll(List.of(address));
        JsonNode session = bench.cli().call(words);
        assertThat(session.path("mode").asString()).isEqualTo(way.mode());
        assertThat(session.path("sessionMode").asString()).isEqualTo(way.sessionMode());
        bench.cli()
                .call(
                        "disconnect",
                        "--session-id",
                        session.path("sessionId").asString(),
                        "--close-tabs");
        return session;
    }

    // OPS-52, OPS-53, OPS-119
    @ParameterizedTest
    @EnumSource
    @Order(2)
    void pagesLoadAndSayHow(Way way) throws IOException {
        new PageParity(bench).pagesLoadAndSayHow(way);
    }

    // OPS-45, OPS-46, OPS-47, OPS-48, OPS-49, OPS-50, OPS-51
    @ParameterizedTest
    @EnumSource
    @Order(3)
    void tabsBelongToTheSession(Way way) {
        new PageParity(bench).tabsBelongToTheSession(way);
    }

    // OPS-54, OPS-107, OPS-109
    @ParameterizedTest
    @EnumSource
    @Order(4)
    void snapshotsAreTheSameTextWithTheSameRefs(Way way) {
        new PageParity(bench).snapshotsAreTheSameTextWithTheSameRefs(way);
    }

    // OPS-55, OPS-56, OPS-57, OPS-58, OPS-59, OPS-60, OPS-61, OPS-62, OPS-63, OPS-82, OPS-122
    @ParameterizedTest
    @EnumSource
    @Order(5)
    void handsReachThePage(Way way) {
        new HandsParity(bench).handsReachThePage(way);
    }

    // OPS-L7, OPS-L8: windows join, files go in without a file dialog, dialogs can be answered
    @ParameterizedTest
    @EnumSource
    @Order(6)
    void windowsDialogsFilesAndThePointer(Way way) throws IOException {
        new HandsParity(bench).windowsDialogsFilesAndThePointer(way);
    }

    // OPS-64, OPS-65, OPS-66, OPS-67, OPS-68, OPS-69, OPS-70, OPS-83
    @ParameterizedTest
    @EnumSource
    @Order(7)
    void questionsAboutElements(Way way) {
        new ReadParity(bench).questionsAboutElements(way);
    }

    // OPS-71, OPS-72, OPS-73, OPS-113
    @ParameterizedTest
    @EnumSource
    @Order(8)
    void consoleNetworkAndPerformance(Way way) {
        new PageParity(bench).consoleNetworkAndPerformance(way);
    }

    // OPS-74, OPS-111
    @ParameterizedTest
    @EnumSource
    @Order(9)
    void picturesShowThePage(Way way) throws IOException {
        new ReadParity(bench).picturesShowThePage(way);
    }

    // OPS-75, OPS-76, OPS-165
    @ParameterizedTest
    @EnumSource
    @Order(10)
    void exportsAreTheSameSource(Way way) {
        new ReadParity(bench).exportsAreTheSameSource(way);
    }

    // OPS-75: the output compiles and renders alike
    @Test
    @Order(10)
    void aClonedPageCompilesAndLooksTheSame() throws Exception {
        new ClonedPage(bench).compilesAndLooksTheSame();
    }

    // OPS-77, OPS-79, OPS-80, OPS-81
    @ParameterizedTest
    @EnumSource
    @Order(11)
    void listsOfStepsAndGuides(Way way) {
        new ReadParity(bench).listsOfStepsAndGuides(way);
    }

    // OPS-78, OPS-85 by the command line: two marks, cancel, time-out
    @ParameterizedTest
    @EnumSource
    @Order(12)
    void theUsersMarksComeBackToTheShell(Way way) throws Exception {
        new MarksParity(bench).theUsersMarksComeBackToTheShell(way);
    }

    // the three names of the overlay contract, on the same runtime
    @ParameterizedTest
    @EnumSource
    @Order(12)
    void tabsAreListedReadAndScripted(Way way) {
        new PageParity(bench).tabsAreListedReadAndScripted(way);
    }

    // OPS-L31: twenty times each, of which none is slow; a round that other programs disturbed is
    // measured again
    @Test
    @Order(13)
    void commandsAreQuick() {
        Driver driver = bench.atStart(Way.MANAGED);
        String session = driver.session();
        String button = driver.ref("button \"Add one\"");
        for (List<String> words :
                List.of(
                        List.of("status"),
                        List.of("snapshot", "--session-id", session),
                        List.of("click", button, "--session-id", session))) {
            List<String> rounds = new ArrayList<>();
            boolean quick = false;
            while (!quick && rounds.size() < 8) {
                long[] millis = twenty(words);
                quick = millis[10] < 100 && millis[19] <= 150;
                rounds.add(Arrays.toString(millis));
            }
            assertThat(quick).as("%s %s", words, rounds).isTrue();
        }
    }

    /** How long each took, the quickest first. */
    private long[] twenty(List<String> words) {
        long[] millis = new long[20];
        for (int i = 0; i < millis.length; i++) {
            long began = System.nanoTime();
            Launcher.Run run = bench.hub().run(words.toArray(String[]::new));
            millis[i] = (System.nanoTime() - began) / 1_000_000;
            assertThat(run.exit()).as(run.all()).isZero();
        }
        Arrays.sort(millis);
        return millis;
    }

    // a command that is interrupted stops its work, and the next one need not wait for it
    @Test
    @Order(13)
    void endingTheCommandEndsTheCall() throws IOException {
        Driver driver = bench.atStart(Way.EXTENSION);
        List<String> look =
                List.of("snapshot", "--session-id", driver.session(), "--timeout-ms", "500");
        Process waiting =
                bench.cli()
                        .launcher()
                        .start(
                                "wait",
                                "--text",
                                "never there",
                                "--timeout-ms",
                                "120000",
                                "--session-id",
                                driver.session());
        // calls on one tab run one after the other, so this one is late while the wait runs
        Awaitility.await().untilAsserted(() -> bench.cli().failure(2, look));
        waiting.destroy();
        Awaitility.await().untilAsserted(() -> bench.cli().call(look));
    }

    // OPS-2, OPS-4: what a tool answers does not depend on where the browser came from
    @Test
    @Order(20)
    void resultsHaveTheSameShapeInEveryWay() {
        Map<String, JsonNode> golden = Way.MANAGED.findings().results();
        for (Way way : List.of(Way.EXTENSION, Way.CDP_CONNECT)) {
            assertThat(way.findings().results().keySet()).isEqualTo(golden.keySet());
            golden.forEach((step, data) ->
                    assertThat(Shape.differences(data, way.findings().result(step)))
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
        for (Way way : Way.values()) {
            assertThat(way.findings().tools()).as(way.name()).isEqualTo(all);
            assertThat(way.findings().toolsByRef()).as(way.name()).containsAll(byRef);
        }
    }

    // OPS-1, OPS-21: all of the above worked with the raw CDP door shut
    @Test
    @Order(22)
    void nobodyNeededTheCdpDoor() throws IOException {
        assertThat(
                        Http.get(
                                        bench.hub().url() + "/cdp/json/version",
                                        "Authorization",
                                        "Bearer " + bench.hub().token())
                                .status())
                .isEqualTo(404);
        assertThat(bench.hub().status().path("cdpConnected").asBoolean(true)).isFalse();
    }

    // OPS-43: the user's own browser is never closed; the hub's is, when asked
    @ParameterizedTest
    @EnumSource
    @Order(30)
    void endingASessionLeavesTheUsersBrowser(Way way) throws IOException {
        Driver driver = bench.driver(way);
        int before = bench.hub().status().path("extensions").size();
        bench.cli().call("disconnect", "--session-id", driver.session(), "--close-browser");
        boolean closes = way == Way.MANAGED;
        Awaitility.await()
                .until(() ->
                        bench.hub().status().path("extensions").size()
                                == (closes ? before - 1 : before));
        assertThat(bench.usersBrowsersLive()).isTrue();
    }

    // OPS-L32: it says so when the process is gone, within two seconds
    @Test
    @Order(40)
    void theHubStopsAtOnceWithBrowsersConnected() throws Exception {
        Duration atOnce = Duration.ofSeconds(2);
        assertThat(Quickest.of(atOnce, this::stops)).isLessThan(atOnce);
    }

    private Duration stops() throws Exception {
        if (!RunningHub.runs(bench.hub().process().toHandle())) {
            bench.close();
            bench = new ParityBench(folder);
        }
        assertThat(bench.hub().status().path("extensions").size()).isPositive();
        long began = System.nanoTime();
        Launcher.Run stopped = bench.hub().run("stop");
        Duration took = Quickest.since(began);
        assertThat(stopped.out()).contains("stopped");
        assertThat(RunningHub.runs(bench.hub().process().toHandle())).isFalse();
        return took;
    }
}
