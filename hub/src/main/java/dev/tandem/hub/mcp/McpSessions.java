package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Secrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Session ids that need no memory: signed, with their version inside, so that they outlive the hub.
 * Only ended ones are remembered.
 */
public final class McpSessions {
    private static final int REMEMBERED = 20_000;

    private final String key;
    private final Set<String> ended =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<>() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<String, Boolean> eldest) {
                                    return size() > REMEMBERED;
                                }
                            }));

    /**
     * @param key 32 bytes in hex, the same at every start
     */
    public McpSessions(String key) {
        this.key = key;
    }

    String begin(String version, long now) {
        String facts = Long.toString(now, 36) + "." + version + "." + Secrets.hex(16);
        return facts + "." + Secrets.hmac(key, facts);
    }

    /** The version negotiated at the beginning; none for a forged or ended id. */
    Optional<String> version(String id) {
        int dot = id.lastIndexOf('.');
        if (dot < 0 || ended.contains(id)) {
            return Optional.empty();
        }
        String facts = id.substring(0, dot);
        if (!Secrets.same(Secrets.hmac(key, facts), id.substring(dot + 1))) {
            return Optional.empty();
        }
        String[] parts = facts.split("\\.", -1);
        return parts.length == 3 ? Optional.of(parts[1]) : Optional.empty();
    }

    /** Ends a session; false when there was none. */
    boolean end(String id) {
        return version(id).isPresent() && ended.add(id);
    }

    static Optional<JsonNode> id(JsonNode message) {
        return Optional.ofNullable(message.get("id"))
                .filter(id -> id.isString() || id.isIntegralNumber());
    }
}
