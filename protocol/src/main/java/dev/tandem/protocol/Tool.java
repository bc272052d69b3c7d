package dev.tandem.protocol;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One tool of the catalogue. {@code runsIn} HUB means that the hub has a handler of its own, which
 * may send {@code command} to the browser; EXTENSION means that the hub only forwards the command.
 */
public record Tool(
        String name,
        String group,
        String title,
        String description,
        Access access,
        Place runsIn,
        Set<Trait> traits,
        ToolPermission permission,
        int timeoutMs,
        Optional<String> command,
        String cli,
        Set<String> profiles,
        ToolInput arguments,
        ObjectNode output,
        List<String> errors,
        ObjectNode wire) {

    /** Whether it can change something. */
    public enum Access {
        READ,
        WRITE
    }

    /** Who does the work. */
    public enum Place {
        EXTENSION,
        HUB
    }

    /** Yes-or-no facts; the JSON names are the same words in camel case. */
    public enum Trait {
        NEEDS_SESSION("needsSession"),
        TARGETED("targeted"),
        IDEMPOTENT("idempotent"),
        DESTRUCTIVE("destructive"),
        READ_SHARE("readShare"),
        DIFF("diff"),
        SENSITIVE("sensitive"),
        OPEN_WORLD("openWorld");

        private final String json;

        Trait(String json) {
            this.json = json;
        }

        String json() {
            return json;
        }
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    public boolean needsSession() {
        return has(Trait.NEEDS_SESSION);
    }

    public boolean targeted() {
        return has(Trait.TARGETED);
    }

    /** Safe to send again. */
    public boolean idempotent() {
        return has(Trait.IDEMPOTENT);
    }

    /** Open to a client that shares the session for reading only. */
    public boolean readShare() {
        return has(Trait.READ_SHARE);
    }

    /** Asks in every mode, whatever the rules say. */
    public boolean sensitive() {
        return has(Trait.SENSITIVE);
    }

    /** The complete input schema, common arguments included. */
    public ObjectNode input() {
        return arguments.schema();
    }

    /** The input schema as MCP lists it: lean, without what only the user or a program needs. */
    public ObjectNode mcpInput() {
        return arguments.listed();
    }

    /**
     * Checks arguments and returns them under their canonical names, or fails with {@code
     * invalid_request}.
     */
    public ObjectNode read(JsonNode given) {
        return arguments.read(given);
    }

    /** The entry of MCP's tools/list. */
    public ObjectNode listing() {
        ObjectNode entry = Json.object();
        entry.put("name", name);
        entry.put("description", description);
        entry.set("inputSchema", mcpInput());
        ObjectNode hints = entry.putObject("annotations");
        hints.put("readOnlyHint", access == Access.READ);
        if (access == Access.WRITE) {
            hints.put("destructiveHint", has(Trait.DESTRUCTIVE));
            hints.put("idempotentHint", idempotent());
        }
        hints.put("openWorldHint", has(Trait.OPEN_WORLD));
        return entry;
    }
}
