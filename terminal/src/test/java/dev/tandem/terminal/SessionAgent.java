package dev.tandem.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** An agent whose claude prints what it was given, then runs every line it reads. */
final class SessionAgent implements AutoCloseable {
    static final String START = "{\"type\":\"start\"}";

    private static final String CLAUDE =
            "trap 'echo int >> \"$HOME/int-$TANDEM_TERMINAL_ID\"; exit 130' INT;"
                    + " touch \"$HOME/started-$TANDEM_TERMINAL_ID\"; printf '[%s]' \"$@\"; echo;"
                    + " echo ready $$;"
                    + " while read -r line; do eval \"$line\"; done";

    private final AgentProcess agent;

    SessionAgent(Path dir) throws IOException {
        agent =
                new AgentProcess(
                        dir,
                        CLAUDE,
                        Map.of("GSTACK_PTY_DETACH_WINDOW_MS", "1500", "TANDEM_SECRET", "x"));
        Path config = Files.createDirectories(dir.resolve(".config/tandem"));
        Files.writeString(
                config.resolve("config.json"),
                "{\"terminal\":{\"commands\":{\"mine\":[\"/bin/echo\",\"my own\"]}}}");
    }

    AgentProcess agent() {
        return agent;
    }

    static String session() {
        return Secrets.make(16);
    }

    Client open(String session, Map<String, Object> fields) throws Exception {
        return Client.started(agent, agent.grant(session, fields), START);
    }

    static long pidOf(Client client) {
        return client.message("hello").path("pid").asLong();
    }

    static boolean lives(long pid) {
        return ProcessTree.entry((int) pid).isPresent();
    }

    @Override
    public void close() {
        agent.close();
    }
}
