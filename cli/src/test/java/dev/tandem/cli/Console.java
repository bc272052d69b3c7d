package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A port that answers what a test puts in, and a sink that keeps what was printed. */
final class Console implements Port, Invocation.Sink {
    final StringBuilder out = new StringBuilder();
    final StringBuilder err = new StringBuilder();
    final List<String> origins = new ArrayList<>();
    final List<ClientToken> tokens = new ArrayList<>();
    final java.util.Map<String, String> secrets = new java.util.HashMap<>();
    final List<ObjectNode> rows = new ArrayList<>();
    Optional<AuditQuery> asked = Optional.empty();
    Path home = Path.of("/home");
    int minted;
    final List<ObjectNode> rules = new ArrayList<>();
    int exit;
    ObjectNode answer = Json.object();
    Optional<RuntimeException> failure = Optional.empty();
    Optional<Tool> called = Optional.empty();
    ObjectNode arguments = Json.object();
    final List<String> calls = new ArrayList<>();
    final FakeSessions talk = new FakeSessions();
    final Queue<String> keys = new ArrayDeque<>();
    Invocation.Terminal terminal = Invocation.Terminal.NONE;
    String stdin = "";
    Path folder = Path.of("/");
    boolean opens;
    final List<String> pages = new ArrayList<>();
    boolean unreadable;
    boolean comes = true;
    String browserName = "Work";
    Set<String> own = Set.of();
    java.util.function.Supplier<String> person = () -> "eof";

    int run(String... words) {
        out.setLength(0);
        err.setLength(0);
        return Cli.run(new Invocation(List.of(words), folder, terminal, new Input(), this), this);
    }

    private final class Input implements Invocation.Stdin {
        @Override
        public String readAll() throws IOException {
            if (unreadable) {
                throw new IOException("the pipe broke");
            }
            return stdin;
        }

        @Override
        public String key(Duration atMost) {
            String key = keys.poll();
            return key == null ? person.get() : key;
        }
    }

    @Override
    public SessionPort sessions() {
        return talk;
    }

    @Override
    public AgentPort agents() {
        return talk;
    }

    @Override
    public CardPort cards() {
        return talk;
    }

    JsonNode json() {
        return Json.parse(out.toString());
    }

    @Override
    public void out(String text) {
        out.append(text);
    }

    @Override
    public void err(String text) {
        err.append(text);
    }

    @Override
    public ObjectNode call(Tool tool, ObjectNode given, Path from) {
        called = Optional.of(tool);
        arguments = given;
        calls.add(tool.name() + " " + Json.write(given));
        failure.ifPresent(e -> {
            throw e;
        });
        return answer;
    }

    @Override
    public List<ObjectNode> browsers() {
        return List.of(
                Json.object()
                        .put("name", browserName)
                        .put("mode", "extension")
                        .put("version", "0.1.0"));
    }

    @Override
    public Pairing pair() {
        return new Pairing("ABCD-1234", "http://127.0.0.1:1/app/pair#code=ABCD-1234");
    }

    @Override
    public Pairing pairDevice() {
        return new Pairing("ABCD-1234", "http://127.0.0.1:8787/app/#pair=ABCD-1234");
    }

    @Override
    public List<String> origins() {
        return origins;
    }

    @Override
    public boolean addOrigin(String origin) {
        if (!origin.contains("://")) {
            throw new IllegalArgumentException("\"" + origin + "\" is not an origin.");
        }
        return origins.add(origin);
    }

    @Override
    public boolean removeOrigin(String origin) {
        return origins.remove(origin);
    }

    @Override
    public String hubToken() {
        return "tdh_secret";
    }

    @Override
    public List<ClientToken> tokens() {
        return tokens;
    }

    @Override
    public String addToken(String name, String profile, String mode, List<String> sites) {
        tokens.add(new ClientToken(name, profile, mode, 0));
        for (String site : sites) {
            rules.add(rule("0123456789-" + site, "allow", name, site));
        }
        if (mode.equals("act")) {
            rules.add(rule("act:" + name, "act", name, "sites you allowed it"));
        }
        minted++;
        secrets.put(name, "tdc_" + minted + "secret");
        return secrets.get(name);
    }

    @Override
    public boolean revokeToken(String name) {
        secrets.remove(name);
        return tokens.removeIf(token -> token.name().equals(name));
    }

    private static ObjectNode rule(String id, String decision, String who, String where) {
        return Json.object()
                .put("id", id)
                .put("decision", decision)
                .put("who", who)
                .put("what", "*")
                .put("where", where);
    }

    @Override
    public List<ObjectNode> rules() {
        return rules;
    }

    @Override
    public boolean forgetRule(String id) {
        return rules.removeIf(rule -> rule.path("id").asString("").equals(id));
    }

    @Override
    public boolean acceptRule(String id) {
        return rules.stream().anyMatch(rule -> rule.path("id").asString("").equals(id));
    }

    @Override
    public String mcpUrl() {
        return "http://127.0.0.1:8787/mcp";
    }

    @Override
    public Optional<String> tokenName(String token) {
        return secrets.entrySet().stream()
                .filter(one -> one.getValue().equals(token))
                .map(java.util.Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public Path home() {
        return home;
    }

    @Override
    public Path state() {
        return home.resolve("state");
    }

    @Override
    public List<ObjectNode> audit(AuditQuery query) {
        asked = Optional.of(query);
        return rows;
    }

    @Override
    public Path extension() {
        return Path.of("/state/extension");
    }

    @Override
    public Set<String> ownBrowsers() {
        return own;
    }

    @Override
    public Optional<ObjectNode> awaitOwnBrowser(Set<String> before, Duration atMost) {
        assertThat(before).isEqualTo(ownBrowsers());
        return comes ? Optional.of(browsers().getFirst()) : Optional.empty();
    }

    @Override
    public boolean open(String url) {
        pages.add(url);
        return opens;
    }

    @Override
    public boolean copy(String text) {
        return opens;
    }
}
