package dev.tandem.hub.chat;

import dev.tandem.hub.web.EventStream;
import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/** One numbered event of a stream. */
record StreamEvent(String streamId, long sequence, String type, ObjectNode data) {
    EventStream.Event frame() {
        ObjectNode body = Json.object().put("streamId", streamId).put("sequence", sequence);
        body.set("data", data);
        return new EventStream.Event(streamId + ":" + sequence, type, Json.write(body));
    }
}
