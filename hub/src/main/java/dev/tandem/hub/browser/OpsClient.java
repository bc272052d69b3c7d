package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Someone who calls tools: a socket of /ops, or a door inside the hub on behalf of one token. */
public final class OpsClient {

    /** The way a call came in. */
    public enum Door {
        OPS,
        MCP,
        CLI,
        COMMAND;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final String id;
    private final Caller caller;
    private final Door door;
    private final String label;
    private final ObjectNode hello;
    private final Consumer<ObjectNode> events;
    private final boolean reader;

    private OpsClient(
            String id,
            Caller caller,
            Door door,
            String label,
            ObjectNode hello,
            Consumer<ObjectNode> events,
            boolean reader) {
        this.id = id;
        this.caller = caller;
        this.door = door;
        this.label = label;
        this.hello = hello;
        this.events = events;
        this.reader = reader;
    }

    /** A client with a socket of its own; {@code hello} is what it opened with. */
    public static OpsClient socket(Caller caller, ObjectNode hello, Consumer<ObjectNode> events) {
        String name =
                Json.text(hello, "clientName").filter(n -> !n.isBlank()).orElse(caller.name());
        return new OpsClient(
                UUID.randomUUID().toString(), caller, Door.OPS, shown(name), hello, events, false);
    }

    /** The client of a token without a socket: the same one for every call by that token. */
    public static OpsClient inHub(Caller caller, Door door) {
        ObjectNode hello = Json.object();
        hello.put("type", "ops_hello");
        hello.put("version", Messages.ops().version());
        hello.put("maxPayloadBytes", Limits.MAX_OPS_PAYLOAD_BYTES);
        ArrayNode capabilities = hello.putArray("capabilities");
        Messages.ops().capabilities().forEach(capabilities::add);
        return new OpsClient(
                "hub-" + key(caller),
                caller,
                door,
                shown(caller.name()),
                hello,
                event -> {},
                false);
    }

    /** The same client where it came without the lease: it may look, and takes nothing over. */
    OpsClient asReader() {
        return new OpsClient(id, caller, door, label, hello, events, true);
    }

    /** Whether what it does in the session is done as its owner. */
    boolean owns(OpsSession session) {
        return !reader && session.ownerKey().equals(key());
    }

    /** Unique per connection. */
    public String id() {
        return id;
    }

    /** The same for every connection of one token. */
    public String key() {
        return key(caller);
    }

    /** The same, for one that has not said hello. */
    public static String key(Caller caller) {
        return caller.kind().word() + ":" + caller.id();
    }

    public Caller caller() {
        return caller;
    }

    public Door door() {
        return door;
    }

    /** What people see on the tab group and in lists. */
    public String label() {
        return label;
    }

    /** True when the person who owns the hub stands behind it, in their own shell or program. */
    public boolean isUser() {
        return caller.kind() == TokenKind.HUB && (door == Door.CLI || door == Door.OPS);
    }

    /** True for the command line in the person's own shell, which no agent stands behind. */
    public boolean isOwnShell() {
        return isUser() && door == Door.CLI;
    }

    ObjectNode hello() {
        ObjectNode stamped = stamp(hello.deepCopy());
        stamped.put("type", "ops_hello");
        return stamped;
    }

    /** Writes who asks over whatever the message claimed. */
    ObjectNode stamp(ObjectNode message) {
        message.put("clientId", id);
        message.put("clientKey", key());
        message.put("clientLabel", label);
        return message;
    }

    void event(ObjectNode event) {
        events.accept(event);
    }

    private static String shown(String name) {
        String clean = Untrusted.clean(name).strip();
        return clean.length() > 40 ? clean.substring(0, 40) : clean;
    }
}
