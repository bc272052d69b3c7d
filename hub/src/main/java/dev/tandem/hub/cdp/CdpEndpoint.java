package dev.tandem.hub.cdp;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.web.BrowserLink;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** /cdp and what clients read before they come: one program at a time, over one browser. */
public final class CdpEndpoint {
    private static final String TAKEN = "Only one CDP client supported";
    private static final Pattern BROWSER = Pattern.compile("(?:^|&)browser=([^&]*)");

    private final CdpRelay relay;
    private final WebServer web;

    public CdpEndpoint(CdpRelay relay, ExtensionTokens tokens, Identity identity, WebServer web) {
        this.relay = relay;
        this.web = web;
        BrowserLink.Door door =
                new BrowserLink.Door(
                        tokens,
                        () ->
                                BrowserLink.Door.greeting(
                                        identity.instanceId(), identity.epoch(), web.port()),
                        Executors.newSingleThreadScheduledExecutor(
                                Thread.ofPlatform().daemon().name("cdp").factory()));
        web.socket("browser-cdp", socket -> new BrowserLink(socket, door, relay));
        web.socket("cdp", this::open);
        web.http("cdp-json", this::describe);
    }

    private SocketHandler.Listener open(Socket socket) {
        String wanted = wanted(socket.upgrade().query());
        Optional<String> browser = relay.choose(wanted);
        CdpClient client = new CdpClient(relay, socket, browser.orElse(""));
        if (browser.isEmpty()) {
            socket.close(
                    1011,
                    wanted.isEmpty()
                            ? "Extension disconnected."
                            : "No browser of that name is connected.");
        } else if (!relay.enter(client)) {
            socket.close(1008, TAKEN);
        }
        return client;
    }

    private void describe(Exchange exchange) throws IOException {
        switch (exchange.parameter("*")) {
            case "version", "version/" ->
                    exchange.respond(200, version(exchange.query("browser").orElse("")));
            case "list", "list/" -> exchange.respond(200, Json.array());
            default -> throw TandemException.of(ErrorCode.NOT_FOUND);
        }
    }

    private ObjectNode version(String wanted) {
        String browser =
                relay.choose(wanted).map(relay::nameOf).orElseThrow(() -> notThere(wanted));
        String named =
                wanted.isEmpty()
                        ? ""
                        : "?browser=" + URLEncoder.encode(wanted, StandardCharsets.UTF_8);
        return Json.object()
                .put("Browser", browser)
                .put("Protocol-Version", "1.3")
                .put("webSocketDebuggerUrl", "ws://127.0.0.1:" + web.port() + "/cdp" + named);
    }

    private TandemException notThere(String wanted) {
        List<String> names = relay.names();
        return wanted.isEmpty() || names.isEmpty()
                ? TandemException.of(ErrorCode.EXTENSION_NOT_CONNECTED)
                : new TandemException(
                        ErrorCode.EXTENSION_NOT_CONNECTED,
                        "There is no browser named \""
                                + wanted
                                + "\". Connected: "
                                + String.join(", ", names)
                                + ".");
    }

    private static String wanted(String query) {
        Matcher matcher = BROWSER.matcher(query);
        return matcher.find() ? URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8) : "";
    }
}
