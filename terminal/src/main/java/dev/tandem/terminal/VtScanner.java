package dev.tandem.terminal;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Splits terminal output into its control sequences. Not thread-safe. */
final class VtScanner {
    private static final int LONGEST_CSI = 256;
    private static final int LONGEST_OSC = 4096;
    private static final int LARGE = 512;
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final Sink sink;
    private final StringBuilder collected = new StringBuilder();
    private State state = State.GROUND;

    /** Receives what was found. */
    interface Sink {
        /** {@code ESC [ body last}, the body holding prefix, parameters and intermediates. */
        void csi(String body, char last);

        /** {@code ESC body last}, the body holding intermediates. */
        void escape(String body, char last);

        void osc(String text);

        void shift(boolean out);
    }

    private enum State {
        GROUND,
        ESCAPE,
        CSI,
        OSC,
        STRING,
        OSC_END,
        STRING_END
    }

    VtScanner(Sink sink) {
        this.sink = sink;
    }

    /** True between sequences: output may be cut here. */
    boolean atBoundary() {
        return state == State.GROUND;
    }

    /** True when there was nothing but text. */
    boolean scan(byte[] bytes, int from, int to) {
        if (state == State.GROUND && to - from >= LARGE && isText(bytes, from, to)) {
            return true;
        }
        boolean isText = true;
        int i = from;
        while (i < to) {
            if (state == State.GROUND) {
                i = skipText(bytes, i, to);
                if (i == to) {
                    return isText;
                }
            }
            isText = false;
            step(bytes[i++] & 0xFF);
        }
        return isText;
    }

    // In a flood looking for sequences is most of what we compute; the C library does it in
    // vectors.
    private static boolean isText(byte[] bytes, int from, int to) {
        MemorySegment block = MemorySegment.ofArray(bytes).asSlice(from, to - from);
        return !Posix.contains(block, 0x1B)
                && !Posix.contains(block, 0x0E)
                && !Posix.contains(block, 0x0F);
    }

    // Plain text is nearly everything: eight bytes at a time until one may be ESC, SO or SI.
    private static int skipText(byte[] bytes, int from, int to) {
        int i = from;
        while (i + 8 <= to) {
            long odd = (long) WORDS.get(bytes, i) | ONES;
            long escape = odd ^ 0x1B1B1B1B1B1B1B1BL;
            long shift = odd ^ 0x0F0F0F0F0F0F0F0FL;
            long hit = ((escape - ONES) & ~escape) | ((shift - ONES) & ~shift);
            if ((hit & HIGHS) != 0) {
                break;
            }
            i += 8;
        }
        while (i < to && bytes[i] != 0x1B && bytes[i] != 0x0E && bytes[i] != 0x0F) {
            i++;
        }
        return i;
    }

    private void step(int b) {
        switch (state) {
            case GROUND -> ground(b);
            case ESCAPE -> escape(b);
            case CSI -> csi(b);
            case OSC -> string(b, State.OSC_END);
            case STRING -> string(b, State.STRING_END);
            case OSC_END -> ended(b, true);
            case STRING_END -> ended(b, false);
        }
    }

    private void ground(int b) {
        if (b == 0x1B) {
            begin();
        } else if (b == 0x0E || b == 0x0F) {
            sink.shift(b == 0x0E);
        }
    }

    private void begin() {
        state = State.ESCAPE;
        collected.setLength(0);
    }

    private void escape(int b) {
        if (b == 0x1B) {
            begin();
        } else if (b == 0x18 || b == 0x1A) {
            state = State.GROUND;
        } else if (b >= 0x20 && b < 0x30) {
            collect(b, LONGEST_CSI);
        } else if (b >= 0x30 && collected.length() == 0 && introduces(b)) {
            return;
        } else if (b >= 0x30) {
            state = State.GROUND;
            sink.escape(collected.toString(), (char) b);
        }
    }

    private boolean introduces(int b) {
        switch (b) {
            case '[' -> state = State.CSI;
            case ']' -> state = State.OSC;
            case 'P', 'X', '^', '_' -> state = State.STRING;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void csi(int b) {
        if (b == 0x1B) {
            begin();
        } else if (b == 0x18 || b == 0x1A) {
            state = State.GROUND;
        } else if (b >= 0x40 && b < 0x7F) {
            state = State.GROUND;
            if (collected.length() < LONGEST_CSI) {
                sink.csi(collected.toString(), (char) b);
            }
        } else if (b >= 0x20) {
            collect(b, LONGEST_CSI);
        }
    }

    private void string(int b, State end) {
        if (b == 0x1B) {
            state = end;
        } else if (b == 0x18 || b == 0x1A) {
            state = State.GROUND;
        } else if (b == 0x07 && end == State.OSC_END) {
            finishOsc();
        } else if (end == State.OSC_END) {
            collect(b, LONGEST_OSC);
        }
    }

    private void ended(int b, boolean osc) {
        if (b != '\\') {
            begin();
            escape(b);
        } else if (osc) {
            finishOsc();
        } else {
            state = State.GROUND;
        }
    }

    private void finishOsc() {
        state = State.GROUND;
        byte[] raw = collected.toString().getBytes(StandardCharsets.ISO_8859_1);
        sink.osc(new String(raw, StandardCharsets.UTF_8));
    }

    private void collect(int b, int longest) {
        if (collected.length() < longest) {
            collected.append((char) b);
        }
    }
}
