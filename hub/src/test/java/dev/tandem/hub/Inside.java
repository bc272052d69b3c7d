package dev.tandem.hub;

import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;

/** What tests of other packages need to see of a running hub. */
public final class Inside {
    private Inside() {}

    public static SessionEngine engine(App app) {
        return app.engine();
    }

    public static SessionLog log(App app) {
        return app.sessionLog();
    }

    public static PermissionDesk desk(App app) {
        return app.desk();
    }

    public static void revoke(App app, String token) {
        app.clientTokens().revoke(token);
    }
}
