package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The inspector and the cookie page on a real hub, with the browser's end played by the test. */
class InspectorTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private Door door;
    private Door panel;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = hub.extension("browser-one", "One");
        door = new Door(hub.port(), hub.hubToken());
        panel = new Door(hub.port(), hub.extensionToken("browser-one", "One"));
        extension.on("debug.inspector.pick", request -> extension.answer(request, element("red")));
        extension.on(
                "debug.inspector.apply",
                request -> {
                    extension.wire().send(edits(edit()));
                    ObjectNode answer = Json.object();
                    answer.set("modification", edit());
                    answer.set("data", element("blue"));
                    extension.answer(request, answer);
                });
        extension.on(
                "debug.inspector.undo",
                request -> {
                    extension.wire().send(edits());
                    ObjectNode answer = Json.object().put("undone", 1).put("lost", 0);
                    answer.put("left", 0).set("data", element("red"));
                    extension.answer(request, answer);
                });
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    private static ObjectNode element(String color) {
        ObjectNode data = Json.object().put("selector", "#a").put("mode", "cdp");
        data.putObject("computedStyles").put("color", color);
        return data;
    }

    private static ObjectNode edit() {
        return Json.object().put("property", "color").put("newValue", "blue");
    }

    /** The browser's own word on what is changed in its pages. */
    private static ObjectNode edits(ObjectNode... all) {
        ObjectNode notice = Json.object().put("type", "inspectorEdits");
        notice.putArray("modifications").addAll(List.of(all));
        return notice;
    }

    @Test
    @DisplayName("TRM-077 (hub half): changes are those that the browser has, and readers are told")
    void theBrowserOwnsTheChanges() throws Exception {
        panel.post("/inspector/apply", edit());
        try (Door.Events events = panel.events("/inspector/events")) {
            assertThat(events.next().name()).isEqualTo("state");
            extension.wire().send(edits());
            assertThat(events.next().data().path("edits").asInt()).as("taken back").isZero();
            assertThat(panel.get("/inspector/history").json().path("history").size()).isZero();
            extension.wire().send(edits(edit(), edit()));
            assertThat(events.next().data().path("edits").asInt()).as("found again").isEqualTo(2);
        }
        assertThat(panel.get("/inspector/history").json().path("history").size()).isEqualTo(2);
    }

    @Test
    @DisplayName("TRM-082 (hub half): picks, changes and resets reach every reader, once")
    void everyReaderIsTold() throws Exception {
        JsonNode view = panel.post("/sse-session", Json.object()).json();
        Door viewer = new Door(hub.port(), view.path("token").asString());
        String last;
        try (Door.Events events = viewer.events("/inspector/events")) {
            assertThat(events.next().name()).isEqualTo("state");
            door.post("/inspector/pick", Json.object().put("selector", "#a"));
            Door.Event pick = events.next();
            assertThat(pick.name()).isEqualTo("inspector");
            assertThat(pick.data().path("type").asString()).isEqualTo("pick");
            assertThat(pick.data().path("selector").asString()).isEqualTo("#a");
            last = pick.id();
        }
        JsonNode applied = panel.post("/inspector/apply", edit()).json();
        assertThat(applied.path("newValue").asString()).isEqualTo("blue");
        assertThat(door.get("/inspector/history").json().path("history").size()).isEqualTo(1);
        try (Door.Events events = viewer.events("/inspector/events", "Last-Event-ID", last)) {
            JsonNode state = events.next().data();
            assertThat(state.path("data").path("computedStyles").path("color").asString())
                    .isEqualTo("blue");
            Door.Event change = events.next();
            assertThat(change.data().path("modification").path("newValue").asString())
                    .isEqualTo("blue");
            assertThat(door.post("/inspector/reset", Json.object()).json().path("ok").asBoolean())
                    .isTrue();
            assertThat(events.next().data().path("type").asString()).isEqualTo("reset");
            assertThat(events.quiet(200)).isTrue();
        }
        assertThat(panel.get("/inspector/history").json().path("history").size()).isZero();
        JsonNode now = panel.get("/inspector").json();
        assertThat(now.path("stale").asBoolean()).isFalse();
        assertThat(now.path("data").path("selector").asString()).isEqualTo("#a");
    }

    @Test
    @DisplayName("TRM-081 (hub half): a refusal tells its reason, for panels of any language")
    void refusalsTellTheirReason() throws Exception {
        ObjectNode why = Json.object().put("reason", "wrong_type").put("field", "value");
        extension.on(
                "debug.inspector.apply",
                request -> extension.fail(request, "invalid_request", "Not this value.", why));
        JsonNode refused = panel.post("/inspector/apply", edit()).json();
        assertThat(refused.path("error").asString()).isEqualTo("Not this value.");
        assertThat(refused.path("reason").asString()).isEqualTo("wrong_type");
        assertThat(refused.path("field").asString()).isEqualTo("value");
    }

    @Test
    @DisplayName("SEC-6: a program's token does not look into the person's own tab")
    void programsStayOut() throws Exception {
        Door program = new Door(hub.port(), hub.clientToken("p", "all", Caller.Mode.ACT));
        ObjectNode wish = Json.object().put("selector", "#a");
        assertThat(program.post("/inspector/pick", wish).status()).isEqualTo(403);
        assertThat(program.get("/cookie-picker/domains").status()).isEqualTo(403);
        assertThat(program.post("/cookie-picker/code", Json.object()).status()).isEqualTo(403);
        String view = program.post("/sse-session", Json.object()).json().path("token").asString();
        Door watching = new Door(hub.port(), view);
        assertThat(watching.get("/inspector/events").status()).isEqualTo(403);
        assertThat(watching.get("/memory").status()).isEqualTo(200);
        assertThat(extension.waiting()).isZero();
    }

    private RawHttp.Answer page(String path, String... headers) throws IOException {
        String[] all = new String[headers.length + 1];
        all[0] = "Host: 127.0.0.1:" + hub.port();
        System.arraycopy(headers, 0, all, 1, headers.length);
        return RawHttp.send(hub.port(), "GET " + path, "", all);
    }

    @Test
    @DisplayName("SEC-16: the page's cookie opens nothing by itself, nor does its key; a code once")
    void cookieAndKeyTogether() throws Exception {
        extension.on(
                "debug.cookies.domains",
                request -> {
                    ObjectNode answer = Json.object().put("total", 0);
                    answer.putArray("domains");
                    extension.answer(request, answer);
                });
        String path =
                panel.post("/cookie-picker/code", Json.object()).json().path("path").asString();
        assertThat(page(path, "Sec-Fetch-Site: cross-site").status()).isEqualTo(403);
        RawHttp.Answer opened = page(path, "Sec-Fetch-Site: none");
        assertThat(opened.status()).isEqualTo(302);
        String head = opened.rest();
        assertThat(head)
                .contains("HttpOnly; SameSite=Strict; Path=/cookie-picker; Max-Age=3600")
                .contains("no-store");
        String cookie = head.replaceAll("(?s).*gstack_picker=([^;]+);.*", "$1");
        String key = head.replaceAll("(?s).*/cookie-picker#(\\S+).*", "$1");
        assertThat(key).isNotEqualTo(cookie);
        assertThat(page(path, "Sec-Fetch-Site: none").status()).as("a second time").isEqualTo(403);

        String sent = "Cookie: other=1; gstack_picker=" + cookie;
        String bearer = "Authorization: Bearer " + key;
        String own = "Sec-Fetch-Site: same-origin";
        RawHttp.Answer shown = page("/cookie-picker", sent, "Sec-Fetch-Site: none");
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.rest()).doesNotContain(key).doesNotContain(cookie);
        assertThat(page("/cookie-picker", "Sec-Fetch-Site: none").status()).isEqualTo(403);
        String data = "/cookie-picker/domains";
        assertThat(page(data, sent, bearer, own).status()).isEqualTo(200);
        assertThat(page(data, sent, own).status()).as("cookie alone").isEqualTo(401);
        assertThat(page(data, bearer, own).status()).as("key alone").isEqualTo(401);
        assertThat(page(data, sent, bearer).status()).as("not from our page").isEqualTo(401);
        assertThat(page(data, sent, bearer, "Sec-Fetch-Site: same-site").status()).isEqualTo(401);
        for (String other : new String[] {"/refs", "/inspector", "/activity/history"}) {
            assertThat(page(other, sent, bearer, own).status()).as(other).isEqualTo(403);
        }
        assertThat(page("/cookie-picker?code=made-up", "Sec-Fetch-Site: none").status())
                .isEqualTo(403);
    }

    // DESIGN-7: one row for every execution, which says where it was
    @Test
    void whatIsChangedIsOnRecordWithItsBrowser() throws Exception {
        panel.post("/inspector/apply", edit());
        assertThat(recorded("inspector.apply").path("browser").asString()).isEqualTo("Test");
        extension.on("debug.cookies.remove", asked -> extension.answer(asked, Json.object()));
        ObjectNode wish = Json.object();
        wish.putArray("domains").add("a.test");
        panel.post("/cookie-picker/remove", wish);
        assertThat(recorded("cookies.remove").path("outcome").asString()).isEqualTo("ok");
        extension.on("browser.tabs", asked -> extension.answer(asked, Json.object()));
        Door user = new Door(hub.port(), hub.hubToken());
        for (String tool : new String[] {"launch", "browser_tabs"}) {
            user.post("/command", Json.object().put("name", tool).set("params", Json.object()));
            assertThat(recorded(tool).path("browser").asString()).as(tool).isEqualTo("Test");
        }
    }

    private JsonNode recorded(String tool) throws IOException {
        String rows = new CliDoor(hub).run(false, "audit", "--tool", tool, "--json").text();
        return Json.parse(rows).at("/data/0");
    }
}
