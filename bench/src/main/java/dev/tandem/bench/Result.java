package dev.tandem.bench;

import java.util.Locale;

/**
 * One line of the table.
 *
 * @param what is measured
 * @param ours the product's number
 * @param floor what is possible at best; zero where the bar is absolute
 * @param bar the ratio, or the number, that must not be exceeded; not a number where there is none
 */
record Result(String what, double ours, double floor, double bar, String unit) {
    boolean holds() {
        return value() <= bar;
    }

    private double value() {
        return floor > 0 ? ours / floor : ours;
    }

    static String head() {
        return String.format("%-42s %10s %10s %8s %8s%n", "what", "ours", "floor", "ratio", "bar");
    }

    String line() {
        String ratio = floor > 0 ? String.format(Locale.ROOT, "%.2f", value()) : "–";
        String floorText = floor > 0 ? number(floor) : "–";
        String barText = floor > 0 ? String.format(Locale.ROOT, "%.2f ×", bar) : number(bar);
        return String.format(
                "%-42s %10s %10s %8s %8s  %s%n",
                what,
                number(ours),
                floorText,
                ratio,
                Double.isNaN(bar) ? "–" : barText,
                Double.isNaN(bar) ? "" : holds() ? "ok" : "OVER");
    }

    private String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
    }
}
