package dev.tandem.hub.relay;

import tools.jackson.databind.node.ObjectNode;

/** Some of the messages that a proven client may send. */
interface Family {
    /** Takes a message of this family; false when it belongs to another. */
    boolean take(String type, ObjectNode message);
}
