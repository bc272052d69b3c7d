package dev.tandem.hub.health;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Numbers that capabilities publish about themselves, read when somebody asks. */
public final class Gauges {
    private record Gauge(String help, DoubleSupplier value) {}

    private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();
    private volatile Supplier<String> mode = () -> "launched";

    public Gauges() {
        Runtime runtime = Runtime.getRuntime();
        add("tandem_heap_bytes", "Heap in use", () -> runtime.totalMemory() - runtime.freeMemory());
    }

    public void add(String name, String help, DoubleSupplier value) {
        gauges.put(name, new Gauge(help, value));
    }

    public void mode(Supplier<String> words) {
        mode = words;
    }

    String mode() {
        return mode.get();
    }

    long value(String name) {
        Gauge gauge = gauges.get(name);
        return gauge == null ? 0 : (long) gauge.value.getAsDouble();
    }

    /** All gauges in the Prometheus text form. */
    String text() {
        StringBuilder text = new StringBuilder();
        gauges.forEach((name, gauge) ->
                text.append("# HELP ")
                        .append(name)
                        .append(' ')
                        .append(gauge.help)
                        .append("\n# TYPE ")
                        .append(name)
                        .append(" gauge\n")
                        .append(name)
                        .append(' ')
                        .append(gauge.value.getAsDouble())
                        .append('\n'));
        return text.toString();
    }
}
