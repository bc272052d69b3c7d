package dev.tandem.hub.browser;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** {@code tandem mcp} as a program of its own, from the classes under test. */
final class BridgeCommand {
    private BridgeCommand() {}

    static List<String> argv() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // whoever measures the tests measures the programs they start
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(word -> word.startsWith("-javaagent:"))
                .forEach(words::add);
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        words.addAll(List.of(System.getProperty("java.class.path"), "dev.tandem.cli.Main", "mcp"));
        return words;
    }

    /** A launcher in that folder, for a hub whose home it is. */
    static void launcherIn(Path folder) throws IOException {
        Path script = folder.resolve("tandem");
        String words = String.join("' '", argv().subList(0, argv().size() - 1));
        Files.writeString(script, "#!/bin/sh\nexec '" + words + "' \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
}
