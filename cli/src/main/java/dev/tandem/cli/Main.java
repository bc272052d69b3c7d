package dev.tandem.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs command lines in a JVM of their own: what needs no hub, and {@code doctor}. */
public final class Main {
    /** Tells the launcher that this command line is right and needs a hub. */
    static final int NEEDS_HUB = 75;

    private Main() {}

    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, false, StandardCharsets.UTF_8);
        if (isBridge(List.of(args))) {
            System.exit(bridge(List.of(args).subList(1, args.length), out, err));
        }
        int exit = run(List.of(args), sink(out, err));
        out.flush();
        err.flush();
        System.exit(exit);
    }

    /** {@code mcp} alone serves; with a second word it is a command like the others. */
    private static boolean isBridge(List<String> args) {
        return !args.isEmpty()
                && args.getFirst().equals("mcp")
                && args.stream().skip(1).allMatch(word -> word.startsWith("--"))
                && !args.contains("--help");
    }

    private static int bridge(List<String> words, PrintStream out, PrintStream err) {
        try {
            McpDoorway doorway = McpDoorway.of(words, System.getenv());
            return new McpBridge(doorway, out).run(System.in);
        } catch (UsageException e) {
            err.println("tandem: " + e.message() + "\nUsage: tandem mcp [--as-user]");
            err.flush();
            return Printer.USAGE;
        } catch (IOException e) {
            return Printer.FAILED;
        }
    }

    static int run(List<String> args, Invocation.Sink sink) {
        boolean withoutHub = !args.isEmpty() && args.getFirst().equals("--without-hub");
        List<String> words = withoutHub ? args.subList(1, args.size()) : args;
        if (words.equals(List.of("mcp", "--help")) || words.equals(List.of("mcp", "-h"))) {
            return run(List.of("help", "mcp"), sink);
        }
        if (!words.isEmpty() && words.getFirst().equals("doctor")) {
            return Doctor.of(System.getenv(), sink).run(words.subList(1, words.size()));
        }
        Invocation invocation =
                new Invocation(
                        words,
                        Path.of("").toAbsolutePath(),
                        new Invocation.Terminal(false, false, columns(System.getenv()), false),
                        () -> {
                            throw new NeedsHub();
                        },
                        sink);
        try {
            return Cli.run(invocation, noHub());
        } catch (NeedsHub e) {
            return NEEDS_HUB;
        }
    }

    /** How wide the launcher found the terminal; 0 where there is none. */
    static int columns(Map<String, String> environment) {
        String said = environment.getOrDefault("COLUMNS", "");
        return said.matches("[0-9]{1,4}") ? Integer.parseInt(said) : 0;
    }

    private static Port noHub() {
        return (Port)
                Proxy.newProxyInstance(
                        Port.class.getClassLoader(),
                        new Class<?>[] {Port.class},
                        (proxy, method, arguments) -> {
                            throw new NeedsHub();
                        });
    }

    private static Invocation.Sink sink(PrintStream out, PrintStream err) {
        return new Invocation.Sink() {
            @Override
            public void out(String text) {
                out.print(text);
            }

            @Override
            public void err(String text) {
                err.print(text);
            }
        };
    }

    /** The command line is right so far; the rest needs a hub. */
    private static final class NeedsHub extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
