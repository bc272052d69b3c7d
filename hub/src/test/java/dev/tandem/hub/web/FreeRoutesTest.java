package dev.tandem.hub.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.FakeExtension;
import dev.tandem.hub.browser.TestHub;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the hub tells to whoever proves nothing, however they ask. */
@Timeout(120)
class FreeRoutesTest {
    private static final List<String> ASKING =
            List.of(
                    "Origin: chrome-extension://"
                            + Json.resource("identity.json").get("extensionId").asString(),
                    "Origin: null",
                    "Authorization: Bearer wrong",
                    "Authorization: Bearer ",
                    "Authorization: Basic dXNlcjpwYXNz",
                    "Cookie: gstack_pty=x; gstack_sse=x; gstack_picker=x; token=x",
                    "X-Forwarded-For: 127.0.0.1",
                    "X-Forwarded-Host: 127.0.0.1",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Access-Token: x",
                    "Forwarded: for=127.0.0.1;host=localhost",
                    "X-HTTP-Method-Override: POST",
                    "X-Requested-With: XMLHttpRequest",
                    "Accept: text/html",
                    "Accept: application/json",
                    "Accept: text/event-stream",
                    "Referer: http://127.0.0.1/app",
                    "Sec-Fetch-Site: same-origin",
                    "Sec-WebSocket-Protocol: tandem.v1, bearer.wrong",
                    "Last-Event-ID: 0");

    // TRM-L25: neither a token nor what is open in the browser
    @Test
    void noHeaderMakesTheHubTellATokenOrAPage(@TempDir Path folder) throws Exception {
        try (TestHub hub = new TestHub(folder)) {
            String extension = hub.extensionToken("b1", "Test");
            List<String> secrets =
                    List.of(
                            hub.hubToken(),
                            extension,
                            hub.clientToken("program", "all", Caller.Mode.ACT),
                            "shop.test",
                            "Secret basket");
            try (FakeExtension browser = hub.extension("b2", "Test")) {
                browser.wire()
                        .send(
                                Json.parseObject(
                                        """
                                        {"type":"tabState","reason":"initial",
                                         "active":{"tabId":7,"url":"https://shop.test/a","title":"Secret basket"},
                                         "tabs":[{"tabId":7,"url":"https://shop.test/a","title":"Secret basket",
                                          "active":true,"windowId":1,"pinned":false,"audible":false}]}
                                        """));
                browser.wire().send(Json.object().put("type", "healthCheck").put("id", "1"));
                browser.wire().next("healthCheckResult");
                List<String> told = new ArrayList<>();
                for (Route route : Routes.all()) {
                    boolean asked = route.free() && route.methods().contains("GET");
                    if (asked && route.kind() != Route.Kind.WS) {
                        String path = route.path().replace("*", "x");
                        told.add(ask(hub, path));
                        for (String header : ASKING) {
                            told.add(ask(hub, path, header));
                        }
                        told.add(ask(hub, path, ASKING.toArray(String[]::new)));
                    }
                }
                assertThat(told).hasSizeGreaterThan(10 * ASKING.size());
                assertThat(told).allSatisfy(answer -> assertThat(answer).doesNotContain(secrets));
            }
        }
    }

    private static String ask(TestHub hub, String path, String... headers) throws Exception {
        List<String> lines = new ArrayList<>(List.of("Host: 127.0.0.1:" + hub.port()));
        lines.addAll(List.of(headers));
        return RawHttp.send(hub.port(), "GET " + path, "", lines.toArray(String[]::new)).rest();
    }
}
