package dev.tandem.hub.permission;

import dev.tandem.hub.browser.PageElement;
import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A question that waits for a person.
 *
 * @param expiresAt when it ends by itself; 0 for never
 */
public record Card(String requestId, Ask ask, long createdAt, long expiresAt) {

    public String key() {
        return ask.who().key();
    }

    public boolean sensitive() {
        return Names.sensitive(ask.what().names());
    }

    /** The card for surfaces: the same object on every edge. */
    public ObjectNode toJson() {
        ObjectNode json = Json.object().put("requestId", requestId);
        json.put("source", ask.what().source().name().toLowerCase(Locale.ROOT));
        json.put("toolName", ask.what().tool());
        json.put("summary", ask.what().title());
        json.put("argsPreview", ask.what().preview());
        if (!ask.what().element().equals(PageElement.NONE)) {
            json.putObject("element")
                    .put("role", ask.what().element().role())
                    .put("name", ask.what().element().name());
        }
        if (Asks.leads(ask.what())) {
            json.put("leadsTo", ask.where().url());
        }
        json.put("origin", ask.where().origin());
        json.put("tabUrl", ask.where().url());
        json.put("tabId", ask.where().tab());
        json.put("toolCallId", ask.who().toolCallId());
        json.put("risk", Names.risk(ask.what().names()));
        ArrayNode kinds = json.putArray("kinds");
        ask.what().names().stream().sorted().forEach(kinds::add);
        json.putObject("requester")
                .put("client", ask.who().kind())
                .put("name", ask.who().name())
                .put("mode", ask.who().mode().word());
        ArrayNode options = json.putArray("options");
        for (Ask.Option option : ask.options()) {
            options.addObject()
                    .put("optionId", option.optionId())
                    .put("kind", option.kind())
                    .put("name", option.name());
        }
        json.put("createdAt", Instant.ofEpochMilli(createdAt).toString());
        if (expiresAt > 0) {
            json.put("expiresAt", Instant.ofEpochMilli(expiresAt).toString());
        }
        return json;
    }
}
