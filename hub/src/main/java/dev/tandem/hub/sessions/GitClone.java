package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clones a session's repository: https and ssh only, no hooks, no templates, no questions. The
 * folder is there when all of it is; an interrupt ends the work and leaves nothing.
 */
final class GitClone {
    private static final Pattern ALLOWED =
            Pattern.compile("(https://|ssh://)[^\\s]+|[\\w.-]+@[\\w.-]+:[^\\s:]+");

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
            run(git(url, part, more));
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

    private static void run(ProcessBuilder git) throws IOException {
        Process process = git.start();
        try {
            process.getOutputStream().close();
            // Reading takes no notice of an interrupt; waiting for the end does.
            CompletableFuture<String> said =
                    CompletableFuture.supplyAsync(
                            () -> all(process.getInputStream()),
                            task -> Thread.ofVirtual().name("git-output").start(task));
            if (process.waitFor() != 0) {
                throw new IOException("The repository could not be cloned: " + said.join().strip());
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
        }
    }

    private static String all(InputStream output) {
        try (output) {
            return new String(output.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
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
