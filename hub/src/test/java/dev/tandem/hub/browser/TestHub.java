package dev.tandem.hub.browser;

import dev.tandem.hub.App;
import dev.tandem.hub.Inside;
import dev.tandem.hub.Options;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** A real hub without a browser; tokens are minted beside it, in the same store. */
public final class TestHub implements AutoCloseable {
    private final App app;
    private final Database store;
    private final ExtensionTokens extensionTokens;
    private final ClientTokens clientTokens;

    public TestHub(Path folder) throws IOException {
        this(App.start(options(folder, false), _ -> {}));
    }

    private TestHub(App app) {
        this.app = app;
        store = Database.open("", app.stateDir().resolve("tandem.db"));
        extensionTokens = new ExtensionTokens(store, Clock.systemUTC());
        clientTokens = new ClientTokens(store, Clock.systemUTC());
    }

    /** A hub started with --extension-legacy. */
    public static TestHub legacy(Path folder) throws IOException {
        return new TestHub(App.start(options(folder, true), _ -> {}));
    }

    /** A hub that asks its browsers that often whether they are there. */
    static TestHub beating(Path folder, Duration every) throws IOException {
        return new TestHub(Inside.start(options(folder, false), every));
    }

    /** A hub that gives browsers which are away a second, and a greeting two. */
    static TestHub hurried(Path folder) throws IOException {
        Patience little = new Patience(Duration.ofSeconds(1), Duration.ofSeconds(2));
        return new TestHub(Inside.start(options(folder, false), little));
    }

    private static Options options(Path folder, boolean legacy) {
        return new Options(
                0,
                folder.resolve("state"),
                folder,
                Options.BrowserChoice.NONE,
                Optional.empty(),
                "",
                legacy,
                false);
    }

    public App app() {
        return app;
    }

    public int port() {
        return app.port();
    }

    public Path stateDir() {
        return app.stateDir();
    }

    public String hubToken() throws IOException {
        return Json.parse(Files.readString(app.stateDir().resolve("browse.json")))
                .get("token")
                .asString();
    }

    public String clientToken(String name, String profile, Caller.Mode mode) {
        return clientTokens.add(name, profile, mode);
    }

    /** A program that the user lets work everywhere: only what is sensitive asks. */
    public String trustedToken(String name) {
        String token = clientToken(name, "all", Caller.Mode.ACT);
        String key = "client:" + clientTokens.caller(token).orElseThrow().id();
        Inside.desk(app).rules().put(new PermissionRules.Wish("", "*", "*", key, true, 0, 0));
        return token;
    }

    /** From now on the hub fails where it looks a rule up, as when its database is away. */
    void loseRules() {
        store.write(
                sql -> sql.update("ALTER TABLE extension_tool_permissions RENAME TO lost_rules"));
    }

    void findRules() {
        store.write(
                sql -> sql.update("ALTER TABLE lost_rules RENAME TO extension_tool_permissions"));
    }

    public void revoke(String name) {
        clientTokens.revoke(name);
    }

    public FakeExtension extension(String browserId, String name) {
        return FakeExtension.connect(this, extensionToken(browserId, name), browserId);
    }

    public String extensionToken(String browserId, String name) {
        return extensionTokens.create(browserId, name).access();
    }

    void endPairing(String browserId) {
        extensionTokens.list().stream()
                .filter(login -> login.browserId().equals(browserId))
                .forEach(login -> extensionTokens.revoke(login.id()));
    }

    void pair(String browserId, String name) {
        new PairedBrowsers(store, Clock.systemUTC()).pair(browserId, name);
    }

    @Override
    public void close() throws IOException {
        store.close();
        app.close();
    }
}
