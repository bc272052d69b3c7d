package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The three tools for all tabs, through MCP against real pages: list, read, run a script. */
class TabToolsTest {
    private static final String NOTES =
            """
            <!doctype html><title>Notes</title>
            <h1>Orders</h1><h3>Today</h3>
            <p>See <a href="/terms?x=1">the terms</a> or <a href="javascript:alert(1)">run</a>.</p>
            <button>Send <b>order</b></button>
            <ol start="3"><li>Bolt</li><li>Nut</li></ol><ul><li>Loose</li></ul>
            <table><tr><th>Part</th><th>Price</th></tr><tr><td>Bolt</td><td>2</td></tr></table>
            <label>Name <input value="Ada"></label>
            <label>Password <input type="password" value="hunter2"></label>
            <label>Card <input autocomplete="cc-number" value="4111111111111111"></label>
            <label>Code <input autocomplete="one-time-code" value="771177"></label>
            <label><input type="checkbox" checked> Gift</label>
            <p style="display:none">unseen words</p><script>var secretScript = 1;</script>
            <div id="host"></div>
            <iframe srcdoc="<h2>Framed</h2><p>inside</p>"></iframe>
            <script>host.attachShadow({mode: 'open'}).innerHTML = '<p>from the shadow</p>';</script>
            """;

    private static Pages pages;
    private static McpClient client;
    private static int tab;

    @BeforeAll
    static void start() throws IOException {
        pages = new Pages();
        client = Hub.shared().mcp();
        tab = open(pages.put("/notes", NOTES));
    }

    @AfterAll
    static void stop() throws IOException {
        client.call("disconnect", Json.object().put("closeTabs", true));
        pages.close();
    }

    private static int open(String url) throws IOException {
        JsonNode target = client.call("target_new", Json.object().put("url", url));
        return Integer.parseInt(target.path("targetId").asString().substring("tab-".length()));
    }

    private static ObjectNode in(int tabId) {
        return Json.object().put("tabId", tabId);
    }

    private static JsonNode run(int tabId, String script) throws IOException {
        return client.call("browser_execute", in(tabId).put("script", script)).path("result");
    }

    @Test
    void allTabsAreListedThroughMcp() throws IOException {
        // ACP-10, ACP-69
        int second = open(pages.put("/second", "<title>Second</title>"));
        JsonNode listed = client.call("browser_tabs", Json.object());
        assertThat(listed.path("action").asString()).isEqualTo("tabs");
        assertThat(listed.path("tabs").valueStream().map(each -> each.path("id").asInt()))
                .contains(tab, second);
        assertThat(listed.path("tabs").toString()).contains("/notes", "/second", "Second");
    }

    @Test
    void aTabIsReadAsAPersonWouldNoteItDown() throws IOException {
        // ACP-10, ACP-70, ACP-L14: levels, closed marks, addresses, frames, shadow trees, no
        // secrets
        JsonNode read = client.call("browser_read", in(tab));
        String dom = read.path("dom").asString();
        assertThat(dom)
                .contains("# Orders\n", "### Today\n")
                .contains("[the terms](" + pages.url("/terms?x=1") + ")")
                .contains("[run]")
                .doesNotContain("javascript:")
                .contains("[button: Send order]")
                .contains("3. Bolt\n4. Nut\n- Loose\n")
                .contains("Part | Price\nBolt | 2\n")
                .contains("[textbox \"Name\" = \"Ada\"]")
                .contains("[textbox \"Password\" = \"••••\"]")
                .contains("[textbox \"Card\" = \"••••\"]", "[textbox \"Code\" = \"••••\"]")
                .contains("[x] Gift")
                .contains("from the shadow", "## Framed\ninside")
                .doesNotContain("hunter2", "4111", "771177", "unseen words", "secretScript");
        assertThat(read.path("viewport").path("width").asInt()).isPositive();
        assertThat(read.has("truncated")).isFalse();
        assertThat(read.path("title").asString()).contains("Notes");
    }

    @Test
    void aLongPageIsCutAndSaysWhatReadsTheRest() throws IOException {
        // ACP-L14
        String words = "<p>" + "many words ".repeat(40) + "</p>";
        int longer = open(pages.put("/long", "<title>Long</title>" + words.repeat(800)));
        JsonNode read = client.call("browser_read", in(longer));
        assertThat(read.path("truncated").asBoolean()).isTrue();
        assertThat(read.path("dom").asString().length()).isBetween(190_000, 201_000);
        assertThat(client.text("browser_read", in(longer))).contains("snapshot and dom_get_text");
    }

    @Test
    void scriptsRunInThePagesOwnWorld() throws IOException {
        // ACP-10, ACP-11, ACP-71
        int other = open(pages.put("/world", "<title>World</title><script>answer = 42</script>"));
        assertThat(run(other, "return window.answer").asInt()).isEqualTo(42);
        JsonNode failed =
                client.modern(
                                "tools/call",
                                "browser_execute",
                                in(other).put("script", "throw new TypeError('no')"))
                        .json()
                        .path("result");
        assertThat(failed.path("isError").asBoolean()).isTrue();
        assertThat(failed.toString()).contains("TypeError: no");
        assertThat(client.failure("browser_read", in(999_999_999)))
                .contains("Tab 999999999 not found. Call browser_tabs for current ids.");
    }

    @Test
    void whateverAScriptAnswersArrives() throws IOException {
        // ACP-L13: a promise, an expression, a cycle, nodes, functions, undefined, big numbers
        assertThat(run(tab, "Promise.resolve(6).then((n) => n * 7)").asInt()).isEqualTo(42);
        assertThat(run(tab, "const n = 20; n + 1").asInt()).isEqualTo(21);
        assertThat(run(tab, "const n = await Promise.resolve(4); return n + 1").asInt())
                .isEqualTo(5);
        String odd =
                "const o = {el: document.querySelector('h1'), f() {}, u: undefined, b: 12n,"
                        + " d: new Date(0)}; o.self = o; return o";
        // keys that a page chose are one text between marks
        assertThat(run(tab, odd).asString())
                .contains("\"el\":\"[h1]\"", "\"f\":\"[function f]\"", "\"u\":\"[undefined]\"")
                .contains("\"b\":\"12n\"", "\"self\":\"[cycle]\"", "1970-01-01T00:00:00.000Z");
        assertThat(client.failure("browser_execute", in(tab).put("script", "'x'.repeat(2e6)")))
                .contains("larger than 1 MiB");
    }

    @Test
    void aStrictPolicyStaysAndTheScriptRuns() throws IOException {
        // ACP-L12
        String policy = "default-src 'self'; script-src 'none'";
        int strict = open(pages.put("/strict", "<title>Strict</title><h1>Strict</h1>", policy));
        assertThat(run(strict, "return document.title + ' ' + (1 + 1)").asString())
                .contains("Strict 2");
        assertThat(
                        run(
                                        strict,
                                        "return (await fetch(location.href)).headers"
                                                + ".get('content-security-policy')")
                                .asString())
                .contains(policy);
        String own =
                "const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                        + " document.head.append(s); return String(window.ran)";
        assertThat(run(strict, own).asString()).contains("undefined");
    }
}
