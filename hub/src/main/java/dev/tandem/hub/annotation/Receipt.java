package dev.tandem.hub.annotation;

import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of an annotation that a person sent.
 *
 * @param state queued, delivered, stored_only or consumed
 * @param reason why it was only stored: no_active_scope or ambiguous_scope
 * @param chat the session it went into
 */
public record Receipt(
        String id,
        String state,
        Optional<String> reason,
        Optional<String> chat,
        long createdAt,
        int items,
        int bytes,
        String source,
        String label) {

    public ObjectNode json() {
        ObjectNode json = Json.object().put("receiptId", id).put("deliveryState", state);
        json.put("storedFallback", state.equals("stored_only"));
        reason.ifPresent(why -> json.put("reason", why));
        chat.ifPresent(key -> json.put("chatScopeKey", key));
        json.put("createdAt", Instant.ofEpochMilli(createdAt).toString());
        json.put("itemCount", items).put("byteLength", bytes);
        return json.put("source", source).put("label", label);
    }
}
