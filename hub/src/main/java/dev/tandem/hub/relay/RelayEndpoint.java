package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.ClientBrowsers;
import dev.tandem.hub.files.DirectoryWatch;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Limits;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** The door {@code /ws}. */
public final class RelayEndpoint {
    private static final Set<TokenKind> WELCOME =
            EnumSet.of(TokenKind.HUB, TokenKind.EXTENSION, TokenKind.DEVICE);
    static final int UNAUTHORIZED = 4001;
    static final String WRONG_TOKEN = "Unauthorized: Invalid token";

    private final Parts parts;
    private final RowNews rows;
    private final Unproven unproven;
    private final Duration untilProof;

    /**
     * What stands behind the door.
     *
     * @param browsers how many browsers are connected
     */
    public record Parts(
            SessionEngine engine,
            SessionStore store,
            SessionLog log,
            PermissionDesk desk,
            AgentCatalogue agents,
            Authenticator authenticator,
            ClientBrowsers clientBrowsers,
            DirectoryWatch files,
            IntSupplier browsers,
            String version) {}

    /**
     * @param untilProof how long a socket may stay that has not said who it is
     */
    public RelayEndpoint(Parts parts, Duration untilProof, WebServer web) {
        this.parts = parts;
        this.untilProof = untilProof;
        this.rows = new RowNews(parts);
        this.unproven = new Unproven(web::wrongToken);
        web.socket("ws", this::open);
    }

    private SocketHandler.Listener open(Socket socket) {
        RelayClient client = new RelayClient(parts, rows, unproven, socket);
        Optional<String> token = socket.upgrade().token();
        if (token.isPresent()) {
            if (!client.prove(token.get())) {
                socket.close(UNAUTHORIZED, WRONG_TOKEN);
            }
        } else {
            socket.takeAtMost(Limits.UNPROVEN_BYTES);
            unproven.add(client);
            var _ =
                    CompletableFuture.runAsync(
                            client::leaveUnproven,
                            CompletableFuture.delayedExecutor(
                                    untilProof.toMillis(), TimeUnit.MILLISECONDS));
        }
        return client;
    }

    static boolean welcome(TokenKind kind) {
        return WELCOME.contains(kind);
    }
}
