package dev.tandem.hub;

import dev.tandem.hub.annotation.AnnotationEndpoint;
import dev.tandem.hub.annotation.AnnotationLinkEndpoint;
import dev.tandem.hub.annotation.Annotations;
import dev.tandem.hub.annotation.Inbox;
import dev.tandem.hub.app.AppEndpoint;
import dev.tandem.hub.app.AppFiles;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.Lineage;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.browser.AnnotateTool;
import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.cdp.CdpEndpoint;
import dev.tandem.hub.cdp.CdpRelay;
import dev.tandem.hub.cli.CliEndpoint;
import dev.tandem.hub.cli.HubServices;
import dev.tandem.hub.health.Gauges;
import dev.tandem.hub.health.HealthEndpoint;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.pairing.PairPageEndpoint;
import dev.tandem.hub.pairing.PairingEndpoint;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.terminal.TerminalAgent;
import dev.tandem.hub.terminal.TerminalEndpoint;
import dev.tandem.hub.terminal.TerminalTokens;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The hub, wired by hand: {@link Ground}, {@link Keys}, {@link Books}, then {@link BrowserSide} and
 * {@link SessionSide}, then the doors that need both. Closing it ends everything it started.
 */
public final class App implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(App.class);

    private final Ground ground;
    private final Keys keys;
    private final Books books;
    private final WebServer web;
    private final BrowserSide browsers;
    private final SessionSide sessions;
    private final Annotations annotations;
    private volatile Runnable onStop = () -> {};

    /** Starts a hub; {@code say} receives sentences a person should read. */
    public static App start(Options options, Consumer<String> say) throws IOException {
        return new App(options, Timings.standard(), say);
    }

    static App start(Options options, Timings timings, Consumer<String> say) throws IOException {
        return new App(options, timings, say);
    }

    private App(Options options, Timings timings, Consumer<String> say) throws IOException {
        ground = Ground.take(options, timings, say);
        keys = Keys.of(ground);
        web =
                new WebServer(
                        keys.authenticator(),
                        keys.origins(),
                        ground.clock(),
                        new WebServer.Pace(timings.beatEvery(), timings.untilProof()));
        Identity identity = ground.identity();
        Gauges gauges = new Gauges();
        new HealthEndpoint(identity, gauges, keys.paired(), web);
        new PairingEndpoint(keys.codes(), keys.extensions(), keys.paired(), web);
        new PairPageEndpoint(web);
        new AppEndpoint(new AppFiles(options.home(), identity.version()), web);

        books = Books.of(ground);
        browsers = new BrowserSide(ground, keys, books, web, () -> onStop.run());
        sessions = new SessionSide(ground, keys, books, browsers, web);
        openTerminals(gauges);
        openCommandLine();
        annotations =
                Annotations.with(
                        new Inbox(
                                ground.database(), new OpenChat(sessions.engine()), ground.clock()),
                        new PickerRefusals(books.gate()),
                        browsers.browsers()::focusedAt);
        openAnnotations();

        sessions.open();
        ground.terminalAgent().awaitInherited();
        listen(options.port());
        ground.terminalAgent().onNewPort(this::tellOwnOrigins);
        // Whoever finds the hub may call at once, and waits for a browser only if one is expected.
        browsers.start();
        ground.announce(web.port(), keys.hub());
        LOG.info("Ready on port {}", web.port());
    }

    private void openTerminals(Gauges gauges) {
        TerminalAgent agent = ground.terminalAgent();
        browsers.browsers().onTabs(agent::tabs);
        TerminalEndpoint terminals =
                new TerminalEndpoint(
                        agent,
                        keys.terminals(),
                        sessions.engine().folders()::isRegistered,
                        sessions.engine().accounts()::inTerminal,
                        ground.clock(),
                        web);
        keys.extensions().onRevoked(terminals::loggedOut);
        gauges.add(
                "tandem_terminal_port",
                "Port of the terminal agent, 0 while there is none",
                () -> agent.port().orElse(0));
    }

    private void openCommandLine() {
        new CliEndpoint(
                new HubServices(
                        new CliTools(browsers.tools(), browsers.browsers()),
                        sessions.services(),
                        keys.clients(),
                        keys.origins(),
                        keys.codes(),
                        keys.hub(),
                        () -> "http://127.0.0.1:" + web.port(),
                        ground.extension(),
                        ground.state().path(),
                        new CliRecords(browsers.audit(), books.desk()),
                        books.desk()::refused),
                new Lineage(line ->
                        sessions.engine()
                                .door()
                                .actor(line)
                                .or(() ->
                                        ground.terminalAgent()
                                                .terminalOf(line)
                                                .map(TerminalTokens::inside))),
                web);
    }

    private void openAnnotations() {
        new AnnotationEndpoint(
                annotations,
                keys.authenticator(),
                web,
                Duration.ofMillis(Limits.of("annotationTimeoutMs")),
                (caller, what, outcome) ->
                        browsers.audit().note("annotation", caller, "", what, "", outcome));
        new AnnotationLinkEndpoint(annotations, keys.extensions(), ground.identity(), web);
        browsers.relay().watch(legacyDoor(), annotations::clientConnected);
        new AnnotateTool(browsers.tools(), new PageNotes(annotations), browsers.artifacts());
    }

    /** /cdp is there only when it was asked for; answers whether a program is on it. */
    private BooleanSupplier legacyDoor() {
        if (!ground.options().extensionLegacy()) {
            web.without("cdp", "cdp-json", "browser-cdp");
            return () -> false;
        }
        CdpRelay cdp =
                new CdpRelay(
                        id -> browsers.browsers().find(id).map(Browser::name).orElse(id),
                        browsers.browsers()::focusedAt,
                        browsers.audit());
        new CdpEndpoint(cdp, keys.extensions(), ground.identity(), web);
        return cdp::clientConnected;
    }

    private void listen(int port) throws IOException {
        try {
            web.start(port);
        } catch (IOException e) {
            ground.giveUp();
            String holder =
                    Processes.listener(port).map(who -> " by " + who).orElse(" by another program");
            throw new IOException(
                    "Port "
                            + port
                            + " is taken"
                            + holder
                            + ". Choose another with --port, or end that program.",
                    e);
        }
    }

    /** A browser asks where the terminals are when it connects; a new port it must be told. */
    private void tellOwnOrigins() {
        ObjectNode message = Json.object().put("type", "own_origins");
        ArrayNode origins = message.putObject("payload").putArray("origins");
        ground.terminalAgent().port().ifPresent(port -> origins.add("http://127.0.0.1:" + port));
        browsers.browsers().ownOrigins(message);
        annotations.ownOrigins(message);
    }

    SessionEngine engine() {
        return sessions.engine();
    }

    Database store() {
        return ground.database();
    }

    SessionLog sessionLog() {
        return books.log();
    }

    PermissionDesk desk() {
        return books.desk();
    }

    ClientTokens clientTokens() {
        return keys.clients();
    }

    /** A code for pairing one browser, as {@code tandem pair} shows it. */
    public String pairingCode() {
        return keys.codes().create();
    }

    /** Says what to do when somebody asks the hub to end. */
    public void onStop(Runnable action) {
        onStop = action;
    }

    public int port() {
        return web.port();
    }

    public Path stateDir() {
        return ground.state().path();
    }

    @Override
    public void close() throws IOException {
        browsers.browsers().stopping();
        browsers.activity().close();
        annotations.close();
        ground.terminalAgent().close();
        sessions.ambient().close();
        // Other programs end at their own pace, so all of them are asked at once.
        Thread closingBrowsers = Thread.startVirtualThread(browsers.managed()::close);
        sessions.engine().close();
        sessions.chat().close();
        await(closingBrowsers);
        browsers.browsers().close();
        books.desk().close();
        sessions.trees().close();
        web.stop();
        sessions.directories().close();
        browsers.audit().close();
        ground.close();
        LOG.info("Stopped");
    }

    private static void await(Thread work) {
        try {
            work.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
