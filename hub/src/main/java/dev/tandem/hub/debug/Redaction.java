package dev.tandem.hub.debug;

import dev.tandem.hub.browser.Untrusted;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call as it may be shown: what names things stays, what was typed or written never does. A
 * text is hidden unless it is known to be harmless.
 */
final class Redaction {
    static final String HIDDEN = "[REDACTED]";
    private static final int RESULT_CHARS = 200;
    private static final int ADDRESS_CHARS = 500;

    /** Arguments that name an element, a tab, a session or a file of ours. */
    private static final Set<String> NAMES =
            Set.of(
                    "ref",
                    "root",
                    "targetId",
                    "sessionId",
                    "cursor",
                    "since",
                    "name",
                    "topic",
                    "label",
                    "browser",
                    "path",
                    "tool",
                    "command");

    private static final Set<String> ADDRESSES = Set.of("url", "startUrl", "finalUrl");
    private static final Set<String> SHOWN_RESULTS = Set.of("path", "targetId", "activeTargetId");

    /** Looks at each name once, and only where a value follows: addresses come from pages. */
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile(
                    "([?&#;](?=[^=?&#;]*+=)[^=?&#;]*?"
                            + "(?:passw|pwd|token|secret|key|auth|bearer|code|session|sig)"
                            + "[^=?&#;]*+=)[^&#;]*",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern USER_INFO = Pattern.compile("://[^/?#@]*@");

    private final ObjectNode arguments = Json.object();
    private final List<String> hidden = new ArrayList<>();

    Redaction(Tool tool, JsonNode given) {
        JsonNode schema = tool.input().path("properties");
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            arguments.set(
                    entry.getKey(),
                    shown(entry.getKey(), entry.getValue(), schema.path(entry.getKey())));
        }
    }

    ObjectNode arguments() {
        return arguments;
    }

    /** Why it failed; words that were hidden stay hidden when an error quotes them. */
    String error(TandemException failure) {
        String text = Untrusted.clean(failure.message());
        for (String secret : hidden) {
            text = text.replace(secret, HIDDEN);
        }
        return cut(failure.code().code() + ": " + address(text), RESULT_CHARS);
    }

    /** The facts of an answer, without what the page or the person wrote. */
    String result(JsonNode answer) {
        ObjectNode facts = Json.object();
        for (Map.Entry<String, JsonNode> entry : answer.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (value.isNumber() || value.isBoolean()) {
                facts.set(name, value);
            } else if (value.isString() && ADDRESSES.contains(name)) {
                facts.put(name, address(value.stringValue()));
            } else if (value.isString() && SHOWN_RESULTS.contains(name)) {
                facts.put(name, Untrusted.clean(value.stringValue()));
            } else if (value.isArray()) {
                facts.put(name, value.size());
            }
        }
        return facts.isEmpty() ? "" : cut(Json.write(facts), RESULT_CHARS);
    }

    /** An address without passwords, tokens and the like. */
    static String address(String url) {
        String open = USER_INFO.matcher(url).replaceAll("://");
        if (open.startsWith("data:")) {
            return "data:…";
        }
        String clean = SECRET_PARAMETER.matcher(open).replaceAll("$1" + HIDDEN.replace("$", "\\$"));
        return cut(Untrusted.clean(clean), ADDRESS_CHARS);
    }

    private JsonNode shown(String name, JsonNode value, JsonNode schema) {
        var nodes = Json.mapper().getNodeFactory();
        if (value.isNumber() || value.isBoolean() || value.isNull()) {
            return value;
        }
        if (value.isArray()) {
            ArrayNode list = Json.array();
            value.forEach(item -> list.add(shown(name, item, schema.path("items"))));
            return list;
        }
        if (value.isObject()) {
            ObjectNode object = Json.object();
            value.properties()
                    .forEach(e -> object.set(e.getKey(), shown(e.getKey(), e.getValue(), schema)));
            return object;
        }
        String text = value.asString("");
        if (ADDRESSES.contains(name)) {
            return nodes.stringNode(address(text));
        }
        boolean key = name.equals("key") && text.matches("[A-Z][A-Za-z0-9+]{1,20}");
        if (NAMES.contains(name) || key || Json.texts(schema, "enum").contains(text)) {
            return nodes.stringNode(cut(Untrusted.clean(text), RESULT_CHARS));
        }
        if (!text.isEmpty()) {
            hidden.add(text);
        }
        return nodes.stringNode(HIDDEN);
    }

    private static String cut(String text, int chars) {
        return text.length() <= chars ? text : text.substring(0, chars) + "...";
    }
}
