package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a person wants to read of a tool's answer: the content, the value, the path. */
final class ToolText {
    /** Fields that are the answer themselves, in order of weight. */
    private static final String[] CONTENT = {
        "content", "outerHTML", "guide", "dom", "component", "text"
    };

    private final int columns;

    ToolText(int columns) {
        this.columns = columns;
    }

    String of(Tool tool, ObjectNode arguments, ObjectNode data) {
        String text = main(tool, arguments, data);
        String diff = Json.text(data, "diff").orElse("");
        return diff.isEmpty() ? text : text + "\n" + diff;
    }

    private String main(Tool tool, ObjectNode arguments, ObjectNode data) {
        return switch (tool.name()) {
            case "launch", "connect" -> session(data);
            case "status" -> new StatusText(columns).of(data);
            case "targets_list" ->
                    list(data.path("targets"), "No tabs.", "targetId", "title", "url");
            case "list" -> list(data.path("pages"), "No named pages.", "name", "title", "url");
            case "browser_tabs" -> list(data.path("tabs"), "No tabs.", "id", "title", "url");
            case "skill_list" ->
                    list(data.path("skills"), "No skills.", "name", "version", "description");
            case "console_poll" ->
                    list(data.path("events"), "Nothing was logged.", "seq", "level", "text");
            case "network_poll" ->
                    list(data.path("events"), "No requests.", "seq", "status", "method", "url");
            case "perf" -> list(data.path("metrics"), "No metrics.", "name", "value");
            case "run" -> steps(data);
            case "dialog" -> dialog(data);
            case "browser_execute" ->
                    plain(data.has("error") ? data.get("error") : data.path("result"));
            case "screenshot" ->
                    Json.text(data, "path")
                            .or(() -> Json.text(data, "artifact_path"))
                            .orElse("Captured.");
            case "annotate" -> Json.text(data, "message").orElse("Done.");
            case "select" -> "Selected " + String.join(", ", Json.texts(data, "selected")) + ".";
            case "scroll" -> "Scrolled to " + plain(data.path("scrollTop")) + ".";
            case "goto" -> gone(data);
            case "target_new", "target_use", "page" -> place(data);
            default -> fallback(tool, arguments, data);
        };
    }

    private static String fallback(Tool tool, ObjectNode arguments, ObjectNode data) {
        for (String field : CONTENT) {
            if (data.path(field).isString()) {
                return data.get(field).asString();
            }
        }
        if (data.has("value") && tool.access() == Tool.Access.READ) {
            return plain(data.get("value"));
        }
        String what = Json.text(arguments, "ref").or(() -> Json.text(arguments, "name")).orElse("");
        String sentence = tool.title() + (what.isEmpty() ? "" : " " + what) + ": done";
        return data.path("navigated").asBoolean(false)
                ? sentence + ", now at " + data.path("url").asString("")
                : sentence;
    }

    private static String gone(ObjectNode data) {
        String status = data.has("status") ? " (" + data.get("status").asString() + ")" : "";
        String title = Json.text(data, "title").map(text -> "  " + text).orElse("");
        return data.path("finalUrl").asString("") + status + title;
    }

    private static String place(ObjectNode data) {
        String id =
                Json.text(data, "targetId").or(() -> Json.text(data, "activeTargetId")).orElse("");
        return (id + "  " + data.path("url").asString("")).strip();
    }

    private static String session(ObjectNode data) {
        StringBuilder out = new StringBuilder("Session ");
        out.append(data.path("sessionId").asString(""));
        Json.text(data, "browser").ifPresent(browser -> out.append(" in ").append(browser));
        Json.text(data, "url").ifPresent(url -> out.append(" at ").append(url));
        data.path("warnings").forEach(warning -> out.append("\n! ").append(warning.asString()));
        return out.toString();
    }

    private static String dialog(ObjectNode data) {
        JsonNode dialog = data.path("dialog");
        if (data.path("handled").asBoolean(false)) {
            return "The dialog is answered.";
        }
        return dialog.path("open").asBoolean(false)
                ? dialog.path("type").asString("") + ": " + dialog.path("message").asString("")
                : "No dialog is open.";
    }

    private String steps(ObjectNode data) {
        Table table = new Table(columns);
        for (JsonNode step : data.path("results")) {
            boolean ok = step.path("ok").asBoolean(false);
            JsonNode shown = ok ? step.path("data") : step.path("error").path("message");
            table.row(step.path("i").asString(), ok ? "ok" : "failed", plain(shown));
        }
        return table.toString();
    }

    private String list(JsonNode items, String none, String... fields) {
        Table table = new Table(columns);
        for (JsonNode item : items) {
            String[] cells = new String[fields.length];
            for (int i = 0; i < fields.length; i++) {
                cells[i] = plain(item.path(fields[i]));
            }
            table.row(cells);
        }
        return table.isEmpty() ? none : table.toString();
    }

    static String plain(JsonNode node) {
        if (node.isMissingNode()) {
            return "";
        }
        return node.isContainer() ? Json.write(node) : node.isNull() ? "null" : node.asString();
    }

    /** What a text answer left out and how to get it. */
    static String more(ObjectNode data) {
        return Json.text(data, "nextCursor")
                .map(cursor -> "There is more: --cursor " + cursor)
                .orElse("");
    }

    static String warnings(ObjectNode data) {
        StringBuilder out = new StringBuilder();
        data.path("warnings").forEach(one -> out.append("\n! ").append(one.asString()));
        return out.toString().strip();
    }
}
