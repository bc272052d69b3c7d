package dev.tandem.hub.browser;

import dev.tandem.cli.Visible;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the browsers that the hub starts say on standard error, in a file for the user alone, of
 * which only so much is kept.
 */
final class BrowserLog {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserLog.class);
    private static final int MOST_BYTES = Limits.of("browserLogBytes");

    private final Path file;

    BrowserLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Keeps what comes from there, until its end. */
    Words follow(InputStream in) {
        return new Words(this, in);
    }

    /** A disk that is full keeps no browser from being read. */
    private synchronized void write(byte[] bytes, int count) {
        try {
            if (Files.exists(file) && Files.size(file) + count > MOST_BYTES) {
                Files.move(
                        file,
                        file.resolveSibling(file.getFileName() + ".1"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            try (SeekableByteChannel out =
                    Files.newByteChannel(
                            file,
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")))) {
                out.write(ByteBuffer.wrap(bytes, 0, count));
            }
        } catch (IOException e) {
            LOG.debug("What a browser said was not kept: {}", e.getMessage());
        }
    }

    /** The last of what one browser said; any thread may ask. */
    static final class Words {
        private static final int LINES = 50;
        private static final int TOLD_LINES = 3;
        private static final int TOLD_CHARS = 400;
        private static final Duration MOMENT = Duration.ofMillis(500);

        /** As in {@code [41:41:1118/203249.120365:FATAL:zygote_host_impl_linux.cc(132)]}. */
        private static final Pattern HEAD = Pattern.compile("^\\[[\\d:/.]+:([A-Z]+)[^]]*] ?");

        private static final Pattern STACK =
                Pattern.compile(
                        "^#\\d+ .*|^ *[a-z0-9]{2,3}: [0-9a-f]{16}.*|^Received signal .*"
                                + "|^\\[end of stack trace].*|^Calling _exit.*");

        private final ArrayDeque<String> lines = new ArrayDeque<>();
        private final Thread reader;

        private Words(BrowserLog log, InputStream in) {
            // A blocking read of a pipe would hold a carrier of the virtual threads.
            reader = Thread.ofPlatform().name("browser-log").daemon().start(() -> read(log, in));
        }

        private void read(BrowserLog log, InputStream in) {
            byte[] chunk = new byte[8192];
            StringBuilder rest = new StringBuilder();
            try (in) {
                for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                    log.write(chunk, count);
                    rest.append(new String(chunk, 0, count, StandardCharsets.UTF_8));
                    for (int end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
                        add(rest.substring(0, end));
                        rest.delete(0, end + 1);
                    }
                    rest.setLength(Math.min(rest.length(), TOLD_CHARS));
                }
            } catch (IOException e) {
                LOG.debug("A browser's errors ended: {}", e.getMessage());
            }
            add(rest.toString());
        }

        private synchronized void add(String line) {
            if (!line.isBlank() && !STACK.matcher(line).matches()) {
                lines.addLast(line);
            }
            if (lines.size() > LINES) {
                lines.removeFirst();
            }
        }

        /**
         * Its last words that say something, harmless for a terminal; empty where there are none.
         */
        String last() {
            try {
                // what was said just before the end is still on its way
                reader.join(MOMENT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return told().stream()
                    .map(line -> HEAD.matcher(line).replaceFirst("").strip())
                    .map(line -> line.substring(0, Math.min(line.length(), TOLD_CHARS)))
                    .map(Visible::line)
                    .reduce((before, line) -> before + " / " + line)
                    .orElse("");
        }

        /** What ended it, if it says so; else the last lines. */
        private synchronized List<String> told() {
            List<String> all = List.copyOf(lines);
            return all.stream()
                    .filter(line -> HEAD.matcher(line).results().anyMatch(this::isFatal))
                    .findFirst()
                    .map(List::of)
                    .orElseGet(() -> all.subList(Math.max(0, all.size() - TOLD_LINES), all.size()));
        }

        private boolean isFatal(java.util.regex.MatchResult head) {
            return head.group(1).equals("FATAL");
        }
    }
}
