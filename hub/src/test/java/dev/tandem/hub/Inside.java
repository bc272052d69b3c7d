package dev.tandem.hub;

import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.browser.Patience;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import java.io.IOException;
import java.time.Duration;

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

    /** A hub whose heartbeats come that often. */
    public static App start(Options options, Duration beatEvery) throws IOException {
        return App.start(options, new Timings(beatEvery, AgentTimings.defaults()), _ -> {});
    }

    /** A hub that waits that long for browsers. */
    public static App start(Options options, Patience patience) throws IOException {
        return App.start(options, Timings.standard().with(patience), _ -> {});
    }

    public static void revoke(App app, String token) {
        app.clientTokens().revoke(token);
    }
}
