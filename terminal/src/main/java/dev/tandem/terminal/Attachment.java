package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One client at one terminal: what its messages mean. Called by one thread at a time. */
final class Attachment {
    private static final String ACK = "{\"type\":\"ack\",\"seq\":";
    private static final int LONGEST_SEQ = 18;
    private static final int TOO_LARGE = 1009;

    private final Terminals terminals;
    private final Terminal terminal;
    private final Viewer viewer;
    private final Grants.Grant grant;
    private final AtomicBoolean refused = new AtomicBoolean();
    private boolean complained;

    Attachment(Terminals terminals, Terminal terminal, Viewer viewer, Grants.Grant grant) {
        this.terminals = terminals;
        this.terminal = terminal;
        this.viewer = viewer;
        this.grant = grant;
    }

    Viewer viewer() {
        return viewer;
    }

    Terminal terminal() {
        return terminal;
    }

    boolean resumable() {
        return grant.resume();
    }

    void text(String text) {
        if (text.startsWith(ACK) && plainAck(text)) {
            return;
        }
        ObjectNode message = Messages.parse(text);
        switch (message == null ? "" : message.path("type").asString("")) {
            case "resize" -> resize(read(message));
            case "start" -> start(read(message));
            case "ack" -> viewer.acknowledge(read(message).path("seq").asLong(0));
            case "pin" -> pin(read(message));
            case "tabState" -> tabState(read(message));
            case "tabSwitch" -> tabSwitch(read(message));
            case "keepalive", "pong" -> {}
            default -> complain();
        }
    }

    // Thousands of these come with every 100 MB; a tree for each would cost more than the bytes.
    private boolean plainAck(String text) {
        int end = text.length() - 1;
        if (end - ACK.length() > LONGEST_SEQ || end <= ACK.length() || text.charAt(end) != '}') {
            return false;
        }
        long seq = 0;
        for (int i = ACK.length(); i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            seq = 10 * seq + digit;
        }
        viewer.acknowledge(seq);
        return true;
    }

    private static JsonNode read(@Nullable ObjectNode message) {
        return message == null ? Messages.JSON.createObjectNode() : message;
    }

    private void complain() {
        if (!complained) {
            complained = true;
            Log.info(
                    "a client of terminal "
                            + terminal.sessionId()
                            + " sent a message we do not know");
        }
    }

    private void resize(JsonNode message) {
        if (viewer.writer()) {
            terminal.resize(side(message.path("cols"), 80), side(message.path("rows"), 24));
        }
    }

    private static int side(JsonNode value, int otherwise) {
        return value.isNumber() ? (int) Math.clamp(value.doubleValue(), 0, 1e6) : otherwise;
    }

    private void start(JsonNode message) {
        viewer.speaksControl();
        if (ready()) {
            JsonNode from = message.path("from");
            boolean acks = message.path("ack").asBoolean(false);
            begin(from.isIntegralNumber() ? from.asLong() : -1, acks);
        }
    }

    private void begin(long from, boolean acks) {
        if (!viewer.started()) {
            terminal.begin(viewer, from, acks);
        }
    }

    // Only a writer starts the program; a reader waits until there is something to read.
    private boolean ready() {
        if (!viewer.writer() || terminal.spawned()) {
            return true;
        }
        try {
            terminals.spawn(terminal, grant);
            return true;
        } catch (Terminals.Refused e) {
            refuse(e.code(), e.sentence(), e.closeCode());
            return false;
        }
    }

    void binary(ByteBuffer keys, Runnable taken) {
        if (!viewer.writer()) {
            if (!refused.getAndSet(true)) {
                viewer.sayNow(
                        Messages.error("NOT_WRITER", "This view of the terminal only reads."));
            }
            taken.run();
            return;
        }
        if (ready()) {
            begin(-1, false);
            terminal.input(keys, taken);
        } else {
            taken.run();
        }
    }

    /** The client broke the rules of the socket; nothing more of it is heard. */
    void breach(int code, String sentence) {
        if (code == TOO_LARGE && viewer.speaks()) {
            viewer.sayNow(Messages.error("FRAME_TOO_LARGE", "That was too much at once."));
        }
        viewer.closeNow(code, sentence);
    }

    private void pin(JsonNode message) {
        if (viewer.writer()) {
            terminal.pin(message.path("pinned").asBoolean(false));
        }
    }

    private void tabState(JsonNode message) {
        terminals.tabs().all(message.path("tabs"), message.path("reason").asString(""));
        terminals.tabs().active(message.path("active"));
    }

    private void tabSwitch(JsonNode message) {
        terminals.tabs().active(message);
    }

    void refuse(String code, String sentence, int closeCode) {
        viewer.sayNow(Messages.error(code, sentence));
        viewer.closeNow(closeCode, sentence);
    }

    void ping(long now) {
        if (viewer.speaks()) {
            viewer.sayNow(Messages.ping(now));
        }
    }

    void closed() {
        terminals.closed(this);
    }
}
