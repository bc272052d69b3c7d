package dev.tandem.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows with aligned columns that fit the terminal; the last column is cut, never wrapped. */
final class Table {
    private static final int WIDTH = 80;
    private static final int MOST = 34;

    private final List<List<String>> rows = new ArrayList<>();
    private final int width;

    Table(int columns) {
        this.width = columns > 20 ? columns : WIDTH;
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
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                boolean last = i == row.size() - 1;
                int room = last ? Math.max(8, width - line.length()) : widths[i];
                String cell = cut(row.get(i), room);
                line.append(cell);
                if (!last) {
                    line.append(" ".repeat(room - cell.length() + 2));
                }
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private static String cut(String cell, int room) {
        return cell.length() <= room ? cell : cell.substring(0, room - 1) + "…";
    }
}
