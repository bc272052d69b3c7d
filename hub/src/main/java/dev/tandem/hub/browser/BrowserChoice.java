package dev.tandem.hub.browser;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which browser a call without a session goes to, by the flags of {@code launch}. What was asked
 * for is taken or refused: nothing else is taken instead.
 */
final class BrowserChoice {
    private static final String NO_HEADLESS =
            "Extension mode does not support headless launches. Use --no-extension --headless for"
                    + " managed mode.";
    private static final List<String> MANAGED_ONLY =
            List.of("profile", "chromePath", "flags", "persistProfile");

    private final Browsers browsers;
    private final ManagedBrowsers managed;
    private final RelayStatus relay;
    private final Tool launch = Catalogue.load().byName("launch").orElseThrow();

    BrowserChoice(Browsers browsers, ManagedBrowsers managed, RelayStatus relay) {
        this.browsers = browsers;
        this.managed = managed;
        this.relay = relay;
    }

    Browser of(ObjectNode arguments) {
        refuseContradictions(arguments);
        return flag(arguments, "noExtension") ? own(arguments) : users(arguments);
    }

    private void refuseContradictions(ObjectNode arguments) {
        boolean noExtension = flag(arguments, "noExtension");
        if (flag(arguments, "extensionOnly") && noExtension) {
            throw usage("--extension-only and --no-extension exclude each other.");
        }
        if (flag(arguments, "extensionLegacy") && noExtension) {
            throw usage("--extension-legacy and --no-extension exclude each other.");
        }
        if (Places.namesTab(arguments) && noExtension) {
            // Nothing is started to find out what a tab shows that somebody asks for.
            throw usage(
                    "A tab is taken where it is: name its browser by --browser instead of"
                            + " --no-extension.");
        }
        if (flag(arguments, "headless") && !noExtension) {
            throw new TandemException(ErrorCode.UNSUPPORTED_MODE, NO_HEADLESS);
        }
        for (String name : MANAGED_ONLY) {
            if (!noExtension && arguments.has(name)) {
                throw usage("--" + launch.arguments().flag(name) + " needs --no-extension.");
            }
        }
        refuseLegacy(arguments);
    }

    static void refuseLegacy(ObjectNode arguments) {
        if (flag(arguments, "extensionLegacy")) {
            throw new TandemException(
                    ErrorCode.NOT_SUPPORTED,
                    "The legacy path is for programs that speak CDP by themselves: tandem stop,"
                            + " then tandem up --extension-legacy, and connect them to /cdp.",
                    "mode");
        }
    }

    private Browser own(ObjectNode arguments) {
        boolean headless = flag(arguments, "headless");
        return managed.open(
                new ManagedBrowsers.Wanted(
                        Json.text(arguments, "profile").orElse("default"),
                        headless ? Optional.of(true) : Optional.empty(),
                        Json.text(arguments, "chromePath"),
                        Json.texts(arguments, "flags"),
                        arguments.has("persistProfile")
                                ? Optional.of(flag(arguments, "persistProfile"))
                                : Optional.empty()));
    }

    private Browser users(ObjectNode arguments) {
        Optional<String> name = Json.text(arguments, "browser");
        boolean waits = flag(arguments, "waitForExtension");
        // Who waits for the extension does not mean the hub's own browser, unless they name it.
        boolean own = flag(arguments, "extensionOnly") || (waits && name.isEmpty());
        if (waits) {
            browsers.awaitOne(name, own, arguments.path("waitTimeoutMs").asInt(30_000));
        }
        long hold = waits ? 0 : browsers.patience().hold().toMillis();
        return own ? browsers.chooseOwn(name, hold) : browsers.choose(name, hold);
    }

    /** What a launch says that found no browser: why, and every way on. */
    TandemException notConnected() {
        ObjectNode status = relay.full();
        String text =
                relay.trouble()
                        + ". Diagnostics: relayPort="
                        + status.path("port").asInt()
                        + " instance="
                        + status.path("instanceId").asString("")
                        + " ext="
                        + status.path("extensionConnected").asBoolean()
                        + " handshake="
                        + status.path("extensionHandshakeComplete").asBoolean()
                        + " ops="
                        + status.path("opsConnected").asBoolean()
                        + " cdp="
                        + status.path("cdpConnected").asBoolean()
                        + ". Ways on: open the browser with the Tandem extension"
                        + " (tandem connect chrome); a managed browser (launch --no-extension);"
                        + " without a window (launch --no-extension --headless); programs that"
                        + " speak CDP: tandem stop, then tandem up --extension-legacy; connect"
                        + " --cdp-port 9222 or connect --ws-endpoint ws://… for a browser with a"
                        + " debugging port.";
        ErrorCode code =
                relay.tokenRefused()
                        ? ErrorCode.EXTENSION_CONNECT_FAILED
                        : ErrorCode.EXTENSION_NOT_CONNECTED;
        return new TandemException(code, text).with("diagnostics", status.path("health"));
    }

    private static boolean flag(ObjectNode arguments, String name) {
        return Json.flag(arguments, name, false);
    }

    private static TandemException usage(String text) {
        return new TandemException(ErrorCode.USAGE, text);
    }
}
