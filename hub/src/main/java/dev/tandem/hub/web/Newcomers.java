package dev.tandem.hub.web;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;

/** Ends connections that open and then do not ask for anything; any thread may call it. */
final class Newcomers implements Connection.Listener {
    private static final String ASKED = "dev.tandem.asked";

    private final ServerConnector connector;
    private final Duration patience;

    Newcomers(ServerConnector connector, Duration patience) {
        this.connector = connector;
        this.patience = patience;
    }

    /** A whole request came: this connection is known from now on. */
    static void asked(Request request) {
        request.getConnectionMetaData().setAttribute(ASKED, true);
    }

    @Override
    public void onOpened(Connection connection) {
        // A byte now and then would keep the idle time away, so it is counted from the opening.
        if (connection instanceof ConnectionMetaData facts) {
            connector
                    .getScheduler()
                    .schedule(
                            () -> {
                                if (facts.getAttribute(ASKED) == null) {
                                    connection.getEndPoint().close();
                                }
                            },
                            patience.toMillis(),
                            TimeUnit.MILLISECONDS);
        }
    }
}
