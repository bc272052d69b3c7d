package dev.tandem.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/** A client that keeps what it was sent, counts bytes, and acknowledges them when asked to. */
final class Client implements AutoCloseable {
    private final RawSocket socket;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<JsonNode> messages = new ArrayList<>();
    private long seq;
    private long acked;
    private int closeCode = -1;

    Client(RawSocket socket) {
        this.socket = socket;
    }

    static Client started(AgentProcess agent, String token, String start) throws IOException {
        Client client = new Client(agent.open(token));
        client.socket.text("{\"type\":\"resize\",\"cols\":80,\"rows\":24}");
        client.socket.text(start);
        return client;
    }

    RawSocket socket() {
        return socket;
    }

    /** Takes one message. */
    void step() throws IOException {
        RawSocket.Frame frame = socket.read();
        if (frame.binary()) {
            seq += frame.size();
            output.write(frame.data().array(), 0, frame.size());
        } else if (frame.opcode() == 1) {
            JsonNode message = Messages.JSON.readTree(frame.text());
            messages.add(message);
            if (message.path("type").asString().equals("reattach-begin")) {
                seq = message.path("fromSeq").asLong();
            }
        } else if (frame.opcode() == 8) {
            closeCode = frame.closeCode();
        }
    }

    void until(BooleanSupplier condition) throws IOException {
        while (!condition.getAsBoolean()) {
            if (closeCode >= 0) {
                throw new IOException("closed with " + closeCode + " after: " + text());
            }
            step();
        }
    }

    void untilText(String wanted) throws IOException {
        until(() -> text().contains(wanted));
    }

    JsonNode untilMessage(String type) throws IOException {
        until(() -> messages.stream().anyMatch(m -> m.path("type").asString().equals(type)));
        return message(type);
    }

    JsonNode message(String type) {
        return messages.stream()
                .filter(m -> m.path("type").asString().equals(type))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    int untilClose() throws IOException {
        while (closeCode < 0) {
            step();
        }
        return closeCode;
    }

    /** True when nothing comes for this long. */
    boolean quietFor(int millis) throws IOException {
        socket.timeout(millis);
        try {
            step();
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        } finally {
            socket.timeout(15_000);
        }
    }

    void ackWhenDue() throws IOException {
        if (seq - acked >= Limits.ACK_EVERY_BYTES) {
            ack();
        }
    }

    void ack() throws IOException {
        acked = seq;
        socket.text("{\"type\":\"ack\",\"seq\":" + seq + "}");
    }

    String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return output.toByteArray();
    }

    int size() {
        return output.size();
    }

    long seq() {
        return seq;
    }

    List<JsonNode> messages() {
        return messages;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
