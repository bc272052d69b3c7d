package dev.tandem.hub.terminal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the terminal agent is started: this Java, a class path, and a start-up cache if there is one.
 */
public record AgentCommand(String classPath, List<String> startUp) {

    private static final String ELSEWHERE = "tandem.terminal.classpath";
    private static final String TRAIN = "tandem.terminal.train";
    private static final List<String> JARS = List.of("tandem-terminal-", "jackson-");

    /** The agent that was built beside this hub; none when the hub does not run from its jar. */
    public static Optional<AgentCommand> installed() {
        String named = System.getProperty(ELSEWHERE, "");
        if (!named.isEmpty()) {
            return Optional.of(new AgentCommand(named, List.of()));
        }
        String classPath = System.getProperty("java.class.path", "");
        return jar(classPath, "tandem-hub-").isEmpty()
                ? Optional.empty()
                : jar(classPath, "tandem-terminal-")
                        .map(jar -> new AgentCommand(needed(classPath), startUp(jar)));
    }

    // The hub's jars without those that only the hub needs: each one opened costs a start.
    private static String needed(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry ->
                        JARS.stream().anyMatch(jar -> entry.contains(File.separator + jar)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Optional<Path> jar(String classPath, String name) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry -> entry.contains(File.separator + name) && entry.endsWith(".jar"))
                .map(Path::of)
                .findFirst();
    }

    // While the build trains it, the agent writes its cache; later starts read it.
    private static List<String> startUp(Path jar) {
        String trained = System.getProperty(TRAIN, "");
        return trained.isEmpty()
                ? cacheBeside(jar).map(file -> quietly("-XX:AOTCache=" + file)).orElse(List.of())
                : quietly("-XX:AOTCacheOutput=" + trained);
    }

    private static List<String> quietly(String option) {
        return List.of(option, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    private static Optional<Path> cacheBeside(Path jar) {
        Path lib = jar.toAbsolutePath().getParent();
        return Optional.ofNullable(lib)
                .map(folder -> folder.resolveSibling("terminal.aot"))
                .filter(Files::isRegularFile);
    }

    List<String> line(List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(startUp);
        // A small heap: the bytes of a terminal pass through buffers of fixed size, and what is
        // thrown away goes round in a young generation that stays in the processor's cache. What
        // the compiler needed while the first terminals ran goes back to the system.
        line.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xms8m",
                        "-Xmn3m",
                        "-Xmx64m",
                        "-Xss512k",
                        "-XX:MaxDirectMemorySize=32m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:CICompilerCount=1",
                        "-XX:TrimNativeHeapInterval=10000",
                        "-XX:-UsePerfData",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        "dev.tandem.terminal.Main"));
        line.addAll(arguments);
        return line;
    }
}
