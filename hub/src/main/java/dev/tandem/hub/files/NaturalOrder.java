package dev.tandem.hub.files;

import java.text.Collator;
import java.util.Comparator;
import java.util.Locale;

/** Folders before files, then names as people sort them: digits count as numbers. */
final class NaturalOrder implements Comparator<Explorer.Item> {
    private final Collator collator = Collator.getInstance(Locale.ROOT);

    NaturalOrder() {
        // Upper and lower case are told apart only between names that are equal otherwise.
        collator.setStrength(Collator.SECONDARY);
    }

    @Override
    public int compare(Explorer.Item a, Explorer.Item b) {
        if (a.directory() != b.directory()) {
            return a.directory() ? -1 : 1;
        }
        int byName = names(a.name(), b.name());
        return byName != 0 ? byName : a.name().compareTo(b.name());
    }

    private int names(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int endA = end(a, i);
            int endB = end(b, j);
            String left = a.substring(i, endA);
            String right = b.substring(j, endB);
            int piece =
                    isDigit(left.charAt(0)) && isDigit(right.charAt(0))
                            ? numbers(left, right)
                            : collator.compare(left, right);
            if (piece != 0) {
                return piece;
            }
            i = endA;
            j = endB;
        }
        return Integer.compare(a.length() - i, b.length() - j);
    }

    private static int numbers(String a, String b) {
        String left = a.replaceFirst("^0+(?=.)", "");
        String right = b.replaceFirst("^0+(?=.)", "");
        return left.length() != right.length()
                ? Integer.compare(left.length(), right.length())
                : left.compareTo(right);
    }

    private static int end(String text, int from) {
        boolean digits = isDigit(text.charAt(from));
        int end = from + 1;
        while (end < text.length() && isDigit(text.charAt(end)) == digits) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
