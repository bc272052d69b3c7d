package dev.tandem.hub.agent;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds programs the way a shell would, by looking only: nothing is run. */
final class Programs {
    private final List<Path> directories;

    Programs(String searchPath) {
        this.directories =
                Stream.of(searchPath.split(File.pathSeparator, -1))
                        .filter(part -> !part.isBlank())
                        .map(Path::of)
                        .filter(Path::isAbsolute)
                        .toList();
    }

    static Programs ofUser() {
        return new Programs(System.getenv().getOrDefault("PATH", ""));
    }

    Optional<Path> find(String program) {
        return candidates(program).filter(Programs::runnable).findFirst();
    }

    /** Where the program lies, or the sentence that says why it cannot be started. */
    Path require(String program) {
        Optional<Path> found = find(program);
        if (found.isPresent()) {
            return found.get();
        }
        Optional<Path> present = candidates(program).filter(Files::exists).findFirst();
        if (present.isPresent()) {
            throw new AgentException(
                    "agent_start_failed",
                    "%s is not an executable file. Run chmod +x on it, or correct the agent's entry."
                            .formatted(present.get()));
        }
        throw new AgentException(
                "agent_not_found",
                "The program \"%s\" was not found. Install it, or correct the agent's entry."
                        .formatted(program));
    }

    private Stream<Path> candidates(String program) {
        try {
            if (program.contains("/")) {
                return Stream.of(Path.of(program).toAbsolutePath());
            }
            return program.isBlank()
                    ? Stream.empty()
                    : directories.stream().map(directory -> directory.resolve(program));
        } catch (InvalidPathException unusable) {
            return Stream.empty();
        }
    }

    private static boolean runnable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
