package dev.tandem.terminal;

import java.util.HashMap;
import java.util.Map;

/**
 * The environment that every program in a terminal starts with. Its grant adds where the hub is,
 * which may be another one than started this agent.
 */
final class ProgramEnvironment {
    static final String GENERATION = "TANDEM_TERMINAL_GEN";

    private ProgramEnvironment() {}

    static Map<String, String> of(
            Map<String, String> ours, StateFiles state, InternalEndpoint.Identity identity) {
        Map<String, String> all = new HashMap<>(ours);
        all.keySet().removeIf(name -> name.startsWith("TANDEM_") || name.equals("AUTH_TOKEN"));
        all.put("TERM", "xterm-256color");
        all.put("COLORTERM", "truecolor");
        all.put("BROWSE_STATE_FILE", state.path("browse.json").toString());
        all.put("BROWSE_NO_AUTOSTART", "1");
        all.put("BROWSE_HEADED", "1");
        all.put("TANDEM_STATE_DIR", state.path("").toString());
        all.put("TANDEM_TABS_FILE", state.path("tabs.json").toString());
        all.put("TANDEM_ACTIVE_TAB_FILE", state.path("active-tab.json").toString());
        all.put(GENERATION, identity.generation());
        return all;
    }
}
