package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the commands need from whoever runs them. Failures are {@link
 * dev.tandem.protocol.TandemException}.
 */
public interface Port {
    /** Calls a tool as the caller of this command line; relative paths start at {@code folder}. */
    ObjectNode call(Tool tool, ObjectNode arguments, Path folder);

    /** The browsers that are connected: name, version, mode, since when. */
    List<ObjectNode> browsers();

    /** A new pairing code and the page that pairs by one click. */
    Pairing pair();

    /** A new code for a phone or a page, and the web app's address that carries it. */
    Pairing pairDevice();

    List<String> origins();

    /** False when it was there already. */
    boolean addOrigin(String origin);

    boolean removeOrigin(String origin);

    /** The user's own token. */
    String hubToken();

    List<ClientToken> tokens();

    /**
     * Makes a token; its value is answered once and never again.
     *
     * @param sites where it works without asking for what is not sensitive
     */
    String addToken(String name, String profile, String mode, List<String> sites);

    boolean revokeToken(String name);

    /** What was decided for good: id, decision, who, what, where, since. */
    List<ObjectNode> rules();

    /** Takes a decision back; false when there is no such one. */
    boolean forgetRule(String id);

    /** Lets a rule act that came from elsewhere; false when there is no such one. */
    boolean acceptRule(String id);

    /** Where the extension lies that a browser can load, in a folder that stays as it is. */
    Path extension();

    /** The ids of the connected browsers that people brought themselves. */
    Set<String> ownBrowsers();

    /** Waits for such a browser that is not one of those; none when the time is over. */
    Optional<ObjectNode> awaitOwnBrowser(Set<String> before, Duration atMost);

    /** Opens a page on the user's screen; false where there is none. */
    boolean open(String url);

    /** Puts text on the user's clipboard; false where there is none. */
    boolean copy(String text);

    /** Sessions and projects. */
    SessionPort sessions();

    AgentPort agents();

    /** Permission cards and forms. */
    CardPort cards();

    /** Where MCP clients find the tools. */
    String mcpUrl();

    /** What a client's token is called; none for a token that is not valid. */
    Optional<String> tokenName(String token);

    /** The user's home, where other programs keep their settings. */
    Path home();

    /** Where the hub keeps its state. */
    Path state();

    /** What was done and decided, newest first. */
    List<ObjectNode> audit(AuditQuery query);

    /**
     * Puts the marks of one answer around words of a page, where they are needed.
     *
     * @param data whether the words go out beside data, to a program
     */
    default UnaryOperator<String> marks(boolean data) {
        return UnaryOperator.identity();
    }

    /** A tool's answer as data, likewise. */
    default ObjectNode marked(Tool tool, ObjectNode data) {
        return data;
    }

    /** The sentence of a failure, likewise. */
    default String marked(TandemException failure) {
        return failure.message();
    }

    /** A failure as data: its sentence as {@code error}, and its details. */
    default ObjectNode markedData(TandemException failure) {
        ObjectNode body = Json.object().put("error", failure.message());
        body.set("details", failure.details());
        return body;
    }

    /**
     * Which rows of the audit are wanted; empty strings mean all.
     *
     * @param outcome {@code ok}, {@code failed} or a code
     * @param kind {@code call} or {@code decision}
     * @param since milliseconds since 1970
     */
    record AuditQuery(
            String client,
            String tool,
            String door,
            String origin,
            String outcome,
            String kind,
            long since,
            int limit) {}

    /** A code, and the address that carries it. */
    record Pairing(String code, String url) {}

    /** A token as it is listed. */
    record ClientToken(String name, String profile, String mode, long createdAt) {}
}
