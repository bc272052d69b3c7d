package dev.tandem.hub.agent.scripted;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * What the JVM keeps of one start of the scripted agent, so that hundreds of later ones take a
 * third of the work. Made once for each compilation of it, beside its classes.
 */
final class StartCache {
    private static final String PACKAGE = ScriptedAgent.class.getPackageName().replace('.', '/');

    private StartCache() {}

    /** The arguments of a JVM that runs the agent of that place with these libraries. */
    static List<String> arguments(Path classes, List<String> libraries) {
        List<String> path = new ArrayList<>(libraries);
        try {
            Path folder = classes.resolveSibling("scripted-agent-" + newest(classes));
            Path jar = Files.isDirectory(classes) ? folder.resolve("agent.jar") : classes;
            Path cache = folder.resolve("agent.aot");
            path.addFirst(jar.toString());
            make(classes, jar, cache, path);
            if (Files.exists(cache)) {
                return line("-XX:AOTCache=" + cache, path);
            }
        } catch (IOException slower) {
            // a cache is no condition
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        path.set(0, classes.toString());
        return line("-Xshare:auto", path);
    }

    private static List<String> line(String option, List<String> path) {
        return List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Xlog:disable",
                option,
                "-cp",
                String.join(File.pathSeparator, path));
    }

    private static long newest(Path classes) throws IOException {
        Path place = Files.isDirectory(classes) ? classes.resolve(PACKAGE) : classes;
        try (Stream<Path> files = Files.walk(place)) {
            return files.mapToLong(file -> file.toFile().lastModified()).max().orElseThrow();
        }
    }

    // One of several test processes makes it, the others wait for that.
    private static void make(Path classes, Path jar, Path cache, List<String> path)
            throws IOException, InterruptedException {
        try (FileChannel channel =
                        FileChannel.open(
                                classes.resolveSibling("scripted-agent.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (Files.exists(cache)) {
                return;
            }
            forgetOlder(classes);
            Files.createDirectories(cache.getParent());
            if (!jar.equals(classes)) {
                ToolProvider.findFirst("jar")
                        .orElseThrow(() -> new IOException("This JDK has no jar tool."))
                        .run(
                                System.out,
                                System.err,
                                "cf",
                                jar.toString(),
                                "-C",
                                classes.toString(),
                                PACKAGE);
            }
            train(cache, path);
        }
    }

    private static void forgetOlder(Path classes) throws IOException {
        try (Stream<Path> beside = Files.list(classes.toAbsolutePath().getParent())) {
            List<Path> old =
                    beside.filter(one -> one.getFileName().toString().startsWith("scripted-agent-"))
                            .toList();
            for (Path folder : old) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
                }
            }
        }
    }

    private static void train(Path cache, List<String> path)
            throws IOException, InterruptedException {
        Path half = cache.resolveSibling("half.aot");
        List<String> command = new ArrayList<>();
        command.add(ScriptedAgentCommand.java());
        command.addAll(line("-XX:AOTCacheOutput=" + half, path));
        command.add(ScriptedAgent.class.getName());
        Process agent =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var in = agent.outputWriter()) {
            in.write(
                    """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
                    {"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
                    """);
        }
        if (!agent.waitFor(2, TimeUnit.MINUTES)) {
            agent.destroyForcibly();
        } else if (Files.exists(half)) {
            Files.move(half, cache, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
