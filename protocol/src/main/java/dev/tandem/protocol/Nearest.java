package dev.tandem.protocol;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that somebody probably meant. */
public final class Nearest {
    private Nearest() {}

    /** The candidate within a third of the word's length in edits; empty when none is that near. */
    public static Optional<String> to(String word, Collection<String> candidates) {
        String lower = word.toLowerCase(Locale.ROOT);
        int limit = Math.max(1, Math.min(word.length(), 24) / 3);
        int best = limit + 1;
        Optional<String> nearest = Optional.empty();
        for (String candidate : candidates) {
            int distance = distance(lower, candidate.toLowerCase(Locale.ROOT), best);
            if (distance < best) {
                best = distance;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /**
     * Edits between two words, a swap of neighbours counting once; {@code enough} means "too far".
     */
    private static int distance(String a, String b, int enough) {
        if (Math.abs(a.length() - b.length()) >= enough) {
            return enough;
        }
        int[] before = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + (same ? 0 : 1));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
            int[] free = before;
            before = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
