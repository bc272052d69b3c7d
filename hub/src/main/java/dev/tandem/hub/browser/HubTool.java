package dev.tandem.hub.browser;

import java.io.IOException;

/** A tool that the hub runs itself, with or without asking the browser. */
@FunctionalInterface
interface HubTool {
    ToolResult run(ToolCall call) throws IOException;
}
