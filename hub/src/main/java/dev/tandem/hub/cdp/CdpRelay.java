package dev.tandem.hub.cdp;

import dev.tandem.hub.browser.Audit;
import dev.tandem.hub.web.BrowserLink;
import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The browsers that offer the legacy door, and the one program on it. Any thread may call it. */
public final class CdpRelay implements BrowserLink.Channel {
    private static final ObjectNode CLIENT_CLOSED =
            Json.object().put("type", "cdp_control").put("action", "client_closed");

    /** By browser, the one that came last at the end. */
    private final Map<String, Socket> browsers = new LinkedHashMap<>();

    private final UnaryOperator<String> nameOf;
    private final ToLongFunction<String> focusedAt;
    private final Audit audit;
    private @Nullable CdpClient client;

    /**
     * @param nameOf what a browser is called, by its id
     * @param focusedAt when the user last turned to it
     */
    public CdpRelay(UnaryOperator<String> nameOf, ToLongFunction<String> focusedAt, Audit audit) {
        this.nameOf = nameOf;
        this.focusedAt = focusedAt;
        this.audit = audit;
    }

    public synchronized boolean clientConnected() {
        return client != null;
    }

    /**
     * The browser asked for by name or id, else the one that the user turned to last; of those that
     * nobody turned to, the last that came.
     */
    synchronized Optional<String> choose(String wanted) {
        return browsers.keySet().stream()
                .filter(id ->
                        wanted.isEmpty()
                                || id.equals(wanted)
                                || nameOf.apply(id).equalsIgnoreCase(wanted))
                .reduce((one, next) ->
                        focusedAt.applyAsLong(next) < focusedAt.applyAsLong(one) ? one : next);
    }

    /** What the browsers that offer this door are called. */
    synchronized List<String> names() {
        return browsers.keySet().stream().map(nameOf).sorted().toList();
    }

    String nameOf(String browserId) {
        return nameOf.apply(browserId);
    }

    /** False when another program has the door. */
    synchronized boolean enter(CdpClient newcomer) {
        if (client != null) {
            return false;
        }
        client = newcomer;
        return true;
    }

    synchronized void leave(CdpClient leaver) {
        if (client == leaver) {
            client = null;
            say(leaver.browserId(), CLIENT_CLOSED);
        }
    }

    /** Whoever does not have the door may still have sent something when it was shut. */
    synchronized void forward(CdpClient from, ObjectNode command) {
        if (client == from) {
            say(from.browserId(), command);
        }
    }

    private void say(String browserId, ObjectNode message) {
        Socket socket = browsers.get(browserId);
        if (socket != null) {
            socket.send(Json.write(message));
        }
    }

    @Override
    public synchronized void opened(String browserId, Socket socket, Runnable greet) {
        Socket old = browsers.remove(browserId);
        browsers.put(browserId, socket);
        greet.run();
        if (old != null) {
            old.close(1000, "Replaced by a new extension client");
        }
        // A worker that comes again has forgotten what the program had attached to.
        drop(browserId);
    }

    @Override
    public synchronized void closed(String browserId, Socket socket) {
        if (browsers.remove(browserId, socket)) {
            drop(browserId);
        }
    }

    private void drop(String browserId) {
        CdpClient current = client;
        if (current != null && current.browserId().equals(browserId)) {
            client = null;
            current.lost();
        }
    }

    @Override
    public void heard(String browserId, ObjectNode message, String text) {
        CdpClient current;
        synchronized (this) {
            current = client;
        }
        if (current == null || !current.browserId().equals(browserId)) {
            return;
        }
        if (message.path("id").isNumber()) {
            current.answered(message);
        } else if (message.path("method").asString("").equals("forwardCDPEvent")
                && message.path("params") instanceof ObjectNode event) {
            note(current, event);
            current.event(event);
        }
    }

    /** One row for every page a program gets hold of. */
    private void note(CdpClient current, JsonNode event) {
        JsonNode info = event.path("params").path("targetInfo");
        if (event.path("method").asString("").equals("Target.attachedToTarget")
                && info.path("type").asString("").equals("page")) {
            audit.cdp(
                    current.caller(),
                    nameOf(current.browserId()),
                    "Target.attachToTarget",
                    info.path("url").asString(""),
                    "ok");
        }
    }

    void refused(CdpClient current, String method, String code) {
        audit.cdp(current.caller(), nameOf(current.browserId()), method, "", code);
    }
}
