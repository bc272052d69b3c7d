package dev.tandem.hub;

import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionGate;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.permission.RuleSeal;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import java.io.IOException;
import java.time.Duration;

/** What is known of sessions before any of them runs, and what they and others may do. */
record Books(SessionLog log, SessionStore sessions, PermissionDesk desk, PermissionGate gate) {

    static Books of(Ground ground) throws IOException {
        SessionLog log = new SessionLog(ground.database(), ground.clock());
        SessionStore sessions = new SessionStore(ground.database(), log, ground.clock());
        PermissionDesk desk =
                new PermissionDesk(
                        new PermissionRules(
                                ground.database(),
                                ground.clock(),
                                RuleSeal.in(ground.state().path())),
                        ground.database(),
                        ground.clock(),
                        PermissionDesk.CARD_LIFE);
        PermissionGate gate =
                new PermissionGate(
                        desk,
                        id -> sessions.session(id).map(Session::asker),
                        Duration.ofMillis(
                                Long.getLong(
                                        "tandem.patienceMs",
                                        PermissionGate.MCP_PATIENCE.toMillis())));
        return new Books(log, sessions, desk, gate);
    }
}
