package dev.tandem.hub;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.agent.AgentCheck;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.ambient.AmbientEndpoint;
import dev.tandem.hub.browser.GuidanceTools;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.UploadTool;
import dev.tandem.hub.chat.ChatEndpoint;
import dev.tandem.hub.cli.SessionServices;
import dev.tandem.hub.files.DirectoryWatch;
import dev.tandem.hub.guidance.ProjectSkills;
import dev.tandem.hub.guidance.Skills;
import dev.tandem.hub.mcp.BrowserTools;
import dev.tandem.hub.mcp.McpEndpoint;
import dev.tandem.hub.mcp.McpSessions;
import dev.tandem.hub.mcp.SessionMcpTools;
import dev.tandem.hub.relay.RelayEndpoint;
import dev.tandem.hub.sessions.Agents;
import dev.tandem.hub.sessions.EngineSettings;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.web.WebServer;
import java.io.IOException;
import java.util.List;

/**
 * Agents' sessions, wired: the engine that runs them, their tools, and the doors of those who talk
 * with them. Whoever made it ends its parts.
 */
final class SessionSide {
    private final Ground ground;
    private final Books books;
    private final ProcessTrees trees = new ProcessTrees();
    private final DirectoryWatch directories = new DirectoryWatch();
    private final AgentCatalogue catalogue;
    private final SessionEngine engine;
    private final AmbientEndpoint ambient;
    private final ChatEndpoint chat;

    SessionSide(Ground ground, Keys keys, Books books, BrowserSide browsers, WebServer web)
            throws IOException {
        this.ground = ground;
        this.books = books;
        ToolRunner tools = browsers.tools();
        catalogue =
                new AgentCatalogue(
                        ground.settings().file(),
                        ground.settings().home(),
                        System.getenv(),
                        List.of(ground.program(), "agent"));
        engine = engine(tools, web);
        keys.authenticator().with(engine.door()::caller);
        web.kin(new AgentKin(engine, ground.terminalAgent(), trees, books.desk()));
        // What an agent session holds in a browser goes with it.
        var _ =
                books.sessions()
                        .watch((change, session) -> {
                            if (change == SessionStore.Change.DELETED || !session.phase().live()) {
                                Thread.startVirtualThread(
                                        () -> tools.endSessions(session.caller()));
                            }
                        });
        new UploadTool(tools, browsers.artifacts(), engine::files);
        new GuidanceTools(
                tools,
                new Skills(ground.state().path().resolve("skills"), ground.settings().skillPaths()),
                id -> ProjectSkills.behind(() -> engine.fence(id)));
        new McpEndpoint(
                        new SessionMcpTools(new BrowserTools(tools), engine, books.gate()),
                        new McpSessions(ground.state().secret("mcp.key"), ground.database()),
                        ground.identity().version(),
                        ground.clock())
                .at(web, "mcp", "mcp-session");
        ambient =
                new AmbientEndpoint(
                        new AmbientEndpoint.Parts(
                                engine, books.sessions(), books.log(), ground.database()),
                        new AmbientEndpoint.Build(ground.identity().version(), Version.builtAt()),
                        ground.clock(),
                        ground.timings().streamKeepAlive(),
                        web);
        chat =
                new ChatEndpoint(
                        new ChatEndpoint.Parts(
                                engine,
                                books.sessions(),
                                books.log(),
                                books.desk(),
                                catalogue,
                                ground.database(),
                                ground.clock()),
                        web);
        new RelayEndpoint(
                new RelayEndpoint.Parts(
                        engine,
                        books.sessions(),
                        books.log(),
                        books.desk(),
                        catalogue,
                        keys.authenticator(),
                        tools.clientBrowsers(),
                        directories,
                        () -> browsers.browsers().connected().size(),
                        ground.identity().version()),
                ground.timings().untilProof(),
                web);
    }

    private SessionEngine engine(ToolRunner tools, WebServer web) {
        SessionStore sessions = books.sessions();
        return new SessionEngine(
                ground.database(),
                sessions,
                books.log(),
                books.desk(),
                Agents.of(catalogue),
                runtime(),
                new BrowserPlaces(tools, key -> sessions.required(key).caller()),
                new EngineSettings(
                        ground.state().path(),
                        ground.settings().home(),
                        List.of(ground.installedExtension()),
                        catalogue.choose(ground.options().agent()),
                        ground.settings().maxRunning(),
                        EngineSettings.KEEP_EVERY,
                        EngineSettings.IDLE,
                        EngineSettings.SILENCE,
                        () -> "http://127.0.0.1:" + web.port(),
                        List.of(ground.program(), "mcp")),
                ground.clock());
    }

    private AgentRuntime runtime() {
        return new AgentRuntime(trees, ground.timings().agents(), Version.current());
    }

    /** Goes on with what an earlier hub left. */
    void open() {
        engine.open();
        ambient.open();
        chat.open();
    }

    /** What command lines about sessions work with. */
    SessionServices services() {
        return new SessionServices(
                engine,
                books.sessions(),
                books.log(),
                books.desk(),
                catalogue,
                new AgentCheck(runtime()),
                new AgentTrial(ground.state().path(), ground.settings().home(), ground.program()));
    }

    SessionEngine engine() {
        return engine;
    }

    ProcessTrees trees() {
        return trees;
    }

    DirectoryWatch directories() {
        return directories;
    }

    AmbientEndpoint ambient() {
        return ambient;
    }

    ChatEndpoint chat() {
        return chat;
    }
}
