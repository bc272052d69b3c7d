package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.CliDoor;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The legacy door: programs that speak CDP, on tabs the user gave them and no others. */
class CdpDoorTest {
    /** What SEC-20 allows between the switch and the last input that a page feels. */
    private static final long SWITCH_MS = 500;

    /** How long a session waits for its owner here, instead of twenty seconds. */
    private static final int OWNER_WAIT_MS = 2000;

    private static final String ID = Json.resource("identity.json").get("extensionId").asString();

    private static Hub hub;
    private static OwnBrowser own;
    private static Pages pages;
    private static String panel;

    @BeforeAll
    static void start() throws IOException {
        hub = Hub.legacy("");
        pages = new Pages();
        pages.put("/next", "<!doctype html><title>Next</title><h1>Next</h1>");
        shortenOwnersWait();
        own = OwnBrowser.connect(hub);
        panel =
                own.chrome()
                        .attach(own.chrome().open("chrome-extension://" + ID + "/sidepanel.html"));
        awaitDoor();
    }

    private static void shortenOwnersWait() throws IOException {
        Path limits = hub.extension().resolve("protocol/limits.js");
        String shipped = Files.readString(limits);
        String shorter =
                shipped.replace("\"sessionTtlMs\": 20000", "\"sessionTtlMs\": " + OWNER_WAIT_MS);
        assertThat(shorter).isNotEqualTo(shipped);
        Files.writeString(limits, shorter);
    }

    private static void awaitDoor() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        Http.get(
                                                hub.url() + "/cdp/json/version",
                                                "Authorization",
                                                "Bearer " + hub.token())
                                        .status()
                                == 200);
    }

    @AfterAll
    static void stop() throws IOException {
        own.close();
        pages.close();
        hub.close();
    }

    /** The tab that has loaded an address, by Chrome's number. */
    private static int tab(String url) {
        return own.chrome()
                .evaluate(
                        panel,
                        "chrome.tabs.query({status: 'complete'}).then((tabs) =>"
                                + " tabs.find(({url}) => url === '"
                                + url
                                + "')?.id ?? 0)")
                .asInt();
    }

    private static int openTab(String url) {
        own.chrome().open(url);
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> tab(url), found -> found > 0);
    }

    /** As the item in the icon's menu does it. */
    private static void toggle(int tabId) {
        own.chrome()
                .evaluate(
                        panel,
                        "chrome.runtime.sendMessage({type: 'cdp_tab_toggle', payload: {tabId: "
                                + tabId
                                + "}})");
    }

    private static void closeTab(int tabId) {
        own.chrome().evaluate(panel, "chrome.tabs.remove(" + tabId + ")");
    }

    private static JsonNode library(String kind, String here) throws Exception {
        Process process =
                new ProcessBuilder(
                                "node",
                                Hub.root().resolve("test/support/cdp-client.mjs").toString(),
                                kind,
                                hub.url(),
                                hub.token(),
                                here,
                                pages.url("/next"))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return Json.parse(out);
    }

    private void drives(String kind) throws Exception {
        String here = pages.put("/" + kind, page("Counter"));
        int given = openTab(here);
        int secret = openTab(pages.put("/secret-" + kind, "<title>Mine</title>"));
        toggle(given);
        try {
            JsonNode seen = library(kind, here);
            assertThat(Json.texts(seen, "urls")).containsExactly(here);
            assertThat(seen.path("title").asString()).isEqualTo("Counter");
            assertThat(seen.path("count").asString()).isEqualTo("1 times");
            assertThat(seen.path("name").asString()).isEqualTo("Ada");
            assertThat(seen.path("picture").asInt()).isGreaterThan(1000);
            assertThat(seen.path("next").asString()).isEqualTo("Next");
            assertThat(seen.path("opened").asString()).isEqualTo("Counter");
            // SEC-6, SEC-9
            assertThat(seen.path("cookies").asString()).contains("not in allowlist");
            assertThat(seen.path("routed").asString()).contains("not in allowlist");
            assertThat(seen.path("own").asString()).contains("restricted_url");
            // its socket ended with it, which the hub hears by and by
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !hub.status().path("cdpConnected").asBoolean(true));
        } finally {
            closeTab(given);
            closeTab(secret);
        }
    }

    private static String page(String title) {
        return "<!doctype html><title>"
                + title
                + "</title><button id=add>Add</button><p id=count>0 times</p><input id=name>"
                + "<script>let n = 0; add.onclick = (e) => { if (e.isTrusted) n++;"
                + " count.textContent = `${n} times`; };</script>";
    }

    @Test
    void playwrightConnectsAndDrivesTheGivenTabOnly() throws Exception {
        // OPS-88 (for programs), OPS-147, SEC-6
        drives("playwright");
    }

    @Test
    void puppeteerConnectsAndDrivesTheGivenTabOnly() throws Exception {
        // OPS-88 (for programs), OPS-147, SEC-6
        drives("puppeteer");
    }

    private static String pageTarget(CdpSocket cdp, String url) {
        JsonNode infos = cdp.ask("", "Target.getTargets", Json.object()).path("result");
        for (JsonNode info : infos.path("targetInfos")) {
            if (info.path("url").asString("").equals(url)) {
                return info.path("targetId").asString();
            }
        }
        return "";
    }

    private static JsonNode attach(CdpSocket cdp, String targetId) {
        return cdp.ask(
                "",
                "Target.attachToTarget",
                Json.object().put("targetId", targetId).put("flatten", true));
    }

    /** Chrome's own id of the page in a tab, as a program may have learnt it elsewhere. */
    private static String debugId(int tabId) {
        return own.chrome()
                .evaluate(
                        panel,
                        "chrome.debugger.getTargets().then((all) => all.find(({tabId}) => tabId === "
                                + tabId
                                + ").id)")
                .asString();
    }

    // OPS-6, OPS-21: the raw door has one place, which tools neither need nor disturb
    @Test
    void commandsLeaveTheRawDoorToWhoHoldsIt() throws IOException {
        String held = pages.put("/held", page("Held"));
        int tabId = openTab(held);
        toggle(tabId);
        CliDoor cli = new CliDoor(hub.port(), hub.token());
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            String session = attach(cdp, debugId(tabId)).at("/result/sessionId").asString("");
            assertThat(evaluate(cdp, session, "document.title")).isEqualTo("Held");
            try (CdpSocket second = new CdpSocket(hub.port(), hub.token())) {
                assertThat(second.ended()).contains("Only one CDP client");
            }
            assertThat(cli.run(false, "launch").exit()).isZero();
            String other = pages.put("/worked", page("Worked"));
            assertThat(cli.run(false, "goto", other).exit()).isZero();
            String seen = cli.run(false, "snapshot").text();
            String ref = seen.replaceAll("(?s).*\\[(\\w+)] button \"Add\".*", "$1");
            assertThat(cli.run(false, "click", ref).exit()).as(seen).isZero();
            assertThat(cli.run(false, "snapshot").text()).contains("1 times");
            assertThat(evaluate(cdp, session, "document.title")).isEqualTo("Held");
            assertThat(cdp.events("Target.attachedToTarget"))
                    .allMatch(event -> event.toString().contains(held));
            assertThat(cdp.isOpen()).isTrue();
            assertThat(cli.run(false, "disconnect", "--close-tabs").exit()).isZero();
        }
        closeTab(tabId);
    }

    @Test
    void aTabOfAnOpsSessionIsBlockedUntilTheSessionEnds() throws IOException {
        // OPS-24, OPS-26, OPS-27 (session close, tab close), OPS-125
        String url = pages.put("/owned", page("Owned"));
        McpClient client = hub.mcp();
        JsonNode session = client.call("launch", Json.object().put("startUrl", url));
        int tabId = tabOf(session);
        String targetId = debugId(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            assertBlocked(attach(cdp, targetId), targetId);
            toggle(tabId);
            assertThat(pageTarget(cdp, url)).isEmpty();
            assertBlocked(attach(cdp, targetId), targetId);
            client.call("snapshot", Json.object());
            client.call("disconnect", Json.object());
            // the session's group is dissolved; the user gives the tab again
            awaitUngrouped(tabId);
            toggle(tabId);
            String sessionId = attach(cdp, targetId).path("result").path("sessionId").asString("");
            assertThat(sessionId).isNotEmpty();
            assertThat(evaluate(cdp, sessionId, "document.title")).isEqualTo("Owned");
            // OPS-36, OPS-100: and now no session may take it, and neither debugger is displaced
            String refused =
                    client.failure(
                            "launch", Json.object().put("tabId", tabId).put("startUrl", url));
            assertThat(refused).contains("belongs to \"a CDP program\"");
            assertThat(evaluate(cdp, sessionId, "1 + 1")).isEqualTo("2");
            closeTab(tabId);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !cdp.events("Target.detachedFromTarget").isEmpty());
        }
        JsonNode other = client.call("launch", Json.object().put("startUrl", url));
        String closing = debugId(tabOf(other));
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            assertBlocked(attach(cdp, closing), closing);
            closeTab(tabOf(other));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> attach(cdp, closing).toString().contains("No target"));
        }
    }

    private static int tabOf(JsonNode session) {
        String target = session.path("activeTargetId").asString();
        return Integer.parseInt(target.substring(target.lastIndexOf('-') + 1));
    }

    private static void awaitUngrouped(int tabId) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        own.chrome()
                                        .evaluate(
                                                panel,
                                                "chrome.tabs.get("
                                                        + tabId
                                                        + ").then(({groupId}) => groupId)")
                                        .asInt()
                                == -1);
    }

    private static void assertBlocked(JsonNode answer, String targetId) {
        JsonNode error = answer.path("error");
        assertThat(error.path("code").asString()).isEqualTo("cdp_attach_blocked");
        assertThat(error.path("message").asString())
                .isEqualTo("cdp_attach_blocked: target is owned by an ops session");
        assertThat(error.path("retryable").asBoolean(true)).isFalse();
        assertThat(error.path("details").path("reason").asString()).isEqualTo("ops_owned");
        assertThat(error.path("details").path("targetId").asString()).isEqualTo(targetId);
    }

    private static String evaluate(CdpSocket cdp, String session, String script) {
        ObjectNode params = Json.object().put("expression", script).put("returnByValue", true);
        return cdp.ask(session, "Runtime.evaluate", params)
                .path("result")
                .path("result")
                .path("value")
                .asString();
    }

    /** Sets the flag; answers when that was, by the browser's clock. */
    private static long killSwitch(boolean engaged) {
        return own.chrome()
                .evaluate(
                        panel,
                        "((at) => chrome.storage.local.set({'tandem:killSwitch:v1': {engaged: "
                                + engaged
                                + "}}).then(() => at))(Date.now())")
                .asLong();
    }

    /** Presses the mouse without a pause until that is refused; answers how. */
    private static JsonNode pressUntilRefused(CdpSocket cdp, String session) {
        JsonNode answer = cdp.ask(session, "Input.dispatchMouseEvent", press("mousePressed"));
        while (!answer.has("error")) {
            answer = cdp.ask(session, "Input.dispatchMouseEvent", press("mousePressed"));
        }
        return answer.path("error");
    }

    private static ObjectNode press(String type) {
        ObjectNode params = Json.object().put("type", type).put("button", "left");
        return params.put("x", 20).put("y", 20).put("clickCount", 1);
    }

    private static int debugged() {
        return own.chrome()
                .evaluate(
                        panel,
                        "chrome.debugger.getTargets().then((all) => all.filter(({attached, type,"
                                + " url}) => attached && type === 'page' && url.startsWith('http')"
                                + ").length)")
                .asInt();
    }

    @Test
    void theKillSwitchEndsARawProgramToo() throws IOException {
        // SEC-20 on /cdp: what runs fails as cancelled, nothing more is delivered, grants drop
        String url = pages.put("/killed", page("Killed"));
        int tabId = openTab(url);
        toggle(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            String session =
                    attach(cdp, pageTarget(cdp, url)).path("result").path("sessionId").asString();
            assertThat(evaluate(cdp, session, "document.title")).isEqualTo("Killed");
            ObjectNode endless =
                    Json.object()
                            .put("expression", "new Promise(() => {})")
                            .put("awaitPromise", true);
            evaluate(
                    cdp,
                    session,
                    "window.felt = 0; addEventListener('mousedown', () => felt = Date.now(), true)");
            String page = own.chrome().attach(own.chrome().awaitTarget("page", url));
            var running = cdp.begin(session, "Runtime.evaluate", endless);
            var pressing = CompletableFuture.supplyAsync(() -> pressUntilRefused(cdp, session));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> own.chrome().evaluate(page, "felt").asLong() > 0);
            long engaged = killSwitch(true);
            JsonNode stopped = running.orTimeout(20, TimeUnit.SECONDS).join().path("error");
            assertThat(stopped.path("details").path("reason").asString()).isEqualTo("cancelled");
            assertThat(stopped.path("details").path("killSwitch").asBoolean()).isTrue();
            JsonNode refused = pressing.orTimeout(20, TimeUnit.SECONDS).join();
            assertThat(refused.path("details").path("reason").asString()).isEqualTo("cancelled");
            long felt = own.chrome().evaluate(page, "felt").asLong();
            assertThat(felt - engaged).as("ms until the last input").isLessThan(SWITCH_MS);
            own.chrome().send("", "Target.detachFromTarget", Json.object().put("sessionId", page));
            assertThat(attach(cdp, debugId(tabId)).toString()).contains("cancelled");
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> debugged() == 0);
            killSwitch(false);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> cdp.ask("", "Target.getTargets", Json.object()).has("result"));
            assertThat(pageTarget(cdp, url)).as("it must be given anew").isEmpty();
            toggle(tabId);
            String again =
                    attach(cdp, pageTarget(cdp, url)).path("result").path("sessionId").asString();
            assertThat(evaluate(cdp, again, "count.textContent")).isEqualTo("0 times");
        } finally {
            killSwitch(false);
            closeTab(tabId);
        }
    }

    @Test
    void aTabIsFreeOnceItsOwnerStaysAway() throws IOException {
        // OPS-27 (extension disconnect), OPS-104 (past the TTL), OPS-146, OPS-168: the program
        // dies,
        // the worker restarts, nobody comes back
        String url = pages.put("/left", page("Left"));
        OpsProgram program = new OpsProgram(hub, hub.clientToken("all", Caller.Mode.ACT));
        int tabId = tabOf(program.launch(Json.object().put("startUrl", url)));
        String targetId = debugId(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            assertBlocked(attach(cdp, targetId), targetId);
        }
        long left = System.nanoTime();
        program.die();
        own.chrome().restartWorker();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        hub.status().path("extensions").size() == 1
                                && hub.status().path("opsOwnedTabIds").isEmpty());
        assertThat(Duration.ofNanos(System.nanoTime() - left))
                .isGreaterThanOrEqualTo(Duration.ofMillis(OWNER_WAIT_MS));
        awaitDoor();
        ObjectNode again = Json.object().put("sessionId", program.id());
        again.put("leaseId", program.session().path("leaseId").asString());
        program.comeBack();
        ObjectNode gone = program.refused("session.connect", again);
        assertThat(gone.path("code").asString()).isEqualTo("invalid_session");
        program.close();
        awaitUngrouped(tabId);
        toggle(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            String session = attach(cdp, targetId).path("result").path("sessionId").asString("");
            assertThat(evaluate(cdp, session, "document.title")).isEqualTo("Left");
        } finally {
            closeTab(tabId);
        }
    }

    @Test
    void anAnswerThatIsTooLargeFailsAloneAndTheSocketLives() throws IOException {
        String url = pages.put("/large", page("Large"));
        int tabId = openTab(url);
        toggle(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            String session =
                    attach(cdp, pageTarget(cdp, url)).path("result").path("sessionId").asString();
            ObjectNode much = Json.object().put("expression", "'x'.repeat(17 * 1024 * 1024)");
            JsonNode error =
                    cdp.ask(session, "Runtime.evaluate", much.put("returnByValue", true))
                            .path("error");
            assertThat(error.path("code").asString()).isEqualTo("not_supported");
            assertThat(error.path("details").path("reason").asString())
                    .isEqualTo("payload_too_large");
            assertThat(error.path("message").asString()).contains("at most 16777216 fit");
            cdp.ask(session, "Runtime.enable", Json.object());
            evaluate(cdp, session, "console.log('y'.repeat(17 * 1024 * 1024))");
            assertThat(evaluate(cdp, session, "'x'.repeat(1000).length")).isEqualTo("1000");
            assertThat(cdp.isOpen()).isTrue();
        } finally {
            closeTab(tabId);
        }
    }

    @Test
    void aTabTakenBackIsOutOfReachAtOnceAndOnlyListedMethodsPass() throws IOException {
        // SEC-6, OPS-7
        String url = pages.put("/given", page("Given"));
        int tabId = openTab(url);
        toggle(tabId);
        try (CdpSocket cdp = new CdpSocket(hub.port(), hub.token())) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> hub.status().path("cdpConnected").asBoolean());
            String session =
                    attach(cdp, pageTarget(cdp, url)).path("result").path("sessionId").asString();
            for (String method :
                    List.of(
                            "Network.getCookies",
                            "Network.getAllCookies",
                            "Storage.getCookies",
                            "Storage.clearDataForOrigin",
                            "DOMStorage.getDOMStorageItems",
                            "IndexedDB.requestDatabaseNames",
                            "DOM.setFileInputFiles",
                            "Page.setDownloadBehavior",
                            "Page.setInterceptFileChooserDialog",
                            "Fetch.enable",
                            "Browser.close",
                            "Target.attachToTarget",
                            "Target.exposeDevToolsProtocol",
                            "Network.loadNetworkResource",
                            "Security.setIgnoreCertificateErrors")) {
                assertThat(
                                cdp.ask(session, method, Json.object())
                                        .path("error")
                                        .path("message")
                                        .asString())
                        .isEqualTo("CDP command '" + method + "' not in allowlist");
            }
            assertThat(evaluate(cdp, session, "document.title")).isEqualTo("Given");
            try (CdpSocket second = new CdpSocket(hub.port(), hub.token())) {
                assertThat(second.ended()).isEqualTo("1008 Only one CDP client supported");
            }
            // a page that leads to the hub's own takes the tab out of reach
            evaluate(cdp, session, "location.href = '" + hub.url() + "/app/pair'");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !cdp.events("Target.detachedFromTarget").isEmpty());
            assertThat(pageTarget(cdp, hub.url() + "/app/pair")).isEmpty();
            own.chrome().evaluate(panel, "chrome.tabs.update(" + tabId + ", {url: '" + url + "'})");
            String again =
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(20))
                            .until(() -> pageTarget(cdp, url), id -> !id.isEmpty());
            String back = attach(cdp, again).path("result").path("sessionId").asString();
            toggle(tabId);
            assertThat(
                            cdp.ask(back, "Runtime.evaluate", Json.object().put("expression", "1"))
                                    .has("error"))
                    .isTrue();
            assertThat(pageTarget(cdp, url)).isEmpty();
        } finally {
            closeTab(tabId);
        }
    }
}
