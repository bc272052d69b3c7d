package dev.tandem.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Under which names the gate knows a call of a tool; without any name, why it needs none. */
public record ToolPermission(
        Optional<String> name, String reason, List<When> when, Optional<String> secret) {

    /** Another name when that argument is there (and, if {@code equals} is, has that value). */
    public record When(String argument, Optional<JsonNode> equals, String permission) {}

    static ToolPermission of(JsonNode tool) {
        List<When> when = new ArrayList<>();
        for (JsonNode row : tool.path("permissionWhen")) {
            when.add(
                    new When(
                            row.get("argument").asString(),
                            Optional.ofNullable(row.get("equals")),
                            row.get("permission").asString()));
        }
        return new ToolPermission(
                Json.text(tool, "permission"),
                Json.text(tool, "permissionReason").orElse(""),
                List.copyOf(when),
                Json.text(tool, "permissionSecret"));
    }

    /** The name for a call with these arguments; empty when session ownership is all it needs. */
    public Optional<String> nameFor(JsonNode arguments) {
        for (When row : when) {
            JsonNode value = arguments.path(row.argument());
            boolean given = !value.isMissingNode() && !value.isNull();
            if (given && row.equals().map(value::equals).orElse(true)) {
                return Optional.of(row.permission());
            }
        }
        return name;
    }

    /** Every name that some call of the tool can have. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        name.ifPresent(names::add);
        secret.ifPresent(names::add);
        when.forEach(row -> names.add(row.permission()));
        return names;
    }
}
