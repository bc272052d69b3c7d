package dev.tandem.terminal;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.internal.HttpConnection;

/** Keeps few connections that have not become a terminal: a new one pushes the oldest out. */
final class Unproven implements Connection.Listener {
    private static final int MOST = 32;

    private final Set<Connection> open = new LinkedHashSet<>();

    @Override
    public void onOpened(Connection connection) {
        Connection oldest = null;
        synchronized (open) {
            if (connection instanceof HttpConnection) {
                open.add(connection);
            }
            if (open.size() > MOST) {
                Iterator<Connection> all = open.iterator();
                oldest = all.next();
                all.remove();
            }
        }
        if (oldest != null) {
            oldest.close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        synchronized (open) {
            open.remove(connection);
        }
    }
}
