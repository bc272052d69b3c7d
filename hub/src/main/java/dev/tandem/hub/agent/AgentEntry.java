package dev.tandem.hub.agent;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One agent program that the hub can start.
 *
 * @param offers what the hub offers to this agent; some cannot live with all of it
 * @param sharedProcess one process may serve several sessions; only the user says so, since what
 *     descends from it is then no single session's (SEC-1)
 * @param cwd where its program starts; empty for the folder of the session, which what the agent
 *     may touch depends on in any case
 */
public record AgentEntry(
        String agentId,
        String name,
        List<String> argv,
        Map<String, String> env,
        Offers offers,
        boolean sharedProcess,
        Path cwd) {
    private static final Path OF_SESSION = Path.of("");

    public AgentEntry {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
    }

    public AgentEntry(
            String agentId,
            String name,
            List<String> argv,
            Map<String, String> env,
            Offers offers,
            boolean sharedProcess) {
        this(agentId, name, argv, env, offers, sharedProcess, OF_SESSION);
    }

    AgentEntry startingIn(Path folder) {
        return new AgentEntry(agentId, name, argv, env, offers, sharedProcess, folder);
    }

    /** Client capabilities that may be switched off for one agent. */
    public record Offers(boolean fs, boolean terminal, boolean elicitation) {
        public static Offers all() {
            return new Offers(true, true, true);
        }
    }

    /** A start of this agent for work in that directory, its descendants known as the owner's. */
    public Launch launch(String owner, Path work, Map<String, String> extra) {
        Map<String, String> all = new HashMap<>(env);
        all.putAll(extra);
        return new Launch(owner, argv, cwd.equals(OF_SESSION) ? work : cwd, all);
    }

    Launch launchWith(Launch base, List<String> moreArguments, Map<String, String> moreEnv) {
        List<String> longer = new ArrayList<>(base.argv());
        longer.addAll(moreArguments);
        Map<String, String> all = new HashMap<>(base.env());
        all.putAll(moreEnv);
        return new Launch(base.owner(), longer, base.cwd(), all);
    }
}
