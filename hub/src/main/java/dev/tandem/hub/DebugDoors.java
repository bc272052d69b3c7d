package dev.tandem.hub;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.browser.RelayStatus;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.debug.Activity;
import dev.tandem.hub.debug.ActivityEndpoint;
import dev.tandem.hub.debug.CookiePickerEndpoint;
import dev.tandem.hub.debug.InjectScanEndpoint;
import dev.tandem.hub.debug.InspectorEndpoint;
import dev.tandem.hub.debug.MemoryEndpoint;
import dev.tandem.hub.debug.PickerSessions;
import dev.tandem.hub.debug.RefsEndpoint;
import dev.tandem.hub.debug.ViewTokens;
import dev.tandem.hub.web.WebServer;
import java.time.Clock;
import java.util.function.Predicate;

/** Opens what stands behind the panel's debug switch, with the two kinds of token of its own. */
record DebugDoors(
        Authenticator authenticator,
        ExtensionTokens extensionTokens,
        ClientTokens clientTokens,
        Clock clock,
        WebServer web) {
    void open(
            Activity activity,
            FrontTab front,
            Browsers browsers,
            ToolRunner tools,
            RelayStatus relay) {
        ViewTokens views = new ViewTokens(new Logins(extensionTokens, clientTokens), clock);
        authenticator.with(views::caller);
        // A view token ends with the login that made it, and so does what it opened.
        Predicate<Caller> blind =
                caller -> caller.kind() == TokenKind.VIEW && views.caller(caller.id()).isEmpty();
        extensionTokens.onRevoked(id -> web.dismiss(blind, "Pairing ended"));
        clientTokens.onRevoked(id -> web.dismiss(blind, "Token revoked"));
        new ActivityEndpoint(activity, views, web);
        new RefsEndpoint(front, tools, web);
        new InjectScanEndpoint(web);
        new MemoryEndpoint(relay, web);
        InspectorEndpoint inspector = new InspectorEndpoint(front, views, clock, web);
        browsers.onInspectorEdits(inspector::edited);
        PickerSessions pickers = new PickerSessions(clock);
        authenticator.with(pickers::caller);
        new CookiePickerEndpoint(pickers, front, browsers, web);
    }
}
