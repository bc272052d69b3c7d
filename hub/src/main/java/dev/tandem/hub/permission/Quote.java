package dev.tandem.hub.permission;

/** Words of agents and pages, made harmless for a card: no control, bidi or hidden characters. */
final class Quote {
    private static final int LENGTH = 60;

    private Quote() {}

    /** What may stand between quotation marks of ours: it cannot end them itself. */
    static String of(String words) {
        return cut(clean(words).replaceAll("[\"“”„‟«»]", "’"), LENGTH);
    }

    static String clean(String words) {
        StringBuilder clean = new StringBuilder();
        words.codePoints()
                .map(c -> Character.isWhitespace(c) ? ' ' : c)
                .filter(c -> {
                    int type = Character.getType(c);
                    return type != Character.CONTROL
                            && type != Character.FORMAT
                            && type != Character.SURROGATE
                            && type != Character.PRIVATE_USE
                            && type != Character.UNASSIGNED;
                })
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    static String cut(String text, int length) {
        return text.codePointCount(0, text.length()) <= length
                ? text
                : text.substring(0, text.offsetByCodePoints(0, length - 1)) + "…";
    }
}
