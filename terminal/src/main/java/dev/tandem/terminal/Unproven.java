package dev.tandem.terminal;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Keeps few connections that have not become a terminal: a new one pushes the oldest out.
 * Thread-safe.
 */
final class Unproven {
    private static final int MOST = 32;

    private final Set<Connection> open = new LinkedHashSet<>();

    void add(Connection connection) {
        Connection oldest = null;
        synchronized (open) {
            open.add(connection);
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

    void remove(Connection connection) {
        synchronized (open) {
            open.remove(connection);
        }
    }
}
