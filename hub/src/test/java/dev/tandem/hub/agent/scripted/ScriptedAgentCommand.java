package dev.tandem.hub.agent.scripted;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts the scripted agent as a program of its own. */
public final class ScriptedAgentCommand {
    private static final List<String> JVM =
            StartCache.arguments(
                    placeOf(ScriptedAgent.class),
                    List.of(
                            placeOf(tools.jackson.databind.JsonNode.class).toString(),
                            placeOf(tools.jackson.core.JsonParser.class).toString(),
                            placeOf(com.fasterxml.jackson.annotation.JsonFormat.class).toString()));

    private ScriptedAgentCommand() {}

    public static List<String> argv(String... flags) {
        List<String> argv = new ArrayList<>();
        argv.add(java());
        argv.addAll(JVM);
        argv.add(ScriptedAgent.class.getName());
        argv.addAll(List.of(flags));
        return argv;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
