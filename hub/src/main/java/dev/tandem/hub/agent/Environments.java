package dev.tandem.hub.agent;

import java.util.HashMap;
import java.util.Map;

/** The environment of programs that we start for others: the user's, without what is ours. */
final class Environments {
    private Environments() {}

    /** For agents: nothing the hub itself reads may be passed on, nor where it was started. */
    static Map<String, String> forAgent(Map<String, String> user) {
        Map<String, String> clean = new HashMap<>(user);
        clean.keySet().removeIf(name -> isOurs(name) || Surroundings.left(name));
        return clean;
    }

    /** For commands that an agent asks to run: loader variables could replace any program. */
    static Map<String, String> forCommand(Map<String, String> user, Map<String, String> asked) {
        Map<String, String> clean = forAgent(user);
        clean.putAll(asked);
        clean.keySet().removeIf(name -> !reachesCommands(name));
        return clean;
    }

    static boolean reachesCommands(String name) {
        return !isOurs(name) && !isLoader(name);
    }

    private static boolean isOurs(String name) {
        return name.startsWith("TANDEM_");
    }

    private static boolean isLoader(String name) {
        return name.startsWith("LD_") || name.startsWith("DYLD_");
    }
}
