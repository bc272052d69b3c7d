package dev.tandem.hub.auth;

import dev.tandem.protocol.Json;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which browsers were paired, whether their pairing still holds, and which of them call. */
public record Pairings(PairedBrowsers browsers, ExtensionTokens tokens) {
    public ObjectNode toJson() {
        Set<String> valid =
                tokens.list().stream()
                        .map(ExtensionTokens.Session::browserId)
                        .collect(Collectors.toSet());
        ObjectNode facts = Json.object().put("strangerAt", browsers.strangerAt());
        ArrayNode list = facts.putArray("browsers");
        for (PairedBrowsers.Known known : browsers.list()) {
            list.addObject()
                    .put("name", known.name())
                    .put("valid", valid.contains(known.browserId()))
                    .put("calledAt", known.calledAt());
        }
        return facts;
    }
}
