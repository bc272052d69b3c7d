package dev.tandem.hub;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.HubToken;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.auth.PairingCodes;
import dev.tandem.hub.terminal.TerminalTokens;
import java.io.IOException;

/** Everything that opens a door of the hub, and who holds it. */
record Keys(
        HubToken hub,
        ExtensionTokens extensions,
        ClientTokens clients,
        TerminalTokens terminals,
        Authenticator authenticator,
        Origins origins,
        PairedBrowsers paired,
        PairingCodes codes) {

    static Keys of(Ground ground) throws IOException {
        HubToken hub = new HubToken();
        ExtensionTokens extensions = new ExtensionTokens(ground.database(), ground.clock());
        ClientTokens clients = new ClientTokens(ground.database(), ground.clock());
        TerminalTokens terminals =
                new TerminalTokens(
                        ground.state().secret("terminal.key"),
                        ground.terminalAgent(),
                        ground.clock());
        return new Keys(
                hub,
                extensions,
                clients,
                terminals,
                new Authenticator()
                        .with(hub::caller)
                        .with(extensions::caller)
                        .with(clients::caller)
                        .with(terminals::caller),
                new Origins(ground.database(), Version.extensionId()),
                new PairedBrowsers(ground.database(), ground.clock()),
                new PairingCodes(ground.clock()));
    }
}
