package dev.tandem.protocol;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The page docs/reference/tools.md. */
final class ToolReference {
    private final StringBuilder page = new StringBuilder(Reference.head("Tools"));

    String page() {
        Catalogue catalogue = Catalogue.load();
        page.append(
                        "A tool that works in a session also takes `sessionId`, left out: the caller's only session;")
                .append(
                        " where it says \"tab\", `targetId`, left out: the active tab; where it says \"diff\", `diff`, which")
                .append(
                        " adds what changed since the last snapshot. Every tool takes `timeoutMs`.\n")
                .append(
                        "On the command line an argument is its name in kebab case (`startUrl` is `--start-url`) unless")
                .append(" another is given, and the first required one needs no flag.\n\n");
        for (String profile : catalogue.profiles()) {
            List<String> names =
                    catalogue.profile(profile).stream()
                            .map(tool -> "`" + tool.name() + "`")
                            .toList();
            page.append(
                    "Profile **%s** (%d): %s.\n\n"
                            .formatted(profile, names.size(), String.join(", ", names)));
        }
        for (Catalogue.Group group : catalogue.groups()) {
            page.append("## ").append(group.title()).append("\n\n");
            group.tools().forEach(this::tool);
        }
        return page.toString();
    }

    private void tool(Tool tool) {
        page.append("### `%s`\n\n%s\n\n".formatted(tool.name(), tool.description()));
        page.append(
                "`tandem %s` · %s · runs in the %s"
                        .formatted(
                                tool.cli(),
                                Reference.lower(tool.access()),
                                Reference.lower(tool.runsIn())));
        tool.command().ifPresent(command -> page.append(" · command `%s`".formatted(command)));
        page.append(tool.needsSession() ? " · session" : "")
                .append(tool.targeted() ? ", tab" : "")
                .append(tool.has(Tool.Trait.DIFF) ? ", diff" : "")
                .append(tool.idempotent() ? " · may be repeated" : "")
                .append(tool.readShare() ? " · open to readers" : "")
                .append(" · limit %d ms\n\n".formatted(tool.timeoutMs()));
        page.append("Permission: ").append(permission(tool)).append("\n\n");
        arguments(tool);
        page.append("Result: ").append(result(tool.output())).append("\n\n");
        List<String> errors = tool.errors().stream().map(error -> "`" + error + "`").toList();
        if (!errors.isEmpty()) {
            page.append("Errors: ").append(String.join(", ", errors)).append("\n\n");
        }
    }

    private static String permission(Tool tool) {
        ToolPermission permission = tool.permission();
        StringBuilder text = new StringBuilder();
        text.append(
                permission
                        .name()
                        .map(name -> "`" + name + "`")
                        .orElse("none (" + permission.reason() + ")"));
        for (ToolPermission.When row : permission.when()) {
            text.append("; `%s` with `%s`".formatted(row.permission(), row.argument()));
        }
        permission
                .secret()
                .ifPresent(name -> text.append("; `%s` in secret fields".formatted(name)));
        return text.append(tool.sensitive() ? " (sensitive)" : "").append(".").toString();
    }

    private void arguments(Tool tool) {
        JsonNode properties = tool.input().path("properties");
        List<String> required = tool.arguments().required();
        boolean any = false;
        for (Map.Entry<String, JsonNode> entry : properties.properties()) {
            String name = entry.getKey();
            if (common(tool, name)) {
                continue;
            }
            page.append(any ? "" : "| argument | type | default | |\n|---|---|---|---|\n");
            any = true;
            JsonNode schema = entry.getValue();
            String flag = tool.arguments().flag(name);
            boolean plain = flag.equals(ToolInput.kebab(name));
            page.append(
                    "| `%s`%s%s | %s | %s | %s%s |\n"
                            .formatted(
                                    name,
                                    required.contains(name) ? " (required)" : "",
                                    plain ? "" : ", `--" + flag + "`",
                                    Reference.cell(type(schema)),
                                    schema.has("default")
                                            ? "`" + schema.get("default").asString() + "`"
                                            : "",
                                    Reference.cell(tool.arguments().about(name)),
                                    tool.arguments().userOnly().contains(name)
                                            ? "; only from the user's own shell"
                                            : ""));
        }
        page.append(any ? "\n" : "");
    }

    /** Said once at the top of the page, so not in every table. */
    private static boolean common(Tool tool, String argument) {
        return switch (argument) {
            case "timeoutMs" -> true;
            case "sessionId" -> tool.needsSession();
            case "targetId" -> tool.targeted();
            case "diff" -> tool.has(Tool.Trait.DIFF);
            default -> false;
        };
    }

    private static String type(JsonNode schema) {
        if (schema.has("enum")) {
            return String.join(
                    " | ", schema.get("enum").valueStream().map(JsonNode::toString).toList());
        }
        String name =
                schema.path("type").isString()
                        ? schema.path("type").stringValue()
                        : String.join(" or ", Json.texts(schema, "type"));
        String items = name.equals("array") ? " of " + type(schema.path("items")) : "";
        boolean ranged = schema.has("minimum") && schema.has("maximum");
        return name
                + items
                + (ranged ? " %s–%s".formatted(schema.get("minimum"), schema.get("maximum")) : "");
    }

    private static String result(JsonNode output) {
        List<String> required = Json.texts(output, "required");
        List<String> fields =
                output.path("properties").properties().stream()
                        .map(entry ->
                                "`%s%s`"
                                        .formatted(
                                                entry.getKey(),
                                                required.contains(entry.getKey()) ? "" : "?"))
                        .toList();
        return fields.isEmpty() ? "nothing." : String.join(", ", fields) + ".";
    }
}
