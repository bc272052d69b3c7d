package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Duration;
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
        browser.chrome.open(hub.url() + "/app/pair#code=" + hub.pairingCode());
        browser.chrome.load(hub.extension());
        browser.pointTo(hub.port());
        // Loaded once more, now that it knows the port of this test's hub. Its former self may have
        // asked already, and its page went with it: then the next one asks.
        String page = "";
        for (int tries = 0; page.isEmpty() && tries < 4; tries++) {
            browser.chrome.load(hub.extension());
            page = browser.chrome.pageWithin(Duration.ofSeconds(8), PAIR_PAGE, CONFIRM);
        }
        browser.chrome.click(page, CONFIRM);
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
        chrome.click(chrome.pageWithin(Duration.ofSeconds(30), PAIR_PAGE, CONFIRM), CONFIRM);
    }

    @Override
    public void close() {
        chrome.close();
    }
}
