package dev.tandem.cli;

import java.util.List;

/** The lines that differ between two texts, with a little of what stands around them. */
final class Diff {
    private static final int AROUND = 2;

    private Diff() {}

    /** Lines with "+", "-" or a blank before them; secrets are not shown. Empty for equal texts. */
    static String of(String before, String after) {
        if (before.equals(after)) {
            return "";
        }
        List<String> old = before.lines().toList();
        List<String> fresh = after.lines().toList();
        int head = 0;
        int most = Math.min(old.size(), fresh.size());
        while (head < most && old.get(head).equals(fresh.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < most - head
                && old.get(old.size() - 1 - tail).equals(fresh.get(fresh.size() - 1 - tail))) {
            tail++;
        }
        StringBuilder out = new StringBuilder();
        lines(out, "  ", old.subList(Math.max(0, head - AROUND), head));
        lines(out, "- ", old.subList(head, old.size() - tail));
        lines(out, "+ ", fresh.subList(head, fresh.size() - tail));
        int rest = old.size() - tail;
        lines(out, "  ", old.subList(rest, Math.min(old.size(), rest + AROUND)));
        return out.toString().stripTrailing().replaceAll("tdc_[A-Za-z0-9_-]+", "tdc_…");
    }

    private static void lines(StringBuilder out, String mark, List<String> lines) {
        lines.forEach(line -> out.append(mark).append(line).append('\n'));
    }
}
