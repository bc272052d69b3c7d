package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** The product's web server and MCP endpoint with other tools; every other route is empty. */
final class FixtureServer implements AutoCloseable {
    static final String TOKEN = "fixture-token-of-the-suite";

    static final String USERS = "fixture-token-of-the-user";

    private final Database database;
    private final WebServer web;

    FixtureServer(Path folder, McpTools tools, Clock clock) throws IOException {
        database = Database.open("", folder.resolve("fixture.db"));
        Caller caller =
                new Caller(
                        TokenKind.CLIENT,
                        "suite",
                        "suite",
                        "all",
                        Caller.Mode.ACT,
                        Optional.empty());
        Authenticator authenticator =
                new Authenticator()
                        .with(token -> Optional.of(caller).filter(known -> token.equals(TOKEN)))
                        .with(token ->
                                Optional.of(Caller.USER).filter(known -> token.equals(USERS)));
        web = new WebServer(authenticator, new Origins(database, "extension"), clock);
        for (Route route : Routes.all()) {
            if (route.kind() == Route.Kind.WS) {
                web.socket(route.id(), socket -> new Silent());
            } else {
                web.http(route.id(), exchange -> exchange.respond(404));
            }
        }
        new McpEndpoint(tools, new McpSessions(Secrets.hex(32), database), "1.0.0", clock)
                .at(web, "mcp", "mcp-session");
        web.start(0);
    }

    private static final class Silent implements SocketHandler.Listener {
        @Override
        public void onText(String text) {}

        @Override
        public void onClose(int code, String reason) {}
    }

    int port() {
        return web.port();
    }

    @Override
    public void close() throws IOException {
        web.stop();
        database.close();
    }
}
