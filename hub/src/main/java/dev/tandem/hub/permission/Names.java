package dev.tandem.hub.permission;

import dev.tandem.protocol.Permissions;
import java.util.Collection;
import java.util.Set;

/** What permission names mean: risk, family, and the ones that no wildcard covers. */
final class Names {
    private static final Set<String> AGENT_READS =
            Set.of("agent:read", "agent:search", "agent:think", "agent:fetch", "file:read");

    private Names() {}

    static boolean sensitive(Collection<String> names) {
        return names.stream().anyMatch(Names::sensitive);
    }

    /** Asks every time, whatever rules and modes say; a change of mode widens, so it is one. */
    static boolean sensitive(String name) {
        return name.equals("agent:switch_mode") || risk(name) == Permissions.Risk.SENSITIVE;
    }

    static boolean reads(String name) {
        return AGENT_READS.contains(name) || risk(name) == Permissions.Risk.READ;
    }

    /** Browser names; commands and files are never covered by a bare wildcard made for pages. */
    static boolean ofPages(String name) {
        return name.startsWith("tab_");
    }

    static String risk(Collection<String> names) {
        if (sensitive(names)) {
            return "sensitive";
        }
        return names.stream().allMatch(Names::reads) ? "read" : "write";
    }

    private static Permissions.Risk risk(String name) {
        return Permissions.byName(name).map(Permissions.Name::risk).orElse(Permissions.Risk.WRITE);
    }
}
