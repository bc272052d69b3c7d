package dev.tandem.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes a client's WebSocket frames apart. One thread. */
final class FrameReader {
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int CONTINUATION = 0;
    private static final int LONGEST_CONTROL = 125;
    private static final int LONGEST_HEAD = 14;
    private static final int FIRST_PAYLOAD = 4 * 1024;
    private static final char REPLACEMENT = '\uFFFD';

    private final Sink sink;
    private final byte[] head = new byte[LONGEST_HEAD];
    private final byte[] control = new byte[LONGEST_CONTROL];
    private int headBytes;
    private boolean inPayload;
    private int opcode;
    private int length;
    private int got;
    private int mask;
    // A message may come in several frames, with control frames between them.
    private byte[] message = new byte[FIRST_PAYLOAD];
    private int messageBytes;
    private int messageKind;

    /** Receives messages; the bytes are valid during the call. */
    interface Sink {
        /** True when nothing more is taken for now. */
        boolean full();

        void binary(ByteBuffer bytes) throws IOException;

        void text(String text) throws IOException;

        void control(int kind, ByteBuffer bytes) throws IOException;
    }

    /** The client did what the protocol, or we, do not allow. */
    static final class Breach extends IOException {
        private static final long serialVersionUID = 1L;

        private final int code;

        Breach(int code, String reason) {
            super(reason);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    FrameReader(Sink sink) {
        this.sink = sink;
    }

    /** Takes all of it, or as much as the sink wants. */
    void take(ByteBuffer in) throws IOException {
        while (!sink.full()) {
            if (!inPayload && !readHead(in)) {
                return;
            }
            if (!readPayload(in)) {
                return;
            }
            inPayload = false;
            headBytes = 0;
            deliver();
        }
    }

    private boolean readHead(ByteBuffer in) throws Breach {
        while (headBytes < needed()) {
            if (!in.hasRemaining()) {
                return false;
            }
            head[headBytes++] = in.get();
        }
        begin();
        return true;
    }

    private int needed() {
        if (headBytes < 2) {
            return 2;
        }
        int size = head[1] & 0x7F;
        return 6 + (size == 126 ? 2 : size == 127 ? 8 : 0);
    }

    private void begin() throws Breach {
        ByteBuffer bytes = ByteBuffer.wrap(head, 0, headBytes);
        int first = bytes.get() & 0xFF;
        int second = bytes.get() & 0xFF;
        int size = second & 0x7F;
        long announced =
                size == 126 ? bytes.getShort() & 0xFFFF : size == 127 ? bytes.getLong() : size;
        opcode = first & 0x0F;
        mask = bytes.getInt();
        boolean isLast = (first & 0x80) != 0;
        if ((first & 0x70) != 0 || (second & 0x80) == 0) {
            throw new Breach(1002, "reserved bits, or no mask");
        }
        switch (opcode) {
            case CLOSE, PING, PONG -> {
                if (!isLast || announced > LONGEST_CONTROL) {
                    throw new Breach(1002, "control frame too long");
                }
            }
            case TEXT, BINARY -> {
                if (messageKind != 0) {
                    throw new Breach(1002, "message inside a message");
                }
                messageKind = opcode;
            }
            case CONTINUATION -> {
                if (messageKind == 0) {
                    throw new Breach(1002, "nothing to continue");
                }
            }
            default -> throw new Breach(1002, "unknown opcode");
        }
        int most = messageKind == TEXT ? Limits.CONTROL_FRAME_BYTES : Limits.INPUT_FRAME_BYTES;
        if (announced < 0 || (opcode < CLOSE && announced + messageBytes > most)) {
            throw new Breach(1009, "frame too large");
        }
        length = (int) announced;
        got = 0;
        inPayload = true;
    }

    private boolean readPayload(ByteBuffer in) {
        boolean isControl = opcode >= CLOSE;
        int n = Math.min(length - got, in.remaining());
        if (!isControl && messageBytes + n > message.length) {
            message = Arrays.copyOf(message, Math.max(messageBytes + n, 2 * message.length));
        }
        byte[] into = isControl ? control : message;
        int at = isControl ? got : messageBytes;
        in.get(into, at, n);
        if (mask != 0) {
            for (int i = 0; i < n; i++) {
                into[at + i] ^= (byte) (mask >>> (24 - 8 * ((got + i) & 3)));
            }
        }
        got += n;
        messageBytes += isControl ? 0 : n;
        return got == length;
    }

    private void deliver() throws IOException {
        if (opcode >= CLOSE) {
            sink.control(opcode, ByteBuffer.wrap(control, 0, length));
            return;
        }
        if ((head[0] & 0x80) == 0) {
            return;
        }
        int size = messageBytes;
        int kind = messageKind;
        messageKind = 0;
        messageBytes = 0;
        if (kind == BINARY) {
            sink.binary(ByteBuffer.wrap(message, 0, size));
        } else {
            sink.text(decode(message, size));
        }
        if (message.length > FIRST_PAYLOAD) {
            message = new byte[FIRST_PAYLOAD];
        }
    }

    private static String decode(byte[] bytes, int size) throws Breach {
        // Nearly every text is an acknowledgement, and a decoder of its own would cost more.
        String text = new String(bytes, 0, size, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return text;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, size))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Breach(1007, "not UTF-8");
        }
    }
}
