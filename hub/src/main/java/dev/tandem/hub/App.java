package dev.tandem.hub;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.agent.AgentCheck;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.ambient.AmbientEndpoint;
import dev.tandem.hub.annotation.AnnotationEndpoint;
import dev.tandem.hub.annotation.AnnotationLinkEndpoint;
import dev.tandem.hub.annotation.Annotations;
import dev.tandem.hub.annotation.Inbox;
import dev.tandem.hub.app.AppEndpoint;
import dev.tandem.hub.app.AppFiles;
import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.HubToken;
import dev.tandem.hub.auth.Lineage;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.auth.PairingCodes;
import dev.tandem.hub.auth.Pairings;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.AnnotateTool;
import dev.tandem.hub.browser.Artifacts;
import dev.tandem.hub.browser.Audit;
import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.browser.BrowserEndpoint;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.CaptureTools;
import dev.tandem.hub.browser.DebuggedBrowsers;
import dev.tandem.hub.browser.ExtensionFolder;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.browser.GuidanceTools;
import dev.tandem.hub.browser.LocalFiles;
import dev.tandem.hub.browser.ManagedBrowsers;
import dev.tandem.hub.browser.OpsSessions;
import dev.tandem.hub.browser.Pairing;
import dev.tandem.hub.browser.RelayStatus;
import dev.tandem.hub.browser.SessionTools;
import dev.tandem.hub.browser.StepsTool;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.UploadTool;
import dev.tandem.hub.cdp.CdpEndpoint;
import dev.tandem.hub.cdp.CdpRelay;
import dev.tandem.hub.chat.ChatEndpoint;
import dev.tandem.hub.cli.CliEndpoint;
import dev.tandem.hub.cli.HubServices;
import dev.tandem.hub.cli.SessionServices;
import dev.tandem.hub.debug.Activity;
import dev.tandem.hub.debug.Commands;
import dev.tandem.hub.files.DirectoryWatch;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.hub.guidance.ProjectSkills;
import dev.tandem.hub.guidance.SkillPaths;
import dev.tandem.hub.guidance.Skills;
import dev.tandem.hub.health.Gauges;
import dev.tandem.hub.health.HealthEndpoint;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.mcp.BrowserTools;
import dev.tandem.hub.mcp.McpEndpoint;
import dev.tandem.hub.mcp.McpSessions;
import dev.tandem.hub.mcp.SessionMcpTools;
import dev.tandem.hub.ops.CommandEndpoint;
import dev.tandem.hub.ops.OpsEndpoint;
import dev.tandem.hub.pairing.PairPageEndpoint;
import dev.tandem.hub.pairing.PairingEndpoint;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionGate;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.permission.RuleSeal;
import dev.tandem.hub.relay.RelayEndpoint;
import dev.tandem.hub.sessions.Agents;
import dev.tandem.hub.sessions.EngineSettings;
import dev.tandem.hub.sessions.RunningLimit;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.terminal.AgentCommand;
import dev.tandem.hub.terminal.TerminalAgent;
import dev.tandem.hub.terminal.TerminalEndpoint;
import dev.tandem.hub.terminal.TerminalTokens;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The hub, wired by hand, top to bottom. Closing it ends everything it started. */
public final class App implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(App.class);

    private final StateDir state;
    private final BrowseFile browseFile;
    private final Instance instance;
    private final Database database;
    private final WebServer web;
    private final Annotations annotations;
    private final TerminalAgent terminalAgent;
    private final PermissionDesk desk;
    private final ProcessTrees trees;
    private final SessionLog log;
    private final SessionEngine engine;
    private final Browsers browsers;
    private final ManagedBrowsers managedBrowsers;
    private final Audit audit;
    private final Activity activity;
    private final DirectoryWatch directories;
    private final PairingCodes codes;
    private final ClientTokens clientTokens;
    private volatile Runnable onStop = () -> {};
    private final AmbientEndpoint ambient;
    private final ChatEndpoint chat;

    /** Starts a hub; {@code say} receives sentences a person should read. */
    public static App start(Options options, Consumer<String> say) throws IOException {
        return new App(options, Timings.standard(), say);
    }

    static App start(Options options, Timings timings, Consumer<String> say) throws IOException {
        return new App(options, timings, say);
    }

    private App(Options options, Timings timings, Consumer<String> say) throws IOException {
        Clock clock = Clock.systemUTC();
        Path home = Path.of(System.getProperty("user.home"));
        Path settings = home.resolve(".config/tandem/config.json");
        // Before anything is begun, as a wrong one ends the start.
        int maxRunning = RunningLimit.in(settings);
        List<Path> skillPaths = SkillPaths.in(settings, home);
        state = StateDir.open(options.stateDir());
        browseFile = new BrowseFile(state);
        instance = Instance.claim(state);
        state.folder("logs");
        Logs.to(state.privateFile("logs/hub.log"));
        terminalAgent =
                new TerminalAgent(
                        state.path(),
                        "chrome-extension://" + Version.extensionId(),
                        AgentCommand.installed());
        terminalAgent.start();
        database = openStore(new StoreFile(state, options.store(), clock), say);

        Identity identity = Identity.fresh(Version.current(), clock);
        HubToken hubToken = new HubToken();
        ExtensionTokens extensionTokens = new ExtensionTokens(database, clock);
        clientTokens = new ClientTokens(database, clock);
        TerminalTokens terminalTokens =
                new TerminalTokens(state.secret("terminal.key"), terminalAgent, clock);
        Authenticator authenticator =
                new Authenticator()
                        .with(hubToken::caller)
                        .with(extensionTokens::caller)
                        .with(clientTokens::caller)
                        .with(terminalTokens::caller);
        Origins origins = new Origins(database, Version.extensionId());
        PairedBrowsers pairedBrowsers = new PairedBrowsers(database, clock);
        codes = new PairingCodes(clock);
        Gauges gauges = new Gauges();

        web =
                new WebServer(
                        authenticator,
                        origins,
                        clock,
                        new WebServer.Pace(timings.beatEvery(), timings.untilProof()));
        new HealthEndpoint(identity, gauges, pairedBrowsers, web);
        new PairingEndpoint(codes, extensionTokens, pairedBrowsers, web);
        new PairPageEndpoint(web);
        new AppEndpoint(new AppFiles(options.home(), identity.version()), web);

        log = new SessionLog(database, clock);
        SessionStore sessions = new SessionStore(database, log, clock);
        desk =
                new PermissionDesk(
                        new PermissionRules(database, clock, RuleSeal.in(state.path())),
                        database,
                        clock,
                        PermissionDesk.CARD_LIFE);
        PermissionGate gate =
                new PermissionGate(
                        desk,
                        id -> sessions.session(id).map(Session::asker),
                        Duration.ofMillis(
                                Long.getLong(
                                        "tandem.patienceMs",
                                        PermissionGate.MCP_PATIENCE.toMillis())),
                        clock);

        OpsSessions opsSessions = new OpsSessions();
        browsers = new Browsers(opsSessions, clock, timings.browsers());
        audit = new Audit(database, clock);
        RelayStatus relay = new RelayStatus(browsers, opsSessions, identity, web::port);
        web.onExtensionRefused(relay::refused);
        LocalFiles files =
                new LocalFiles(
                        ForbiddenPlaces.of(
                                home, state.path(), List.of(options.home().resolve("extension"))),
                        List.of(state.path()));
        ToolRunner tools = new ToolRunner(browsers, opsSessions, gate, files, audit, web::port);
        clientTokens.onRevoked(new Revocation(desk, tools, web)::of);
        extensionTokens.onRevoked(id -> web.dismiss(Revocation.paired(id), "Pairing ended"));
        clientTokens.onNarrowed(id -> web.dismiss(TokenKind.CLIENT, id, "Token changed"));
        trees = new ProcessTrees();
        AgentCatalogue catalogue =
                new AgentCatalogue(
                        settings, home, System.getenv(), List.of(program(options), "agent"));
        engine = engine(options, timings, sessions, catalogue, maxRunning, tools, clock);
        authenticator.with(engine.door()::caller);
        web.kin(new AgentKin(engine, terminalAgent, trees, desk));
        // What an agent session holds in a browser goes with it.
        var _ =
                sessions.watch((change, session) -> {
                    if (change == SessionStore.Change.DELETED || !session.phase().live()) {
                        Thread.startVirtualThread(() -> tools.endSessions(session.caller()));
                    }
                });

        Path extension = state.path().resolve("extension");
        Pairing pairing = new Pairing(extensionTokens, pairedBrowsers, web::port);
        managedBrowsers =
                new ManagedBrowsers(
                        new ManagedBrowsers.Settings(
                                state.folder("profiles"),
                                extension,
                                Version.extensionId(),
                                options.headless(),
                                System.getenv()),
                        browsers,
                        pairing,
                        say);
        new SessionTools(
                tools,
                browsers,
                opsSessions,
                managedBrowsers,
                new DebuggedBrowsers(browsers, pairing, extension, Version.extensionId()),
                relay,
                new SessionTools.Facts(identity.version(), extension.toString()));
        new StepsTool(tools);
        Artifacts artifacts = new Artifacts(state.folder("artifacts"), clock);
        Thread.startVirtualThread(artifacts::sweep);
        new CaptureTools(tools, artifacts);
        new UploadTool(tools, artifacts, engine::files);
        new GuidanceTools(
                tools,
                new Skills(state.path().resolve("skills"), skillPaths),
                id -> ProjectSkills.behind(() -> engine.fence(id)));
        new BrowserEndpoint(
                browsers,
                extensionTokens,
                identity,
                relay,
                web,
                BrowserEndpoint.Heartbeat.every(timings.beatEvery()));
        new OpsEndpoint(tools, browsers, authenticator, clock, web);
        activity = new Activity(clock);
        audit.watchedBy(activity);
        FrontTab front = new FrontTab(browsers, extensionTokens, audit, artifacts);
        new DebugDoors(authenticator, extensionTokens, clientTokens, clock, web)
                .open(activity, front, browsers, relay);
        Commands commands = new Commands(tools, front, web);
        new CommandEndpoint(
                tools,
                commands::one,
                relay,
                identity,
                new Pairings(pairedBrowsers, extensionTokens),
                () -> onStop.run(),
                web);
        new McpEndpoint(
                        new SessionMcpTools(new BrowserTools(tools), engine, gate),
                        new McpSessions(state.secret("mcp.key"), database),
                        identity.version(),
                        clock)
                .at(web, "mcp", "mcp-session");

        ambient =
                new AmbientEndpoint(
                        new AmbientEndpoint.Parts(engine, sessions, log, database),
                        new AmbientEndpoint.Build(identity.version(), Version.builtAt()),
                        clock,
                        timings.streamKeepAlive(),
                        web);
        chat =
                new ChatEndpoint(
                        new ChatEndpoint.Parts(
                                engine, sessions, log, desk, catalogue, database, clock),
                        web);
        directories = new DirectoryWatch();
        new RelayEndpoint(
                new RelayEndpoint.Parts(
                        engine,
                        sessions,
                        log,
                        desk,
                        catalogue,
                        authenticator,
                        tools.clientBrowsers(),
                        directories,
                        () -> browsers.connected().size(),
                        identity.version()),
                timings.untilProof(),
                web);

        browsers.onTabs(terminalAgent::tabs);
        TerminalEndpoint terminals =
                new TerminalEndpoint(
                        terminalAgent,
                        terminalTokens,
                        engine.folders()::isRegistered,
                        engine.accounts()::inTerminal,
                        clock,
                        web);
        extensionTokens.onRevoked(terminals::loggedOut);
        gauges.add(
                "tandem_terminal_port",
                "Port of the terminal agent, 0 while there is none",
                () -> terminalAgent.port().orElse(0));
        new CliEndpoint(
                new HubServices(
                        new CliTools(tools, browsers),
                        new SessionServices(
                                engine,
                                sessions,
                                log,
                                desk,
                                catalogue,
                                new AgentCheck(
                                        new AgentRuntime(
                                                trees, timings.agents(), Version.current())),
                                new AgentTrial(state.path(), home, program(options))),
                        clientTokens,
                        origins,
                        codes,
                        hubToken,
                        () -> "http://127.0.0.1:" + web.port(),
                        extension,
                        state.path(),
                        new CliRecords(audit, desk),
                        desk::refused),
                new Lineage(line ->
                        engine.door()
                                .actor(line)
                                .or(() ->
                                        terminalAgent
                                                .terminalOf(line)
                                                .map(TerminalTokens::inside))),
                web);

        annotations =
                Annotations.with(
                        new Inbox(database, new OpenChat(engine), clock), new PickerRefusals(gate));
        new AnnotationEndpoint(
                annotations,
                authenticator,
                web,
                Duration.ofMillis(Limits.of("annotationTimeoutMs")));
        new AnnotationLinkEndpoint(annotations, extensionTokens, identity, web);
        relay.watch(legacyDoor(options, extensionTokens, identity), annotations::clientConnected);
        new AnnotateTool(tools, new PageNotes(annotations), artifacts);

        engine.open();
        ambient.open();
        chat.open();
        terminalAgent.awaitInherited();
        listen(options.port());
        terminalAgent.onNewPort(this::tellOwnOrigins);
        // Whoever finds the hub may call at once, and waits for a browser only if one is expected.
        startBrowser(options, extension, say);
        browseFile.write(options, web.port(), hubToken, identity);
        LOG.info("Ready on port {}", web.port());
    }

    /** A browser asks where the terminals are when it connects; a new port it must be told. */
    private void tellOwnOrigins() {
        ObjectNode message = Json.object().put("type", "own_origins");
        ArrayNode origins = message.putObject("payload").putArray("origins");
        terminalAgent.port().ifPresent(port -> origins.add("http://127.0.0.1:" + port));
        browsers.ownOrigins(message);
        annotations.ownOrigins(message);
    }

    /** /cdp is there only when it was asked for; answers whether a program is on it. */
    private BooleanSupplier legacyDoor(Options options, ExtensionTokens tokens, Identity identity) {
        if (!options.extensionLegacy()) {
            web.without("cdp", "cdp-json", "browser-cdp");
            return () -> false;
        }
        CdpRelay cdp = new CdpRelay(id -> browsers.find(id).map(Browser::name).orElse(id), audit);
        new CdpEndpoint(cdp, tokens, identity, web);
        return cdp::clientConnected;
    }

    private SessionEngine engine(
            Options options,
            Timings timings,
            SessionStore sessions,
            AgentCatalogue catalogue,
            int maxRunning,
            ToolRunner tools,
            Clock clock) {
        Path home = Path.of(System.getProperty("user.home"));
        return new SessionEngine(
                database,
                sessions,
                log,
                desk,
                Agents.of(catalogue),
                new AgentRuntime(trees, timings.agents(), Version.current()),
                new BrowserPlaces(tools, key -> sessions.required(key).caller()),
                new EngineSettings(
                        state.path(),
                        home,
                        List.of(options.home().resolve("extension")),
                        catalogue.choose(options.agent()),
                        maxRunning,
                        EngineSettings.KEEP_EVERY,
                        EngineSettings.IDLE,
                        EngineSettings.SILENCE,
                        () -> "http://127.0.0.1:" + web.port(),
                        List.of(program(options), "mcp")),
                clock);
    }

    private static String program(Options options) {
        return options.home().resolve("tandem").toString();
    }

    SessionEngine engine() {
        return engine;
    }

    Database store() {
        return database;
    }

    SessionLog sessionLog() {
        return log;
    }

    PermissionDesk desk() {
        return desk;
    }

    ClientTokens clientTokens() {
        return clientTokens;
    }

    /** A code for pairing one browser, as {@code tandem pair} shows it. */
    public String pairingCode() {
        return codes.create();
    }

    /** Says what to do when somebody asks the hub to end. */
    public void onStop(Runnable action) {
        onStop = action;
    }

    private void startBrowser(Options options, Path extension, Consumer<String> say) {
        try {
            ExtensionFolder.sync(options.home().resolve("extension"), extension);
        } catch (IOException e) {
            say.accept(String.valueOf(e.getMessage()));
            return;
        }
        if (options.browser() == Options.BrowserChoice.MANAGED) {
            managedBrowsers.startStandard();
        }
    }

    public int port() {
        return web.port();
    }

    public Path stateDir() {
        return state.path();
    }

    @Override
    public void close() throws IOException {
        activity.close();
        annotations.close();
        terminalAgent.close();
        ambient.close();
        // Other programs end at their own pace, so all of them are asked at once.
        Thread closingBrowsers = Thread.startVirtualThread(managedBrowsers::close);
        engine.close();
        chat.close();
        await(closingBrowsers);
        browsers.close();
        desk.close();
        trees.close();
        web.stop();
        directories.close();
        audit.close();
        database.close();
        browseFile.delete();
        instance.close();
        LOG.info("Stopped");
    }

    private static void await(Thread work) {
        try {
            work.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Database openStore(StoreFile file, Consumer<String> say) throws IOException {
        try {
            return file.open(say);
        } catch (IOException e) {
            terminalAgent.close();
            instance.close();
            throw e;
        }
    }

    private void listen(int port) throws IOException {
        try {
            web.start(port);
        } catch (IOException e) {
            terminalAgent.close();
            database.close();
            instance.close();
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
}
