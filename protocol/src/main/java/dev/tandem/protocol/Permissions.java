package dev.tandem.protocol;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The names of permissions.json: how risky each is, and how a card says it. */
public final class Permissions {
    private static final Map<String, Name> ALL = read();

    /**
     * How much a permission puts at stake; sensitive ones ask in every mode and no wildcard covers
     * them.
     */
    public enum Risk {
        READ,
        WRITE,
        SENSITIVE
    }

    /** One permission name. */
    public record Name(String name, Risk risk, String about) {}

    private Permissions() {}

    public static Map<String, Name> all() {
        return ALL;
    }

    public static Optional<Name> byName(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    private static Map<String, Name> read() {
        Map<String, Name> names = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry :
                Json.resource("permissions.json").path("names").properties()) {
            Risk risk =
                    Risk.valueOf(entry.getValue().get("risk").asString().toUpperCase(Locale.ROOT));
            names.put(
                    entry.getKey(),
                    new Name(entry.getKey(), risk, entry.getValue().get("about").asString()));
        }
        return names;
    }
}
