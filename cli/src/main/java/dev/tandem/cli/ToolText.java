package dev.tandem.cli;

import dev.tandem.protocol.EmptySnapshot;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a person wants to read of a tool's answer: the content, the value, the path. Words of a page
 * are put between marks one by one, so that ours stay outside.
 */
final class ToolText {
    /** Fields that are the answer themselves, in order of weight. */
    private static final String[] CONTENT = {"content", "outerHTML", "guide", "dom", "text"};

    private final int columns;
    private final UnaryOperator<String> page;

    ToolText(int columns, UnaryOperator<String> page) {
        this.columns = columns;
        this.page = page;
    }

    String of(Tool tool, ObjectNode arguments, ObjectNode data) {
        String text = main(tool, arguments, data);
        String diff = Json.text(data, "diff").orElse("");
        return diff.isEmpty() ? text : text + "\n" + page.apply(diff);
    }

    private String main(Tool tool, ObjectNode arguments, ObjectNode data) {
        return switch (tool.name()) {
            case "launch", "connect" -> session(data);
            case "status" -> status(data);
            case "targets_list" -> tabs(data);
            case "list" -> list(data.path("pages"), "No named pages.", "name", "title", "url");
            case "browser_tabs" -> list(data.path("tabs"), "No tabs.", "id", "title", "url");
            case "skill_list" ->
                    table(data.path("skills"), "No skills.", "name", "version", "description");
            case "console_poll" ->
                    list(data.path("events"), "Nothing was logged.", "seq", "level", "text");
            case "network_poll" -> requests(data);
            case "clone_page", "clone_component" -> export(data);
            case "perf" -> table(data.path("metrics"), "No metrics.", "name", "value");
            case "run" -> steps(data);
            case "dialog" -> dialog(data);
            case "browser_execute" -> page.apply(plain(data.path("result")));
            case "screenshot" ->
                    Json.text(data, "path")
                            .or(() -> Json.text(data, "artifact_path"))
                            .orElse("Captured.");
            case "annotate" -> marks(data);
            case "select" ->
                    "Selected " + page.apply(String.join(", ", Json.texts(data, "selected"))) + ".";
            case "scroll" -> "Scrolled to " + plain(data.path("scrollTop")) + ".";
            case "goto" -> gone(data);
            case "target_new", "target_use", "page" -> place(data);
            default -> fallback(tool, arguments, data);
        };
    }

    /** What went wrong in a call that was answered all the same. */
    Optional<String> failure(Tool tool, ObjectNode data) {
        if (tool.name().equals("browser_execute")) {
            return Json.text(data, "error").map(page);
        }
        for (JsonNode step : data.path("results")) {
            if (tool.name().equals("run") && !step.path("ok").asBoolean(true)) {
                String said = step.path("error").path("message").asString("");
                return Optional.of(
                        "Step " + step.path("i").asString("") + " failed: " + page.apply(said));
            }
        }
        return Optional.empty();
    }

    private static String marks(ObjectNode data) {
        StringBuilder text = new StringBuilder(Json.text(data, "message").orElse("Done."));
        for (JsonNode picture : data.path("screenshots")) {
            text.append("\nPicture: ").append(picture.path("path").asString(""));
        }
        return text.toString();
    }

    private String fallback(Tool tool, ObjectNode arguments, ObjectNode data) {
        for (String field : CONTENT) {
            if (data.path(field).isString()) {
                String content = data.get(field).asString();
                if (content.isEmpty() && data.has("snapshotId")) {
                    return "(" + EmptySnapshot.words(arguments) + ")";
                }
                return tool.group().equals("guidance") ? content : page.apply(content);
            }
        }
        if (data.has("value") && tool.access() == Tool.Access.READ) {
            JsonNode value = data.get("value");
            boolean ours = value.isBoolean() || value.isNull() || value.isNumber();
            return ours ? plain(value) : page.apply(plain(value));
        }
        String what = Json.text(arguments, "ref").or(() -> Json.text(arguments, "name")).orElse("");
        return tool.title() + (what.isEmpty() ? "" : " " + what) + ": done" + caused(data);
    }

    /** What an action led to: another page, other tabs, downloads, a dialog. */
    private String caused(ObjectNode data) {
        StringBuilder out = new StringBuilder();
        if (data.path("navigated").asBoolean(false)) {
            out.append(", now at ").append(page.apply(data.path("url").asString("")));
        }
        for (JsonNode tab : data.path("newTargets")) {
            out.append(", opened ").append(tab.path("targetId").asString(""));
            out.append(' ').append(page.apply(tab.path("url").asString("")));
        }
        for (JsonNode file : data.path("downloads")) {
            String host = file.path("host").asString("");
            out.append(", began to download ").append(page.apply(plain(file.path("name"))));
            out.append(host.isEmpty() ? "" : " from " + page.apply(host));
        }
        return data.path("dialog").path("open").asBoolean(false)
                ? out.append(", dialog ").append(dialog(data)).toString()
                : out.toString();
    }

    private String export(ObjectNode data) {
        return page.apply(
                data.path("component").asString("").stripTrailing()
                        + "\n\n/* tandem.css */\n"
                        + data.path("css").asString(""));
    }

    private String tabs(ObjectNode data) {
        String active = data.path("activeTargetId").asString("");
        Table table = new Table(columns);
        for (JsonNode tab : data.path("targets")) {
            String id = tab.path("targetId").asString("");
            String mark = id.equals(active) ? "*" : "";
            table.row(id, mark, plain(tab.path("title")), plain(tab.path("url")));
        }
        return table.isEmpty() ? "No tabs." : page.apply(table.toString());
    }

    private String requests(ObjectNode data) {
        Table table = new Table(columns);
        for (JsonNode one : data.path("events")) {
            JsonNode outcome =
                    one.has("status") ? one.get("status") : one.path("error").path("netError");
            table.row(
                    plain(one.path("seq")),
                    plain(outcome),
                    plain(one.path("method")),
                    plain(one.path("url")));
        }
        return table.isEmpty() ? "No requests." : page.apply(table.toString());
    }

    private String gone(ObjectNode data) {
        String status = data.has("status") ? " (" + data.get("status").asString() + ")" : "";
        String title = Json.text(data, "title").map(text -> "  " + page.apply(text)).orElse("");
        return page.apply(data.path("finalUrl").asString("")) + status + title;
    }

    private String place(ObjectNode data) {
        String id =
                Json.text(data, "targetId").or(() -> Json.text(data, "activeTargetId")).orElse("");
        return (id + "  " + page.apply(data.path("url").asString(""))).strip();
    }

    private String session(ObjectNode data) {
        StringBuilder out = new StringBuilder("Session ");
        out.append(data.path("sessionId").asString(""));
        Json.text(data, "browser").ifPresent(browser -> out.append(" in ").append(browser));
        Json.text(data, "url").ifPresent(url -> out.append(" at ").append(page.apply(url)));
        return out.toString();
    }

    private String dialog(ObjectNode data) {
        JsonNode dialog = data.path("dialog");
        boolean open = dialog.path("open").asBoolean(false);
        String shown =
                dialog.path("type").asString("")
                        + ": "
                        + page.apply(dialog.path("message").asString(""));
        if (data.path("handled").asBoolean(false)) {
            return "The dialog is answered" + (open ? "; the page shows another, " + shown : ".");
        }
        return open ? shown : "No dialog is open.";
    }

    private String steps(ObjectNode data) {
        Table table = new Table(columns);
        for (JsonNode step : data.path("results")) {
            boolean ok = step.path("ok").asBoolean(false);
            JsonNode shown = ok ? step.path("data") : step.path("error").path("message");
            table.row(step.path("i").asString(), ok ? "ok" : "failed", plain(shown));
        }
        return page.apply(table.toString());
    }

    /** Rows that a page had a hand in: one mark around all, so that the columns stay. */
    private String list(JsonNode items, String none, String... fields) {
        return items.isEmpty() ? none : page.apply(table(items, none, fields));
    }

    private String table(JsonNode items, String none, String... fields) {
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

    /** With a session it tells of a page, without one of the hub. */
    private String status(ObjectNode data) {
        String text = new StatusText(columns).of(data);
        return data.has("url") || data.has("title") ? page.apply(text) : text;
    }

    /** What a text answer left out and how to get it. */
    static String more(ObjectNode data) {
        if (data.path("partial").asBoolean(false)) {
            return "Partial: some of it was recorded without the debugger, which knows more.";
        }
        String where = data.has("diff") ? "tandem snapshot --cursor " : "--cursor ";
        return Json.text(data, "nextCursor")
                .map(cursor -> "There is more: " + where + cursor)
                .orElse("");
    }

    static String warnings(ObjectNode data) {
        StringBuilder out = new StringBuilder();
        data.path("warnings").forEach(one -> out.append("\n! ").append(one.asString()));
        return out.toString().strip();
    }
}
