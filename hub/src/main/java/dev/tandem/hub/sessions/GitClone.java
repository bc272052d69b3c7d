package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clones a session's repository: https and ssh only, no hooks, no templates, no questions. The
 * folder is there when all of it is; an interrupt ends the work and leaves nothing.
 */
final class GitClone {
    private static final Pattern ALLOWED =
            Pattern.compile("(https://|ssh://)[^\\s]+|[\\w.-]+@[\\w.-]+:[^\\s:]+");

    private static final int MOST_SAID = 4000;

    private GitClone() {}

    static void into(String url, Path folder) throws IOException {
        into(url, folder, Map.of());
    }

    /**
     * @param more variables for git beside the user's own
     */
    static void into(String url, Path folder, Map<String, String> more) throws IOException {
        if (Files.isDirectory(folder.resolve(".git"))) {
            return;
        }
        if (!ALLOWED.matcher(url).matches()) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "A repository is cloned over https or ssh only.");
        }
        Path part = folder.resolveSibling(folder.getFileName() + ".part");
        remove(part);
        Files.createDirectories(part);
        try {
            run(git(url, part, more), part.resolveSibling(part.getFileName() + ".said"));
            Files.move(part, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            remove(part);
        }
    }

    private static ProcessBuilder git(String url, Path folder, Map<String, String> more) {
        ProcessBuilder git =
                new ProcessBuilder(
                        List.of(
                                "git",
                                "-c",
                                "core.hooksPath=/dev/null",
                                "-c",
                                "protocol.file.allow=never",
                                "clone",
                                "--template=",
                                "--no-recurse-submodules",
                                "--",
                                url,
                                folder.toString()));
        git.environment().put("GIT_ALLOW_PROTOCOL", "https:ssh");
        git.environment().put("GIT_TERMINAL_PROMPT", "0");
        git.environment().putIfAbsent("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        git.environment().putAll(more);
        // The user's settings name programs that git runs, and agents can write those settings.
        ProcessTrees.apart(git);
        return git.redirectErrorStream(true);
    }

    /** Says it into a file: a pipe stays open as long as anything that git started holds it. */
    private static void run(ProcessBuilder git, Path said) throws IOException {
        Process process = git.redirectOutput(said.toFile()).start();
        try {
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                throw new IOException("The repository could not be cloned: " + last(said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Cloning was stopped.", e);
        } finally {
            List<ProcessHandle> helpers = process.descendants().toList();
            process.destroyForcibly();
            helpers.forEach(ProcessHandle::destroyForcibly);
            process.onExit().join();
            helpers.forEach(helper -> helper.onExit().join());
            Files.deleteIfExists(said);
        }
    }

    private static String last(Path said) throws IOException {
        String all = new String(Files.readAllBytes(said), StandardCharsets.UTF_8).strip();
        return all.substring(Math.max(0, all.length() - MOST_SAID));
    }

    private static void remove(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
