package dev.tandem.hub;

import dev.tandem.hub.cli.Tools;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** A hub that no browser can join: it knows its version, and says so of every tool. */
record NoBrowsers(String version) implements Tools {
    @Override
    public ObjectNode call(Call call) {
        if (call.tool().name().equals("status")) {
            ObjectNode status = Json.object().put("version", version);
            status.putArray("browsers");
            return status;
        }
        throw new TandemException(
                ErrorCode.OPS_UNAVAILABLE,
                ErrorCode.OPS_UNAVAILABLE.message(),
                "extension_disconnected");
    }

    @Override
    public List<ObjectNode> browsers() {
        return List.of();
    }

    @Override
    public boolean awaitBrowser(int moreThan, Duration atMost) {
        return false;
    }
}
