package dev.tandem.hub.cli;

import dev.tandem.cli.Port;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** What the hub kept about calls and decisions. */
@FunctionalInterface
public interface Records {
    /** The rows that fit, newest first. */
    List<ObjectNode> audit(Port.AuditQuery query);
}
