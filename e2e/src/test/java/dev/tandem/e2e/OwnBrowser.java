package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Instant;

/** The user's own browser, connected to a hub the way a person does it: load, open, click. */
final class OwnBrowser implements AutoCloseable {
    private static final String ID = Json.resource("identity.json").get("extensionId").asString();
    private static final String PAIR_PAGE = "chrome-extension://" + ID + "/pair.html";
    private static final String CONFIRM =
            "document.querySelector('td-pair-page')?.shadowRoot.querySelector('td-button')";

    private final Chrome chrome;

    private OwnBrowser(Chrome chrome) {
        this.chrome = chrome;
    }

    static OwnBrowser connect(PairingHub hub, String... flags) throws IOException {
        int before = hub.status().path("extensions").size();
        OwnBrowser browser = new OwnBrowser(new Chrome(flags));
        browser.chrome.load(hub.extension());
        browser.pointTo(hub.port());
        browser.pair(hub);
        hub.awaitBrowsers(before + 1);
        return browser;
    }

    /**
     * As {@code tandem connect chrome} goes: the hub's page is open before the extension is there.
     */
    static OwnBrowser connectFromOpenPage(PairingHub hub) throws IOException {
        OwnBrowser browser = new OwnBrowser(new Chrome());
        browser.chrome.load(hub.extension());
        browser.pointTo(hub.port());
        browser.chrome.awaitInstalled();
        // The code comes into the address without a navigation, so the extension that was loaded to
        // learn this hub's port does not see it; only one that is loaded afterwards does.
        String code = "/app/pair#code=" + hub.pairingCode();
        String page = browser.chrome.attach(browser.chrome.open(hub.url() + "/app/"));
        browser.chrome.evaluateWhen(
                page,
                "location.pathname === '/app/' && document.readyState === 'complete'",
                "history.pushState(null, '', '" + code + "')");
        browser.chrome.load(hub.extension());
        browser.confirm();
        hub.awaitBrowsers(1);
        return browser;
    }

    Chrome chrome() {
        return chrome;
    }

    /** Names the hub's port, as one does in the popup when it is not the usual one. */
    void pointTo(int port) {
        String origin = "http://127.0.0.1:" + port;
        var values = Json.object();
        values.putObject("tandem:extensionConfig:v1")
                .put("apiBaseUrl", origin + "/api/v1")
                .put("appBaseUrl", origin + "/app")
                .put("wsBaseUrl", "ws://127.0.0.1:" + port)
                .put("enabled", true)
                .put("updatedAt", Instant.now().toString());
        chrome.store("local", values);
    }

    /** Opens the hub's page and says yes on the extension's own. */
    private void pair(PairingHub hub) {
        chrome.open(hub.url() + "/app/pair#code=" + hub.pairingCode());
        confirm();
    }

    private void confirm() {
        chrome.click(chrome.awaitPage(PAIR_PAGE, CONFIRM), CONFIRM);
    }

    @Override
    public void close() {
        chrome.close();
    }
}
