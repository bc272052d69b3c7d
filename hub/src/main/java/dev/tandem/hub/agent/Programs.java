package dev.tandem.hub.agent;

import java.io.File;
import java.io.IOException;
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

    /** The bare name where that alone would start the same program, else the path as given. */
    String nameOf(String program) {
        Path name = Path.of(program).getFileName();
        if (name == null || !program.contains("/")) {
            return program;
        }
        Optional<Path> usual = find(name.toString()).map(Programs::real);
        return usual.equals(Optional.of(real(Path.of(program)))) ? name.toString() : program;
    }

    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException missing) {
            return file;
        }
    }

    /** Where the program lies, or the sentence that says why it cannot be started. */
    Path require(String program) {
        return find(program)
                .orElseThrow(() ->
                        new AgentException(
                                present(program).isPresent()
                                        ? "agent_start_failed"
                                        : "agent_not_found",
                                missing(program)));
    }

    /** Why a program that was not found cannot be started, and what to do about it. */
    String missing(String program) {
        return present(program)
                .map(file ->
                        "%s is not an executable file. Run chmod +x on it, or correct the agent's entry."
                                .formatted(file))
                .orElseGet(() ->
                        "The program \"%s\" was not found. Install it, or correct the agent's entry."
                                .formatted(program));
    }

    private Optional<Path> present(String program) {
        return candidates(program).filter(Files::exists).findFirst();
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
