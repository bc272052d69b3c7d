package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a person looks at in their browser: asked by the panel and the user's own programs, never by
 * an agent. It holds no lease and moves no tab. Any thread may call it; calls block.
 */
public final class FrontTab {
    private static final String FOLDER = "panel";

    private final Browsers browsers;
    private final ExtensionTokens tokens;
    private final Audit audit;
    private final Artifacts artifacts;
    private final AtomicLong ids = new AtomicLong();
    private final Tool screenshot = Catalogue.load().byName("screenshot").orElseThrow();

    public FrontTab(Browsers browsers, ExtensionTokens tokens, Audit audit, Artifacts artifacts) {
        this.browsers = browsers;
        this.tokens = tokens;
        this.audit = audit;
        this.artifacts = artifacts;
    }

    /** The caller's own browser where an extension asks, else the named or latest one. */
    public Browser browser(Caller caller, Optional<String> name) {
        if (caller.kind() != TokenKind.EXTENSION) {
            return browsers.choose(name);
        }
        String id = browserId(caller, name);
        return browsers.find(id).orElseThrow(() -> Browser.disconnected(false));
    }

    /** The same, whether or not it is connected now. */
    public String browserId(Caller caller, Optional<String> name) {
        if (caller.kind() != TokenKind.EXTENSION) {
            return browsers.choose(name).id();
        }
        return tokens.session(caller.id())
                .map(ExtensionTokens.Session::browserId)
                .orElseThrow(() -> TandemException.of(ErrorCode.UNAUTHORIZED));
    }

    /** Asks a browser one question of the debug surfaces. */
    public ObjectNode ask(Caller caller, Browser browser, String question, ObjectNode payload) {
        return ask(caller, browser, question, payload, Limits.REQUEST_TIMEOUT_MS);
    }

    /** Asks a browser to change something, which is put on record under the question's name. */
    public ObjectNode act(Caller caller, Browser browser, String question, ObjectNode payload) {
        Audit.Entry entry = audit.begin(OpsClient.inHub(caller, OpsClient.Door.COMMAND), question);
        entry.browser(browser);
        try {
            ObjectNode answer = ask(caller, browser, question, payload);
            entry.done(answer);
            return answer;
        } catch (TandemException e) {
            entry.failed(e);
            throw e;
        }
    }

    /** Asks a question that may wait for the person. */
    public ObjectNode ask(
            Caller caller, Browser browser, String question, ObjectNode payload, int timeoutMs) {
        OpsClient client = OpsClient.inHub(caller, OpsClient.Door.COMMAND);
        String requestId = "d" + ids.incrementAndGet();
        ObjectNode request = Json.object().put("type", "ops_request").put("requestId", requestId);
        request.put("command", "debug." + question).put("timeoutMs", timeoutMs);
        request.set("payload", payload);
        if (!browser.await(Limits.EXTENSION_HOLD_MS)) {
            throw Browser.disconnected(false);
        }
        try {
            return browser.request(client, request, timeoutMs).get();
        } catch (ExecutionException | CancellationException e) {
            throw Dispatch.unwrap(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            browser.cancelCall(client, requestId);
            throw Dispatch.unwrap(e);
        }
    }

    /** A picture of the tab in front, kept among the artifacts. */
    public ToolResult screenshot(Caller caller, Optional<String> name) throws IOException {
        OpsClient client = OpsClient.inHub(caller, OpsClient.Door.COMMAND);
        Audit.Entry entry = audit.begin(client, screenshot, Json.object());
        try {
            Browser browser = browser(caller, name);
            entry.browser(browser);
            ObjectNode answer = ask(caller, browser, "screenshot", Json.object());
            String mime = answer.path("mime").asString("image/png");
            String base64 = answer.path("base64").asString("");
            Path file =
                    artifacts.writeNew(
                            Artifacts.Shelf.ofUser(FOLDER),
                            "screenshot",
                            "capture.png",
                            Base64.getDecoder().decode(base64));
            ObjectNode data = Json.object().put("path", file.toString());
            for (String field : new String[] {"width", "height", "warning", "url", "title"}) {
                if (answer.has(field)) {
                    data.set(field, answer.get(field));
                }
            }
            entry.done(data);
            return new ToolResult(
                    screenshot, data, Optional.of(new ToolResult.Picture(mime, base64)));
        } catch (TandemException e) {
            entry.failed(e);
            throw e.of(screenshot);
        }
    }
}
