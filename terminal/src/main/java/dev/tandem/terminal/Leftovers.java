package dev.tandem.terminal;

import java.nio.file.Files;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The agent's record in the state directory, and what a killed predecessor left running. */
final class Leftovers {
    private static final String RECORD = "terminal-agent-pid";
    private static final List<String> FILES =
            List.of("terminal-port", "terminal-internal-token", RECORD);

    private Leftovers() {}

    static void announce(StateFiles state, InternalEndpoint.Identity identity, int port) {
        // By hand: the JSON library is not loaded yet, and whoever waits for the port would wait.
        state.write(
                RECORD,
                "{\"pid\":%d,\"gen\":\"%s\",\"startedAt\":%d}"
                        .formatted(
                                ProcessHandle.current().pid(),
                                identity.generation(),
                                System.currentTimeMillis()));
        state.write("terminal-internal-token", identity.internalToken());
        // Last: who sees the port may use everything else.
        state.write("terminal-port", Integer.toString(port));
    }

    static void withdraw(StateFiles state, InternalEndpoint.Identity identity) {
        if (state.readJson(RECORD).path("gen").asString("").equals(identity.generation())) {
            FILES.forEach(state::remove);
        }
    }

    /** Kills programs of an agent that died without ending them, known by its generation. */
    static void sweep(StateFiles state) {
        if (!Files.exists(state.path(RECORD))) {
            return;
        }
        ObjectNode record = state.readJson(RECORD);
        String generation = record.path("gen").asString("");
        if (generation.isEmpty()) {
            return;
        }
        for (ProcessTree.Entry entry :
                ProcessTree.startedWith(ProgramEnvironment.GENERATION, generation)) {
            Log.info("ending process " + entry.pid() + " of an earlier terminal agent");
            entry.kill();
        }
    }
}
