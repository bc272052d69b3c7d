package dev.tandem.cli;

/** Makes strings from elsewhere harmless for a terminal. */
public final class Visible {
    private Visible() {}

    /** Control and direction characters become visible escapes; line ends and tabs stay. */
    public static String text(String text) {
        return escape(text, true);
    }

    /** As {@link #text}, for a place that has one line: line ends and tabs are escaped too. */
    public static String line(String text) {
        return escape(text, false);
    }

    /** JSON that means the same and holds none of these characters as they are. */
    public static String json(String json) {
        StringBuilder out = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if ((c >= 0x7f && c < 0xa0) || isDirection(c) || isLoneSurrogate(json, i)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String escape(String text, boolean lines) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (lines && (c == '\n' || c == '\t')) {
                out.append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c == '\t') {
                out.append("\\t");
            } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
                out.append(String.format("\\x%02x", (int) c));
            } else if (isDirection(c) || isLoneSurrogate(text, i)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Marks that turn the direction of text or stay unseen between characters. */
    private static boolean isDirection(char c) {
        return c == 0x061c
                || (c >= 0x200b && c <= 0x200f)
                || (c >= 0x2028 && c <= 0x202e)
                || (c >= 0x2060 && c <= 0x2069)
                || c == 0xfeff;
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 >= text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c)
                && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
