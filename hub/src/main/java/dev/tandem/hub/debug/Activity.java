package dev.tandem.hub.debug;

import dev.tandem.hub.browser.CallWatcher;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Tool;
import java.time.Clock;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every browser command from every door, its start and its end, the last thousand of them. */
public final class Activity implements CallWatcher, AutoCloseable {
    private static final int KEPT = Limits.of("activityEntries");

    private final Clock clock;
    private final Ring ring;

    public Activity(Clock clock) {
        this.clock = clock;
        this.ring = new Ring(KEPT, clock);
    }

    Ring ring() {
        return ring;
    }

    @Override
    public Call began(OpsClient client, Tool tool, JsonNode given) {
        Redaction shown = new Redaction(tool, given);
        String requestId = UUID.randomUUID().toString();
        ObjectNode start = entry("command_start", client, tool, requestId);
        start.set("args", shown.arguments());
        ring.add(client.key(), start);
        return end -> {
            ObjectNode json = entry("command_end", client, tool, requestId);
            json.put("duration", end.durationMs());
            json.put("status", end.failure().isEmpty() ? "ok" : "error");
            end.failure().ifPresent(failure -> json.put("error", shown.error(failure)));
            String result = shown.result(end.answer());
            if (!result.isEmpty()) {
                json.put("result", result);
            }
            Json.text(end.answer(), "finalUrl")
                    .or(() -> Json.text(end.answer(), "url"))
                    .ifPresent(url -> json.put("url", Redaction.address(url)));
            if (!end.browser().isEmpty()) {
                json.put("browser", end.browser());
            }
            ring.add(client.key(), json);
        };
    }

    private ObjectNode entry(String type, OpsClient client, Tool tool, String requestId) {
        return Json.object()
                .put("timestamp", clock.millis())
                .put("type", type)
                .put("command", tool.name())
                .put("requestId", requestId)
                .put("clientId", client.key())
                .put("client", client.label())
                .put("door", client.door().word());
    }

    @Override
    public void close() {
        ring.close();
    }
}
