package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one path of every tool call, whatever the door: catalogue, schema, profile, arguments that
 * only the user may give, gate, session and lease, deadline, then the extension or a handler of the
 * hub. Any thread may call it; calls block their (virtual) thread.
 */
public final class ToolRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ToolRunner.class);

    private final Catalogue catalogue = Catalogue.load();
    private final OpsSessions sessions;
    private final Dispatch dispatch;
    private final Gate gate;
    private final FramedCalls framed;
    private final Audit audit;
    private final TokenRights rights;
    private final OpsRequests requests;
    private final DefaultSessions defaults;
    private volatile Function<ObjectNode, Browser> choice;
    private final ClientBrowsers clientBrowsers = new ClientBrowsers();
    private final Map<String, HubTool> hubTools = new ConcurrentHashMap<>();

    public ToolRunner(
            Browsers browsers,
            OpsSessions sessions,
            Gate gate,
            LocalFiles files,
            Audit audit,
            IntSupplier hubPort) {
        this.sessions = sessions;
        this.gate = gate;
        this.audit = audit;
        this.rights = new TokenRights(hubPort);
        this.requests = new OpsRequests(catalogue, sessions, browsers);
        this.defaults = new DefaultSessions(sessions);
        this.dispatch = new Dispatch(sessions);
        this.framed = new FramedCalls(gate, dispatch, files);
        this.choice = arguments -> browsers.choose(Json.text(arguments, "browser"));
    }

    /** Gives a tool of the hub its handler. */
    ToolRunner with(String tool, HubTool handler) {
        hubTools.put(tool, handler);
        return this;
    }

    /** Says which browser a call without a session means by its arguments. */
    void choosing(Function<ObjectNode, Browser> by) {
        choice = by;
    }

    /** Chat clients that stand in for a browser. */
    public ClientBrowsers clientBrowsers() {
        return clientBrowsers;
    }

    Dispatch dispatch() {
        return dispatch;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    /**
     * Runs a tool by name to its end: the answer, or a {@link TandemException} that says why not.
     */
    public ToolResult run(String name, JsonNode arguments, OpsClient client, Watch watch) {
        Optional<TabFaces.Meant> meant = TabFaces.of(name, arguments);
        if (meant.isPresent()) {
            return run(meant.get().tool(), meant.get().arguments(), client, watch);
        }
        Tool tool = catalogue.byName(name).orElseThrow(() -> unknownTool(name));
        return run(tool, arguments, client, watch);
    }

    /** Whether a call by this name can be understood. */
    public boolean knows(String name) {
        return catalogue.byName(name).isPresent() || TabFaces.knows(name);
    }

    ToolResult run(Tool tool, JsonNode given, OpsClient client, Watch watch) {
        return run(tool, given, client, watch, false);
    }

    /** One that settles ends when the page has done what it made it do. */
    ToolResult run(Tool tool, JsonNode given, OpsClient client, Watch watch, boolean settles) {
        Audit.Entry entry = audit.begin(client, tool, given);
        try {
            ObjectNode arguments = tool.read(given.isMissingNode() ? Json.object() : given);
            rights.check(tool, arguments, client);
            Optional<OpsSession> session = session(tool, arguments, client, watch);
            session.ifPresent(entry::session);
            Supplier<Browser> browser = noted(entry, browser(session, arguments));
            Gate.Request asked =
                    permitted(request(tool, arguments, client, session, browser, watch));
            ToolResult result = execute(ToolCall.of(asked, browser).settling(settles));
            entry.done(result.data());
            return result.to(arguments);
        } catch (IOException | RuntimeException e) {
            throw failed(tool, entry, e);
        }
    }

    /** How a call ended; what nobody foresaw is internal. */
    private static TandemException failed(Tool tool, Audit.Entry entry, Throwable why) {
        TandemException failure = Dispatch.unwrap(why);
        if (failure.code() == ErrorCode.INTERNAL) {
            LOG.error("{} failed", tool.name(), why);
        }
        entry.failed(failure);
        return failure.of(tool);
    }

    /** Behind which other requests of its connection one of the /ops protocol has to stay. */
    public OpsLane lane(ObjectNode request) {
        return requests.lane(request);
    }

    /**
     * Takes a request of the /ops protocol. Everything up to sending happens before this returns,
     * so that requests keep their order; the future ends with the browser's answer.
     */
    public CompletableFuture<ObjectNode> command(
            OpsClient sender, ObjectNode request, Watch watch) {
        Tool tool = requests.tool(request);
        Audit.Entry entry = audit.begin(sender, tool, request.path("payload"));
        try {
            ObjectNode payload = requests.payload(tool, request);
            rights.check(tool, payload, sender);
            Optional<OpsSession> session = requests.session(tool, request, sender);
            session.ifPresent(entry::session);
            OpsClient client = OpsRequests.client(sender, request, session);
            Supplier<Browser> browser =
                    noted(
                            entry,
                            () ->
                                    requests.holder(tool, session, payload)
                                            .orElseGet(() -> requests.choose(request, watch)));
            Gate.Request asked = permitted(request(tool, payload, client, session, browser, watch));
            Dispatch.Order order =
                    new Dispatch.Order(
                            tool,
                            client,
                            browser.get(),
                            session,
                            payload,
                            OpsRequests.timeoutMs(tool, payload, request),
                            watch);
            return framed.send(order, asked, request.path("requestId").asString(""))
                    .handle((answer, failure) -> {
                        if (failure == null) {
                            entry.done(answer);
                            return answer;
                        }
                        throw failed(tool, entry, failure);
                    });
        } catch (RuntimeException e) {
            throw failed(tool, entry, e);
        }
    }

    /**
     * Lets a program have what was read for it in another way than by that tool, and puts that on
     * record; throws where it may not read that page.
     *
     * @return whether it may also have what belongs to frames of other origins
     */
    public boolean lets(OpsClient client, String reading, Browser browser, Place read) {
        Tool tool = catalogue.byName(reading).orElseThrow();
        ObjectNode none = Json.object();
        Audit.Entry entry = audit.begin(client, tool, none);
        entry.browser(browser);
        try {
            rights.check(tool, none, client);
            Gate.Request asked =
                    request(tool, none, client, Optional.empty(), () -> browser, Watch.nobody())
                            .at(read);
            gate.check(asked);
            entry.done(Json.object().put("url", read.url()));
            return !gate.guardsFrames(asked);
        } catch (RuntimeException e) {
            throw failed(tool, entry, e);
        }
    }

    private ToolResult execute(ToolCall call) throws IOException {
        Tool tool = call.tool();
        call.watch().throwIfCancelled();
        HubTool handler = hubTools.get(tool.name());
        if (handler != null) {
            return handler.run(call);
        }
        if (tool.runsIn() == Tool.Place.HUB) {
            throw new TandemException(
                    ErrorCode.NOT_SUPPORTED, tool.name() + " is not built in.", "handler");
        }
        Optional<ClientBrowsers.Executor> client = clientBrowsers.of(call.client().caller(), tool);
        if (client.isPresent()) {
            return clientBrowsers.run(client.get(), call);
        }
        return ToolResult.of(tool, forward(call, call.browser().get(), dispatch.payload(call)));
    }

    /** The same, on record once it is known. */
    private static Supplier<Browser> noted(Audit.Entry entry, Supplier<Browser> choice) {
        return new Once<>(() -> {
            Browser browser = choice.get();
            entry.browser(browser);
            return browser;
        });
    }

    private Supplier<Browser> browser(Optional<OpsSession> session, ObjectNode arguments) {
        return new Once<>(
                () -> session.map(OpsSession::browser).orElseGet(() -> choice.apply(arguments)));
    }

    /** Sends a call's command to the browser and waits for the answer. */
    ObjectNode forward(ToolCall call, Browser browser, ObjectNode payload) {
        Dispatch.Order order =
                new Dispatch.Order(
                                call.tool(),
                                call.client(),
                                browser,
                                call.session(),
                                payload,
                                call.timeoutMs(),
                                call.watch())
                        .settling(call.settles());
        Gate.Request request =
                call.asked()
                        .orElseGet(() ->
                                request(
                                        call.tool(),
                                        call.arguments(),
                                        call.client(),
                                        call.session(),
                                        call.browser(),
                                        call.watch()));
        try {
            return framed.send(order, request, dispatch.nextId()).get();
        } catch (ExecutionException | CancellationException | CompletionException e) {
            throw Dispatch.unwrap(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TandemException(
                    ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
        }
    }

    /** Taking a tab and going somewhere in it are two things, each decided at its own place. */
    private Gate.Request permitted(Gate.Request asked) {
        ObjectNode arguments = asked.arguments();
        if (Places.namesTab(arguments) && arguments.has("startUrl")) {
            ObjectNode staying = arguments.deepCopy();
            staying.remove("startUrl");
            gate.check(asked.staying(staying, catalogue.permissions(asked.tool(), staying)));
        }
        gate.check(asked);
        return asked;
    }

    private Gate.Request request(
            Tool tool,
            ObjectNode arguments,
            OpsClient client,
            Optional<OpsSession> session,
            Supplier<Browser> browser,
            Watch watch) {
        return new Gate.Request(
                client,
                tool,
                arguments,
                catalogue.permissions(tool, arguments),
                session,
                new Once<>(() ->
                        clientBrowsers
                                .of(client.caller(), tool)
                                .map(own -> clientBrowsers.place(own, arguments, watch))
                                .orElseGet(() ->
                                        places(watch).of(client, session, browser, arguments))),
                () -> places(watch).element(client, session, arguments),
                watch);
    }

    /** Ends the ops sessions of a caller that is gone for good. */
    public void endSessions(Caller caller) {
        OpsClient client = OpsClient.inHub(caller, OpsClient.Door.MCP);
        Tool tool = catalogue.byName("disconnect").orElseThrow();
        for (OpsSession session : sessions.ownedBy(client)) {
            ObjectNode arguments = Json.object().put("sessionId", session.id());
            try {
                var _ =
                        execute(
                                new ToolCall(
                                        tool,
                                        arguments,
                                        client,
                                        Optional.of(session),
                                        Watch.nobody()));
            } catch (IOException | TandemException e) {
                sessions.end(session, "session_ended");
            }
        }
    }

    /** Where a call of this client would act now; nothing is opened to find out. */
    public Place place(OpsClient client, Tool tool, ObjectNode arguments) {
        Optional<OpsSession> session =
                tool.needsSession() ? own(client, arguments) : Optional.empty();
        return places(Watch.nobody()).of(client, session, browser(session, arguments), arguments);
    }

    /** What a call of this client would act on there, in the page's words. */
    public PageElement element(OpsClient client, ObjectNode arguments) {
        return places(Watch.nobody()).element(client, own(client, arguments), arguments);
    }

    private Places places(Watch watch) {
        return new Places(catalogue, dispatch, watch);
    }

    private Optional<OpsSession> own(OpsClient client, ObjectNode arguments) {
        return Json.text(arguments, "sessionId")
                .flatMap(sessions::find)
                .filter(named -> named.ownerKey().equals(client.key()))
                .or(() -> sessions.only(client));
    }

    private Optional<OpsSession> session(
            Tool tool, ObjectNode arguments, OpsClient client, Watch watch) {
        Optional<String> named = Json.text(arguments, "sessionId");
        if (!tool.needsSession()) {
            return Optional.empty();
        }
        if (named.isPresent()) {
            return Optional.of(sessions.admit(named.get(), client, tool));
        }
        Optional<OpsSession> only = sessions.only(client);
        if (only.isPresent() || tool.name().equals("disconnect")) {
            return Optional.of(only.orElseThrow(() -> sessions.unknown("")));
        }
        return Optional.of(defaults.of(client, () -> launch(client, watch)));
    }

    private OpsSession launch(OpsClient client, Watch watch) {
        Tool launch = catalogue.byName("launch").orElseThrow();
        ObjectNode none = Json.object();
        Supplier<Browser> browser = browser(Optional.empty(), none);
        Gate.Request asked =
                permitted(request(launch, none, client, Optional.empty(), browser, watch));
        ObjectNode answer = forward(ToolCall.of(asked, browser), browser.get(), Json.object());
        return sessions.admit(answer.path("opsSessionId").asString(""), client, launch);
    }

    private TandemException unknownTool(String name) {
        String meant =
                catalogue.nearest(name).map(near -> " Did you mean " + near + "?").orElse("");
        return new TandemException(
                ErrorCode.INVALID_REQUEST, "Unknown tool: " + name + "." + meant, "unknown_action");
    }
}
