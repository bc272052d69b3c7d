package dev.tandem.hub;

import dev.tandem.hub.auth.Pairings;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Artifacts;
import dev.tandem.hub.browser.Audit;
import dev.tandem.hub.browser.BrowserEndpoint;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.CaptureTools;
import dev.tandem.hub.browser.DebuggedBrowsers;
import dev.tandem.hub.browser.ExtensionFolder;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.browser.LocalFiles;
import dev.tandem.hub.browser.ManagedBrowsers;
import dev.tandem.hub.browser.OpsSessions;
import dev.tandem.hub.browser.Pairing;
import dev.tandem.hub.browser.RelayStatus;
import dev.tandem.hub.browser.SessionTools;
import dev.tandem.hub.browser.StepsTool;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.debug.Activity;
import dev.tandem.hub.debug.Commands;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.hub.ops.CommandEndpoint;
import dev.tandem.hub.ops.OpsEndpoint;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Browsers, wired: those that connect, those that the hub starts, the tools that work in them, and
 * the doors to both. Whoever made it ends its parts.
 */
final class BrowserSide {
    private final Ground ground;
    private final Browsers browsers;
    private final ManagedBrowsers managed;
    private final RelayStatus relay;
    private final ToolRunner tools;
    private final Artifacts artifacts;
    private final Audit audit;
    private final Activity activity;

    /**
     * @param stop is run when somebody asks the hub to end
     */
    BrowserSide(Ground ground, Keys keys, Books books, WebServer web, Runnable stop)
            throws IOException {
        this.ground = ground;
        OpsSessions opsSessions = new OpsSessions();
        browsers = new Browsers(opsSessions, ground.clock(), ground.timings().browsers());
        browsers.pairedWith(keys.extensions()::browsers);
        audit = new Audit(ground.database(), ground.clock());
        relay = new RelayStatus(browsers, opsSessions, ground.identity(), web::port);
        web.onExtensionRefused((why, origin, token) ->
                relay.refused(why, origin, token.flatMap(keys.extensions()::browserOf)));
        LocalFiles files =
                new LocalFiles(
                        ForbiddenPlaces.of(
                                ground.settings().home(),
                                ground.state().path(),
                                List.of(ground.installedExtension())),
                        List.of(ground.state().path()));
        tools = new ToolRunner(browsers, opsSessions, books.gate(), files, audit, web::port);
        keys.clients().onRevoked(new Revocation(books.desk(), tools, web)::of);
        keys.extensions().onRevoked(id -> web.dismiss(Revocation.paired(id), "Pairing ended"));
        keys.clients().onNarrowed(id -> web.dismiss(TokenKind.CLIENT, id, "Token changed"));

        Path extension = ground.extension();
        Pairing pairing = new Pairing(keys.extensions(), keys.paired(), web::port);
        managed =
                new ManagedBrowsers(
                        new ManagedBrowsers.Settings(
                                ground.state().folder("profiles"),
                                ground.state().file("logs/browser.log"),
                                extension,
                                Version.extensionId(),
                                ground.options().headless(),
                                System.getenv()),
                        browsers,
                        pairing,
                        ground.say());
        new SessionTools(
                tools,
                browsers,
                opsSessions,
                managed,
                new DebuggedBrowsers(browsers, pairing, extension, Version.extensionId()),
                relay,
                new SessionTools.Facts(ground.identity().version(), extension.toString()));
        new StepsTool(tools);
        artifacts = new Artifacts(ground.state().folder("artifacts"), ground.clock());
        Thread.startVirtualThread(artifacts::sweep);
        new CaptureTools(tools, artifacts);
        activity = new Activity(ground.clock());
        audit.watchedBy(activity);
        openDoors(keys, web, stop);
    }

    private void openDoors(Keys keys, WebServer web, Runnable stop) {
        new BrowserEndpoint(
                browsers,
                keys.extensions(),
                ground.identity(),
                relay,
                web,
                BrowserEndpoint.Heartbeat.every(ground.timings().beatEvery()));
        new OpsEndpoint(tools, browsers, keys.authenticator(), ground.clock(), web);
        FrontTab front = new FrontTab(browsers, keys.extensions(), audit, artifacts);
        new DebugDoors(keys.authenticator(), keys.extensions(), keys.clients(), ground.clock(), web)
                .open(activity, front, browsers, tools, relay);
        Commands commands = new Commands(tools, front, web);
        new CommandEndpoint(
                tools,
                commands::one,
                relay,
                ground.identity(),
                new Pairings(keys.paired(), keys.extensions(), Browsers::prepares),
                this::parts,
                stop,
                web);
    }

    /** What /status says beside links and browsers. */
    private ObjectNode parts() {
        ObjectNode parts = Json.object();
        parts.set("terminal", ground.terminalAgent().facts());
        managed.failure().ifPresent(failure -> parts.set("launchFailed", failure));
        return parts;
    }

    /** Puts the extension where browsers load it, and starts the browser that was asked for. */
    void start() {
        try {
            ExtensionFolder.sync(ground.installedExtension(), ground.extension());
        } catch (IOException e) {
            ground.say().accept(String.valueOf(e.getMessage()));
            return;
        }
        if (ground.options().browser() == Options.BrowserChoice.MANAGED) {
            managed.startStandard();
        }
    }

    Browsers browsers() {
        return browsers;
    }

    ManagedBrowsers managed() {
        return managed;
    }

    RelayStatus relay() {
        return relay;
    }

    ToolRunner tools() {
        return tools;
    }

    Artifacts artifacts() {
        return artifacts;
    }

    Audit audit() {
        return audit;
    }

    Activity activity() {
        return activity;
    }
}
