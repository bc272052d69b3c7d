package dev.tandem.hub.sessions;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Clones a session's repository: https and ssh only, no hooks, no templates, no questions. */
final class GitClone {
    private static final Pattern ALLOWED =
            Pattern.compile("(https://|ssh://)[^\\s]+|[\\w.-]+@[\\w.-]+:[^\\s:]+");

    private GitClone() {}

    static void into(String url, Path folder) throws IOException {
        if (Files.isDirectory(folder.resolve(".git"))) {
            return;
        }
        if (!ALLOWED.matcher(url).matches()) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "A repository is cloned over https or ssh only.");
        }
        Files.createDirectories(folder);
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
        git.redirectErrorStream(true);
        Process process = git.start();
        try {
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("The repository could not be cloned: " + said.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Cloning was stopped.", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
