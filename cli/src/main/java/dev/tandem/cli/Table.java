package dev.tandem.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows with aligned columns that fit the terminal; the last column is cut, or goes on below. In a
 * pipe or a file it stays whole.
 */
final class Table {
    private static final int WIDTH = 80;
    private static final int MOST = 34;
    private static final int LEAST = 8;
    private static final int PHRASE = 26;

    private final List<List<String>> rows = new ArrayList<>();
    private final int width;
    private final boolean wraps;

    Table(int columns) {
        this(columns, false);
    }

    private Table(int columns, boolean wraps) {
        this.width = columns > 20 ? columns : wraps || columns > 0 ? WIDTH : Integer.MAX_VALUE;
        this.wraps = wraps;
    }

    /** One that says everything: what does not fit goes on in the next line. */
    static Table whole(int columns) {
        return new Table(columns, true);
    }

    Table row(String... cells) {
        List<String> clean = new ArrayList<>();
        for (String cell : cells) {
            clean.add(Visible.line(cell));
        }
        rows.add(clean);
        return this;
    }

    /** A line of its own that no column follows. */
    Table heading(String text) {
        rows.add(List.of(Visible.line(text)));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public String toString() {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size() && row.size() > 1; i++) {
                widths[i] = Math.min(MOST, Math.max(widths[i], row.get(i).length()));
            }
        }
        fit(widths);
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            int begin = 0;
            for (int i = 0; i < row.size() - 1; i++) {
                String cell = row.get(i);
                begin += widths[i] + 2;
                if (wraps && row.size() == 2 && cell.length() > widths[i]) {
                    // a name is of no use in part
                    line.append(cell).append('\n').append(" ".repeat(begin));
                } else {
                    line.append(cut(cell, widths[i]));
                    line.append(" ".repeat(begin - line.length()));
                }
            }
            int room = Math.max(LEAST, width - begin);
            String indent = " ".repeat(begin);
            String end = row.getLast();
            line.append(wraps ? String.join("\n" + indent, lines(end, room)) : cut(end, room));
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    /**
     * The widest columns give way until something of the last one has room; not the first, by which
     * rows are told apart, while there is another.
     */
    private void fit(int[] widths) {
        int last = widths.length - 1;
        int room = last > 0 && wraps ? Math.clamp(widths[last], LEAST, PHRASE) : LEAST;
        while (last > 0 && IntStream.range(0, last).map(i -> widths[i] + 2).sum() > width - room) {
            int widest = Math.min(1, last - 1);
            for (int i = widest + 1; i < last; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widths[widest] <= LEAST) {
                return;
            }
            widths[widest]--;
        }
    }

    /** Broken between words; a word longer than the room stays whole. */
    private static List<String> lines(String cell, int room) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : cell.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > room) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String cut(String cell, int room) {
        return cell.length() <= room ? cell : cell.substring(0, room - 1) + "…";
    }
}
