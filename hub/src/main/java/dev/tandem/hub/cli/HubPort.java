package dev.tandem.hub.cli;

import dev.tandem.cli.CardPort;
import dev.tandem.cli.Port;
import dev.tandem.cli.SessionPort;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The hub as one caller's command line sees it. What widens rights is refused here, for sessions.
 */
final class HubPort implements Port {
    private static final List<String> PATHS = List.of("path", "outputDir");
    private static final String FILES = "files";

    private final HubServices services;
    private final Rights rights;
    private final LauncherInput input;
    private final boolean tty;

    HubPort(HubServices services, Caller caller, LauncherInput input, boolean tty) {
        this.services = services;
        this.rights = new Rights(caller, services.refused());
        this.input = input;
        this.tty = tty;
    }

    @Override
    public ObjectNode call(Tool tool, ObjectNode arguments, Path folder) {
        input.watch();
        for (String name : PATHS) {
            if (rights.isUser() && arguments.path(name).isString()) {
                arguments.put(name, folder.resolve(arguments.get(name).asString()).toString());
            }
        }
        if (rights.isUser() && arguments.has(FILES)) {
            ArrayNode resolved = Json.array();
            Json.texts(arguments, FILES)
                    .forEach(file -> resolved.add(folder.resolve(file).toString()));
            arguments.set(FILES, resolved);
        }
        return services.tools()
                .call(new Tools.Call(tool, arguments, rights.caller(), input.gone()));
    }

    @Override
    public List<ObjectNode> browsers() {
        return services.tools().browsers();
    }

    @Override
    public Pairing pair() {
        rights.userOnly("pair a browser");
        String code = services.codes().create();
        return new Pairing(code, services.url().get() + "/app/pair#code=" + code);
    }

    @Override
    public Pairing pairDevice() {
        rights.userOnly("let a device in");
        String code = services.codes().create();
        return new Pairing(code, services.url().get() + "/app/#pair=" + code);
    }

    @Override
    public List<String> origins() {
        rights.userOnly("list the origins");
        return services.origins().list();
    }

    @Override
    public boolean addOrigin(String origin) {
        rights.userOnly("add an origin");
        return services.origins().add(origin);
    }

    @Override
    public boolean removeOrigin(String origin) {
        rights.userOnly("remove an origin");
        return services.origins().remove(origin);
    }

    @Override
    public String hubToken() {
        rights.userOnly("print the hub's token");
        return services.hubToken().value();
    }

    @Override
    public List<ClientToken> tokens() {
        rights.userOnly("list the tokens");
        return services.tokens().list().stream()
                .map(one -> new ClientToken(one.name(), one.profile(), one.mode(), one.createdAt()))
                .toList();
    }

    @Override
    public String addToken(String name, String profile, String mode, List<String> sites) {
        rights.userOnly("make a token");
        sites.forEach(HubPort::checkSite);
        String token =
                services.tokens().add(name, profile, Caller.Mode.of(mode).orElse(Caller.Mode.ASK));
        String key = "client:" + services.tokens().caller(token).orElseThrow().id();
        for (String site : sites) {
            services.sessions()
                    .desk()
                    .rules()
                    .put(new PermissionRules.Wish("", "*", site, key, true, 0, 0));
        }
        return token;
    }

    private static void checkSite(String site) {
        try {
            PermissionRules.checkOrigin(site);
        } catch (TandemException e) {
            throw new IllegalArgumentException(
                    "\""
                            + site
                            + "\" is not a site. Write https://a.example, https://*.a.example, or *"
                            + " for all.",
                    e);
        }
    }

    @Override
    public List<ObjectNode> rules() {
        if (rights.isUser()) {
            return ruleList().all();
        }
        return rights.caller()
                .session()
                .flatMap(services.sessions().store()::session)
                .map(ruleList()::of)
                .orElse(List.of());
    }

    @Override
    public boolean forgetRule(String id) {
        rights.userOnly("change a rule");
        return ruleList().forget(id);
    }

    @Override
    public boolean acceptRule(String id) {
        rights.userOnly("accept a rule");
        return services.sessions().desk().rules().accept(id);
    }

    private RuleList ruleList() {
        return new RuleList(services.sessions().desk().rules(), services.tokens());
    }

    @Override
    public boolean revokeToken(String name) {
        rights.userOnly("revoke a token");
        return services.tokens().revoke(name).isPresent();
    }

    @Override
    public String mcpUrl() {
        return services.url().get() + "/mcp";
    }

    @Override
    public Optional<String> tokenName(String token) {
        rights.userOnly("look at tokens");
        return services.tokens().caller(token).map(Caller::name);
    }

    @Override
    public Path home() {
        return Path.of(System.getProperty("user.home"));
    }

    @Override
    public Path state() {
        return services.state();
    }

    @Override
    public List<ObjectNode> audit(AuditQuery query) {
        rights.userOnly("read the audit");
        return services.records().audit(query);
    }

    /** A person at a terminal sees what a page is; whoever reads a pipe may be a model. */
    @Override
    public UnaryOperator<String> marks(boolean data) {
        return rights.isUser() && (tty || data)
                ? UnaryOperator.identity()
                : services.tools().marks();
    }

    @Override
    public ObjectNode marked(Tool tool, ObjectNode data) {
        return rights.isUser() ? data : services.tools().marked(tool, data);
    }

    @Override
    public String marked(TandemException failure) {
        return rights.isUser() && tty ? failure.message() : services.tools().marked(failure);
    }

    @Override
    public ObjectNode markedData(TandemException failure) {
        return rights.isUser()
                ? Port.super.markedData(failure)
                : services.tools().markedData(failure);
    }

    @Override
    public Path extension() {
        return services.extension();
    }

    @Override
    public Set<String> ownBrowsers() {
        return services.tools().ownBrowsers();
    }

    @Override
    public Optional<ObjectNode> awaitOwnBrowser(Set<String> before, Duration atMost) {
        input.watch();
        return services.tools().awaitOwnBrowser(before, atMost);
    }

    @Override
    public boolean open(String url) {
        return rights.isUser() && input.open(url);
    }

    @Override
    public boolean copy(String text) {
        return rights.isUser() && Desktop.copy(text);
    }

    @Override
    public SessionPort sessions() {
        return new HubSessions(services.sessions(), rights, input, agents());
    }

    @Override
    public HubAgents agents() {
        return new HubAgents(services.sessions(), rights, input);
    }

    @Override
    public CardPort cards() {
        return new HubCards(services.sessions(), rights, input);
    }
}
