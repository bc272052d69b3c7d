package dev.tandem.hub.agent.scripted;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The command line that starts the scripted agent as a program of its own. */
public final class ScriptedAgentCommand {
    private ScriptedAgentCommand() {}

    public static List<String> argv(String... flags) {
        Set<String> classpath = new LinkedHashSet<>();
        for (Class<?> needed :
                List.of(
                        ScriptedAgent.class,
                        tools.jackson.databind.JsonNode.class,
                        tools.jackson.core.JsonParser.class,
                        com.fasterxml.jackson.annotation.JsonFormat.class)) {
            classpath.add(placeOf(needed));
        }
        List<String> argv =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                "-cp",
                                String.join(File.pathSeparator, classpath),
                                ScriptedAgent.class.getName()));
        argv.addAll(List.of(flags));
        return argv;
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .toString();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
