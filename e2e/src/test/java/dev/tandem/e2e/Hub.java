package dev.tandem.e2e;

import dev.tandem.hub.App;
import dev.tandem.hub.Inside;
import dev.tandem.hub.Options;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** A real hub in this process, with a real Chromium of its own where a test asks for one. */
final class Hub implements PairingHub, AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("tandem.root", ".."));

    private final App app;
    private final Database store;
    private final ExtensionTokens extensionTokens;
    private final ClientTokens clientTokens;

    private static final class Shared {
        static final Hub HUB = begin();

        private static Hub begin() {
            try {
                Hub hub = start(Options.BrowserChoice.MANAGED);
                Runtime.getRuntime().addShutdownHook(new Thread(hub::closeQuietly));
                hub.awaitBrowsers(1);
                return hub;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Hub(App app) {
        this.app = app;
        this.store = Database.open("", app.stateDir().resolve("tandem.db"));
        this.extensionTokens = new ExtensionTokens(store, Clock.systemUTC());
        this.clientTokens = new ClientTokens(store, Clock.systemUTC());
    }

    /** One hub with a managed headless browser for all tests that leave it as they found it. */
    static Hub shared() {
        return Shared.HUB;
    }

    static Hub start(Options.BrowserChoice browser) throws IOException {
        return start(browser, 0, Files.createTempDirectory("tandem-e2e-").resolve("state"));
    }

    static Hub start(Options.BrowserChoice browser, int port, Path stateDir) throws IOException {
        return start(browser, port, stateDir, false, "");
    }

    /** A hub started with --extension-legacy and --agent. */
    static Hub legacy(String agent) throws IOException {
        return start(
                Options.BrowserChoice.NONE,
                0,
                Files.createTempDirectory("tandem-e2e-").resolve("state"),
                true,
                agent);
    }

    private static Hub start(
            Options.BrowserChoice browser, int port, Path stateDir, boolean legacy, String agent)
            throws IOException {
        return new Hub(
                App.start(
                        new Options(
                                port,
                                stateDir,
                                ROOT,
                                browser,
                                Optional.of(true),
                                "",
                                legacy,
                                false,
                                agent),
                        _ -> {}));
    }

    static Path root() {
        return ROOT;
    }

    @Override
    public int port() {
        return app.port();
    }

    @Override
    public String pairingCode() {
        return app.pairingCode();
    }

    App app() {
        return app;
    }

    Path stateDir() {
        return app.stateDir();
    }

    @Override
    public Path extension() {
        return app.stateDir().resolve("extension");
    }

    @Override
    public String token() throws IOException {
        return Json.parse(Files.readString(stateDir().resolve("browse.json")))
                .get("token")
                .asString();
    }

    /** A program's token; in act mode the test's own sites are inside its fence. */
    String clientToken(String profile, Caller.Mode mode) {
        String name = "t" + UUID.randomUUID().toString().substring(0, 8);
        String token = clientTokens.add(name, profile, mode);
        if (mode == Caller.Mode.ACT) {
            String key = "client:" + clientTokens.caller(token).orElseThrow().id();
            Inside.desk(app)
                    .rules()
                    .put(new PermissionRules.Wish("", "*", "127.0.0.1", key, true, 0, 0));
        }
        return token;
    }

    String extensionToken(String browserId) {
        return extensionTokens.create(browserId, "e2e").access();
    }

    /** The token of a web page on some device. */
    String deviceToken() {
        return extensionTokens.createDevice("web-e2e", "e2e phone").access();
    }

    /** A program with the user's own token. */
    McpClient mcp() throws IOException {
        return new McpClient(url() + "/mcp", token());
    }

    @Override
    public void close() throws IOException {
        store.close();
        app.close();
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("the hub did not close: " + e);
        }
    }
}
