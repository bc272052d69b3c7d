package dev.tandem.hub.relay;

import dev.tandem.protocol.Json;
import java.net.URI;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An agent's forms and links as clients see them. */
final class Elicitations {
    private Elicitations() {}

    /** The request with everything the agent gave; a link also says its host, for the reader. */
    static ObjectNode request(ObjectNode message, String requestId, JsonNode params) {
        ObjectNode all = Json.object();
        if (params instanceof ObjectNode given) {
            all.setAll(given.deepCopy());
        }
        all.setAll(message);
        Json.text(all, "url").ifPresent(url -> all.put("host", host(url)));
        return all.put("requestId", requestId);
    }

    private static String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? "" : host;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
