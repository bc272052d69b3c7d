package dev.tandem.hub.auth;

import dev.tandem.protocol.Json;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which browsers people paired, whether their pairing still holds, and which of them call.
 *
 * @param ours tells ids of browsers that the hub pairs anew at each of their starts
 */
public record Pairings(PairedBrowsers browsers, ExtensionTokens tokens, Predicate<String> ours) {
    public ObjectNode toJson() {
        Set<String> valid =
                tokens.list().stream()
                        .map(ExtensionTokens.Session::browserId)
                        .collect(Collectors.toSet());
        ObjectNode facts = Json.object().put("strangerAt", browsers.strangerAt());
        ArrayNode list = facts.putArray("browsers");
        for (PairedBrowsers.Known known : browsers.list()) {
            if (ours.test(known.browserId())) {
                continue;
            }
            list.addObject()
                    .put("browserId", known.browserId())
                    .put("name", known.name())
                    .put("valid", valid.contains(known.browserId()))
                    .put("pairedAt", known.pairedAt())
                    .put("calledAt", known.calledAt());
        }
        return facts;
    }
}
