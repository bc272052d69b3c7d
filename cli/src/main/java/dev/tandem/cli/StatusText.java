package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The answer of {@code tandem status} for people: the session, else hub, browsers and clients. */
final class StatusText {
    private final Table table;

    StatusText(int columns) {
        // a piece of an address, or of what to type, helps nobody
        this.table = columns > 0 ? Table.whole(columns) : new Table(columns);
    }

    String of(ObjectNode data) {
        table.row("version", data.path("version").asString(""));
        for (String field :
                new String[] {"sessionId", "state", "sessionMode", "browser", "title", "url"}) {
            Json.text(data, field).ifPresent(value -> table.row(label(field), value));
        }
        JsonNode dialog = data.path("meta").path("dialog");
        if (dialog.path("open").asBoolean(false)) {
            table.row("dialog", dialog.path("message").asString(""));
        }
        switch (data.at("/meta/blocker/type").asString("")) {
            case "auth_required" -> table.row("waits for", "a login");
            case "anti_bot_challenge" -> table.row("waits for", "a proof that a person is there");
            default -> {
                // a dialog has its own row
            }
        }
        JsonNode hub = data.path("daemon");
        if (hub.has("port")) {
            table.row("hub", "http://127.0.0.1:" + hub.get("port").asString());
        }
        each(data.path("browsers"), "browser", none(hub));
        each(data.path("sessions"), "session", "");
        each(data.path("clients"), "client", "");
        Json.text(data, "updateHint").ifPresent(hint -> table.row("update", hint));
        return table.toString();
    }

    private static String none(JsonNode hub) {
        return hub.path("browserComing").asBoolean(false)
                ? "one is being started"
                : "none is connected; yours: tandem connect chrome; a new one: tandem launch"
                        + " --no-extension";
    }

    private void each(JsonNode items, String label, String none) {
        if (items.isArray() && items.isEmpty() && !none.isEmpty()) {
            table.row(label, none);
        }
        for (JsonNode item : items) {
            StringBuilder line = new StringBuilder();
            for (Map.Entry<String, JsonNode> fact : item.properties()) {
                if (fact.getValue().isString() || fact.getValue().isNumber()) {
                    line.append(line.isEmpty() ? "" : ", ").append(said(fact));
                }
            }
            table.row(label, line.toString());
        }
    }

    /** A word speaks for itself; a number needs its name. */
    private static String said(Map.Entry<String, JsonNode> fact) {
        String value = fact.getValue().asString();
        if (!fact.getValue().isNumber()) {
            return value;
        }
        boolean one = value.equals("1") && fact.getKey().endsWith("s");
        String name = fact.getKey();
        return value + " " + (one ? name.substring(0, name.length() - 1) : name);
    }

    private static String label(String field) {
        return switch (field) {
            case "sessionId" -> "session";
            case "sessionMode" -> "mode";
            default -> field;
        };
    }
}
