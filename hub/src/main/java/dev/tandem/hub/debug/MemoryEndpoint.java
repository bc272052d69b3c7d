package dev.tandem.hub.debug;

import dev.tandem.hub.browser.RelayStatus;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.node.ObjectNode;

/** {@code GET /memory}: what the hub itself takes, and how many tabs its clients hold. */
public final class MemoryEndpoint {
    private static final int PAGE_BYTES = 4096;

    private final RelayStatus status;

    public MemoryEndpoint(RelayStatus status, WebServer web) {
        this.status = status;
        web.http("memory", this::memory);
    }

    private void memory(Exchange exchange) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        ObjectNode body = Json.object();
        body.putObject("hub")
                .put("rss", residentBytes())
                .put("heapUsed", heap.getUsed())
                .put("heapTotal", heap.getCommitted());
        body.putNull("processes");
        body.put("tabs", status.full().path("opsOwnedTabIds").size());
        exchange.respond(200, body);
    }

    /** -1 where the system does not say. */
    private static long residentBytes() {
        try {
            String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }
}
