package dev.tandem.hub.terminal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the terminal agent is started: this Java, a class path, and a start-up cache if there is one.
 */
public record AgentCommand(String classPath, Optional<Path> cache) {

    private static final String ELSEWHERE = "tandem.terminal.classpath";

    /** The agent that was built beside this hub; none when the hub does not run from its jar. */
    public static Optional<AgentCommand> installed() {
        String named = System.getProperty(ELSEWHERE, "");
        if (!named.isEmpty()) {
            return Optional.of(new AgentCommand(named, Optional.empty()));
        }
        String classPath = System.getProperty("java.class.path", "");
        return jar(classPath, "tandem-hub-").isEmpty()
                ? Optional.empty()
                : jar(classPath, "tandem-terminal-")
                        .map(jar -> new AgentCommand(classPath, cacheBeside(jar)));
    }

    private static Optional<Path> jar(String classPath, String name) {
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry -> entry.contains(File.separator + name) && entry.endsWith(".jar"))
                .map(Path::of)
                .findFirst();
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
        cache.ifPresent(file -> {
            line.add("-XX:AOTCache=" + file);
            line.add("-Xlog:aot=off");
            line.add("-Xlog:cds=off");
        });
        // A small heap: the bytes of a terminal pass through buffers of fixed size.
        line.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-Xss512k",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        "dev.tandem.terminal.Main"));
        line.addAll(arguments);
        return line;
    }
}
