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
 * @param sharedProcess one process may serve several sessions
 */
public record AgentEntry(
        String agentId,
        String name,
        List<String> argv,
        Map<String, String> env,
        Offers offers,
        boolean sharedProcess) {
    public AgentEntry {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
    }

    /** Client capabilities that may be switched off for one agent. */
    public record Offers(boolean fs, boolean terminal, boolean elicitation) {
        public static Offers all() {
            return new Offers(true, true, true);
        }
    }

    /** A start of this agent in that directory, its descendants known as the owner's. */
    public Launch launch(String owner, Path cwd, Map<String, String> extra) {
        Map<String, String> all = new HashMap<>(env);
        all.putAll(extra);
        return new Launch(owner, argv, cwd, all);
    }

    Launch launchWith(Launch base, List<String> moreArguments, Map<String, String> moreEnv) {
        List<String> longer = new ArrayList<>(base.argv());
        longer.addAll(moreArguments);
        Map<String, String> all = new HashMap<>(base.env());
        all.putAll(moreEnv);
        return new Launch(base.owner(), longer, base.cwd(), all);
    }
}
