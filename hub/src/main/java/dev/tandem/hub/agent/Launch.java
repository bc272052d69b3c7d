package dev.tandem.hub.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How one agent process is started.
 *
 * @param owner the name under which {@link ProcessTrees#ownerOf} knows its descendants
 * @param env added to the user's environment after it was cleaned
 */
public record Launch(String owner, List<String> argv, Path cwd, Map<String, String> env) {
    public Launch {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("an agent needs a program");
        }
    }
}
