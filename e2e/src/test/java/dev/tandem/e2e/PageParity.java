package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Loading, tabs, snapshots and telemetry, the same in every way of getting a browser. */
record PageParity(ParityBench bench) {
    void pagesLoadAndSayHow(Way way) throws IOException {
        Driver driver = bench.driver(way);
        JsonNode loaded = driver.call("goto", bench.start(), "--wait-until", "networkidle");
        assertThat(loaded.path("finalUrl").asString()).isEqualTo(bench.start());
        assertThat(loaded.path("status").asInt()).isEqualTo(200);
        assertThat(driver.page("location.href").asString()).isEqualTo(bench.start());
        assertThat(driver.call("goto", bench.pages().url("/nothing")).path("status").asInt())
                .isEqualTo(404);
        JsonNode refused = driver.refused("goto", "http://127.0.0.1:" + closedPort() + "/");
        assertThat(refused.path("details").path("reason").asString()).isEqualTo("net_error");
        assertThat(refused.path("details").path("netError").asString())
                .isEqualTo("net::ERR_CONNECTION_REFUSED");
        assertThat(driver.refused("goto", "chrome://version").path("code").asString())
                .isEqualTo("restricted_url");
        driver.call("goto", bench.start());
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

    void tabsBelongToTheSession(Way way) {
        Driver driver = bench.atStart(way);
        String browser = driver.browser();
        String front = front(browser);
        String first = driver.call("targets-list").path("activeTargetId").asString();
        String second =
                driver.call("target-new", "--url", bench.pages().url("/other"))
                        .path("targetId")
                        .asString();
        assertThat(urls(driver))
                .containsExactlyInAnyOrder(bench.start(), bench.pages().url("/other"));
        driver.call("target-use", second);
        assertThat(driver.look()).contains("heading \"Other\"");
        driver.call("target-use", first);
        JsonNode named = driver.call("page", "docs", "--url", bench.pages().url("/other"));
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
        assertThat(urls(driver)).containsExactly(bench.start());
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
        for (JsonNode tab : bench.cli().call("browser-tabs", "--browser", browser).path("tabs")) {
            if (tab.path("active").asBoolean()) {
                return tab.path("id").asString();
            }
        }
        return "none";
    }

    void snapshotsAreTheSameTextWithTheSameRefs(Way way) {
        Driver driver = bench.atStart(way);
        String content = driver.look();
        String golden = Way.MANAGED.findings().result("snapshot").path("content").asString();
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

        JsonNode other =
                driver.call("launch", "--browser", driver.browser(), "--start-url", bench.start());
        String id = other.path("sessionId").asString();
        JsonNode unknown =
                driver.refused("dom-text", driver.ref("\"Add one\""), "--session-id", id);
        assertThat(unknown.path("details").path("reason").asString()).isEqualTo("unknown_ref");
        driver.call("disconnect", "--session-id", id, "--close-tabs");
    }

    void consoleNetworkAndPerformance(Way way) {
        Driver driver = bench.driver(way);
        driver.call("goto", bench.pages().url("/other"));
        int before = driver.call("console-poll", "--max", "200").path("nextSeq").asInt();
        int requests = driver.call("network-poll", "--max", "200").path("nextSeq").asInt();
        driver.call("goto", bench.start(), "--wait-until", "networkidle");
        JsonNode events =
                driver.call("console-poll", "--since-seq", Integer.toString(before)).path("events");
        assertThat(texts(events, "text")).anyMatch(text -> text.contains("hello"));
        assertThat(texts(events, "kind")).contains("console", "exception");
        JsonNode sent =
                driver.call("network-poll", "--since-seq", Integer.toString(requests))
                        .path("events");
        assertThat(texts(sent, "url")).contains(bench.start(), bench.pages().url("/data"));
        assertThat(texts(sent, "status")).contains("200");
        JsonNode perf = driver.call("perf");
        assertThat(texts(perf.path("metrics"), "name")).contains("Nodes", "JSHeapUsedSize");
    }

    private static List<String> texts(JsonNode list, String field) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.path(field).asString("")));
        return texts;
    }

    void tabsAreListedReadAndScripted(Way way) {
        Driver driver = bench.atStart(way);
        String browser = driver.browser();
        JsonNode tabs = driver.call("browser-tabs", "--browser", browser).path("tabs");
        JsonNode mine =
                tabs.valueStream()
                        .filter(tab -> tab.path("url").asString().equals(bench.start()))
                        .findFirst()
                        .orElseThrow();
        String id = mine.path("id").asString();
        assertThat(driver.call("browser-read", id, "--browser", browser).path("dom").asString())
                .contains("Add one");
        JsonNode sum = driver.call("browser-execute", id, "return 6 * 7", "--browser", browser);
        assertThat(sum.path("result").asInt()).isEqualTo(42);
    }
}
