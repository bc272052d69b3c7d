package dev.tandem.protocol;

/** The size that text has on the wire. */
public final class Utf8 {
    private Utf8() {}

    /** How many bytes the text takes, without writing them. */
    public static int length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Each half of a pair counts for two of its four bytes.
                length += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return length;
    }
}
