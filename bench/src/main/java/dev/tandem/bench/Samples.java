package dev.tandem.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Durations in nanoseconds. */
final class Samples {
    private final List<Long> all = new ArrayList<>();

    /** Something that can be timed. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    void time(Work work) throws Exception {
        long began = System.nanoTime();
        work.run();
        all.add(System.nanoTime() - began);
    }

    void add(long nanos) {
        all.add(nanos);
    }

    double millis(double quantile) {
        List<Long> sorted = new ArrayList<>(all);
        Collections.sort(sorted);
        int at = (int) Math.min(sorted.size() - 1L, Math.round(quantile * (sorted.size() - 1)));
        return sorted.get(at) / 1e6;
    }
}
