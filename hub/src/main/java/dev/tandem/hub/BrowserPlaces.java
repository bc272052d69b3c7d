package dev.tandem.hub;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.PageElement;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.PermissionGate;
import dev.tandem.protocol.Tool;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Where an agent session's call would act, and on what, as its browser says. */
record BrowserPlaces(ToolRunner tools, Function<String, Caller> sessions) implements Asks.Places {
    @Override
    public Ask.Where of(String key, Tool tool, ObjectNode arguments) {
        return PermissionGate.where(
                tools.catalogue().permissions(tool, arguments),
                arguments,
                tools.place(client(key), tool, arguments));
    }

    @Override
    public PageElement element(String key, ObjectNode arguments) {
        return tools.element(client(key), arguments);
    }

    private OpsClient client(String key) {
        return OpsClient.inHub(sessions.apply(key), OpsClient.Door.MCP);
    }
}
