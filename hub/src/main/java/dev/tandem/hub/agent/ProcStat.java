package dev.tandem.hub.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Linux tells about a process; nothing at all on other systems. */
record ProcStat(long pid, char state, long parent, long session, long startTicks) {
    private static final Path PROC = Path.of("/proc");

    static Optional<ProcStat> of(long pid) {
        try {
            String stat =
                    Files.readString(
                            PROC.resolve(Long.toString(pid)).resolve("stat"),
                            StandardCharsets.ISO_8859_1);
            // The name in parentheses may itself hold blanks and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of(
                    new ProcStat(
                            pid,
                            fields[0].charAt(0),
                            Long.parseLong(fields[1]),
                            Long.parseLong(fields[3]),
                            Long.parseLong(fields[19])));
        } catch (IOException | RuntimeException gone) {
            return Optional.empty();
        }
    }

    static List<ProcStat> all() {
        List<ProcStat> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path entry : entries) {
                of(Long.parseLong(entry.getFileName().toString())).ifPresent(found::add);
            }
        } catch (IOException | RuntimeException elsewhere) {
            return List.of();
        }
        return found;
    }

    /** Whether the process was started with this exact NAME=value in its environment. */
    boolean startedWith(String assignment) {
        try {
            byte[] environment =
                    Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("environ"));
            String all = "\0" + new String(environment, StandardCharsets.ISO_8859_1);
            return all.contains("\0" + assignment + "\0");
        } catch (IOException gone) {
            return false;
        }
    }

    boolean isZombie() {
        return state == 'Z';
    }
}
