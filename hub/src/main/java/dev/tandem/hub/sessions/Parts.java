package dev.tandem.hub.sessions;

import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.PermissionDesk;
import java.time.Clock;

/** What all live sessions of one engine share. */
record Parts(
        SessionStore store,
        SessionLog log,
        MessageQueue queue,
        Unfinished unfinished,
        PermissionDesk desk,
        Asks.Places places,
        Workplaces workplaces,
        SessionTokens tokens,
        LocalTools localTools,
        Slots slots,
        AgentPool pool,
        AgentAccounts accounts,
        EngineSettings settings,
        Clock clock) {}
