package dev.tandem.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Long runs that prove what a short test cannot; each by its name, or all of them. */
public final class Soak {
    private static final Map<String, Run> RUNS = runs();

    private Soak() {}

    /** One long run; it throws when what it watches does not hold. */
    @FunctionalInterface
    interface Run {
        String go(Path home) throws Exception;
    }

    private static Map<String, Run> runs() {
        Map<String, Run> runs = new LinkedHashMap<>();
        runs.put("terminal", TerminalSoak::run);
        runs.put("kills", KillSoak::run);
        return runs;
    }

    public static void main(String[] args) {
        Path home = Path.of(System.getenv().getOrDefault("TANDEM_HOME", "."));
        List<String> wanted = args.length == 0 ? List.copyOf(RUNS.keySet()) : List.of(args);
        int failed = 0;
        for (String name : wanted) {
            Run run = RUNS.get(name);
            if (run == null) {
                System.err.println("No run is called " + name + ". Known: " + RUNS.keySet());
                System.exit(1);
                return;
            }
            failed += passed(name, run, home) ? 0 : 1;
        }
        System.exit(failed == 0 ? 0 : 2);
    }

    private static boolean passed(String name, Run run, Path home) {
        long begun = System.nanoTime();
        try {
            String result = run.go(home);
            long seconds = (System.nanoTime() - begun) / 1_000_000_000;
            System.out.printf("ok     %s: %s (%d s)%n", name, result, seconds);
            return true;
        } catch (Exception | AssertionError e) {
            System.out.printf("FAILED %s: %s%n", name, e);
            return false;
        }
    }
}
