package dev.tandem.hub.cli;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.HubToken;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.auth.PairingCodes;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * What command lines work with.
 *
 * @param refused takes note of agents that tried what only the user may do
 */
public record HubServices(
        Tools tools,
        SessionServices sessions,
        ClientTokens tokens,
        Origins origins,
        PairingCodes codes,
        HubToken hubToken,
        Supplier<String> url,
        Path extension,
        Path state,
        Records records,
        BiConsumer<Caller, String> refused) {}
