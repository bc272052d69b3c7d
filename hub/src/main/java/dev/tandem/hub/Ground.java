package dev.tandem.hub;

import dev.tandem.hub.auth.HubToken;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.terminal.AgentCommand;
import dev.tandem.hub.terminal.TerminalAgent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/**
 * What everything in the hub stands on: what was asked for, the state dir and the claim on it, the
 * terminal agent and the store. Taken first and given back last.
 *
 * @param say receives sentences a person should read
 */
record Ground(
        Options options,
        Timings timings,
        Consumer<String> say,
        Clock clock,
        UserSettings settings,
        StateDir state,
        Instance instance,
        TerminalAgent terminalAgent,
        Database database,
        Identity identity)
        implements AutoCloseable {

    static Ground take(Options options, Timings timings, Consumer<String> say) throws IOException {
        Clock clock = Clock.systemUTC();
        // Before anything is begun, as a wrong one ends the start.
        UserSettings settings = UserSettings.in(Path.of(System.getProperty("user.home")));
        StateDir state = StateDir.open(options.stateDir());
        Instance instance = Instance.claim(state);
        state.folder("logs");
        Logs.to(state.privateFile("logs/hub.log"));
        TerminalAgent terminalAgent =
                new TerminalAgent(
                        state.path(),
                        "chrome-extension://" + Version.extensionId(),
                        AgentCommand.installed());
        terminalAgent.start();
        Database database;
        try {
            database = new StoreFile(state, options.store(), clock).open(say);
        } catch (IOException e) {
            terminalAgent.close();
            instance.close();
            throw e;
        }
        return new Ground(
                options,
                timings,
                say,
                clock,
                settings,
                state,
                instance,
                terminalAgent,
                database,
                Identity.fresh(Version.current(), clock));
    }

    /** The launcher, as other programs start it. */
    String program() {
        return options.home().resolve("tandem").toString();
    }

    /** The extension as it was installed; no agent reaches it. */
    Path installedExtension() {
        return options.home().resolve("extension");
    }

    /** The copy of it that browsers load, in a folder that stays as it is. */
    Path extension() {
        return state.path().resolve("extension");
    }

    /** From now on this person's programs find the hub. */
    void announce(int port, HubToken token) throws IOException {
        new BrowseFile(state).write(options, port, token, identity);
    }

    /** Gives back what was taken by a start that failed: nobody has heard of it. */
    void giveUp() throws IOException {
        terminalAgent.close();
        database.close();
        instance.close();
    }

    /** The terminal agent is closed with those that use it. */
    @Override
    public void close() throws IOException {
        database.close();
        new BrowseFile(state).delete();
        instance.close();
    }
}
