package dev.tandem.agent;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What can be said about a page from its text alone. */
final class PageText {
    private static final int SHOWN_LINE = 200;

    private final List<String> lines;

    PageText(String text) {
        this.lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    int words() {
        return lines.stream().mapToInt(line -> line.split("\\s+").length).sum();
    }

    /** Headings with their level kept as indentation. */
    List<String> headings() {
        List<String> found = new ArrayList<>();
        for (String line : lines) {
            if (line.matches("#{1,6} .+")) {
                int level = line.indexOf(' ');
                found.add("  ".repeat(level - 1) + "- " + cut(line.substring(level + 1)));
            }
        }
        return found;
    }

    /** The first lines that read like sentences. */
    List<String> opening(int count) {
        List<String> prose =
                lines.stream()
                        .filter(line -> !line.startsWith("#") && line.split("\\s+").length > 6)
                        .limit(count)
                        .map(PageText::cut)
                        .toList();
        return prose.isEmpty() ? lines.stream().limit(count).map(PageText::cut).toList() : prose;
    }

    /** Lines that hold all the words, case aside. */
    List<String> find(String words) {
        List<String> wanted = List.of(words.toLowerCase(Locale.ROOT).strip().split("\\s+"));
        return lines.stream()
                .filter(line -> {
                    String low = line.toLowerCase(Locale.ROOT);
                    return wanted.stream().allMatch(low::contains);
                })
                .map(PageText::cut)
                .toList();
    }

    /** Lines that hold one of the words, the short ones aside. */
    List<String> findSome(String words) {
        List<String> wanted =
                List.of(words.toLowerCase(Locale.ROOT).strip().split("\\s+")).stream()
                        .filter(word -> word.length() > 3)
                        .toList();
        return lines.stream()
                .filter(line -> wanted.stream().anyMatch(line.toLowerCase(Locale.ROOT)::contains))
                .map(PageText::cut)
                .toList();
    }

    /** Lines that the other page does not have. */
    List<String> notIn(PageText other) {
        Set<String> theirs = Set.copyOf(other.lines);
        return new LinkedHashSet<>(lines)
                .stream().filter(line -> !theirs.contains(line)).map(PageText::cut).toList();
    }

    int sharedWith(PageText other) {
        Set<String> mine = new LinkedHashSet<>(lines);
        mine.retainAll(Set.copyOf(other.lines));
        return mine.size();
    }

    private static String cut(String line) {
        return line.length() <= SHOWN_LINE ? line : line.substring(0, SHOWN_LINE) + "…";
    }
}
