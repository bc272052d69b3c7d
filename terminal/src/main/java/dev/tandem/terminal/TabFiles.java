package dev.tandem.terminal;

import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells programs in terminals which tabs the browser shows; internal pages are left out. */
final class TabFiles {
    private static final Set<String> REASONS =
            Set.of("initial", "restart", "activated", "created", "removed", "updated");

    private final StateFiles state;

    TabFiles(StateFiles state) {
        this.state = state;
    }

    synchronized void active(JsonNode tab) {
        ObjectNode out = Messages.JSON.createObjectNode();
        if (tab.path("tabId").isIntegralNumber() && shown(tab.path("url").asString(""))) {
            out.put("tabId", tab.path("tabId").asLong());
            out.put("url", tab.path("url").asString(""));
            out.put("title", tab.path("title").asString(""));
        } else {
            out.putNull("tabId").put("url", "").put("title", "");
        }
        state.write("active-tab.json", out);
    }

    synchronized void all(JsonNode tabs, String reason) {
        ObjectNode out = Messages.JSON.createObjectNode();
        out.put("updatedAt", Instant.now().toString());
        out.put("reason", REASONS.contains(reason) ? reason : "unknown");
        ArrayNode rows = out.putArray("tabs");
        for (JsonNode tab : tabs) {
            if (shown(tab.path("url").asString("")) && !tab.path("incognito").asBoolean(false)) {
                rows.addObject()
                        .put("tabId", tab.path("tabId").asLong(0))
                        .put("url", tab.path("url").asString(""))
                        .put("title", tab.path("title").asString(""))
                        .put("active", tab.path("active").asBoolean(false))
                        .put("windowId", tab.path("windowId").asLong(0))
                        .put("pinned", tab.path("pinned").asBoolean(false))
                        .put("audible", tab.path("audible").asBoolean(false));
            }
        }
        state.write("tabs.json", out);
    }

    private static boolean shown(String url) {
        return url.startsWith("http://") || url.startsWith("https://") || url.startsWith("file:");
    }
}
