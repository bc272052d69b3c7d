package dev.tandem.hub.browser;

import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Which pages of the disk the user's own callers may open: all but those in folders that no tool
 * opens, by what their paths really lead to. A browser asks before it does anything. Any thread may
 * call it.
 */
public final class LocalFiles {
    private static final String SCHEME = "file://";
    private static final int MOST_LINKS = 40;

    /** What is in there differs by process: the hub does not see what Chrome would. */
    private static final List<Path> OF_PROCESSES = List.of(Path.of("/proc"), Path.of("/dev"));

    private final ForbiddenPlaces forbidden;
    private final List<Path> own;

    /**
     * @param own folders of the hub's, closed as a whole
     */
    public LocalFiles(ForbiddenPlaces forbidden, List<Path> own) {
        this.forbidden = forbidden;
        this.own = List.copyOf(own);
    }

    /** The file that a browser wants looked at before it goes on with a call. */
    static Optional<String> refusedFor(TandemException failure) {
        return failure.code() == ErrorCode.RESTRICTED_URL
                        && !Json.flag(failure.details(), "dispatched", true)
                ? Json.text(failure.details(), "file")
                : Optional.empty();
    }

    /** Throws unless the file at this address is there, and in no closed folder. */
    void assertOpen(String address) {
        try {
            Path real = led(Path.of(decoded(path(address)))).toRealPath();
            for (Path folder : own) {
                if (real.startsWith(folder.toRealPath())) {
                    throw closed();
                }
            }
            if (forbidden.covers(real)) {
                throw closed();
            }
        } catch (IOException | InvalidPathException e) {
            throw new TandemException(
                    ErrorCode.RESTRICTED_URL,
                    "The hub finds no file at this address, so it opens none: " + address,
                    "file_access");
        }
    }

    private static String path(String address) throws FileSystemException {
        // Chrome drops the name of a machine here and would open the file of this one.
        if (!address.startsWith(SCHEME + "/")) {
            throw new FileSystemException(address);
        }
        return address.substring(SCHEME.length());
    }

    /** As Chrome reads it: escapes are bytes of the path, and none may hide a separator. */
    private static String decoded(String path) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < path.length(); i++) {
            char next = path.charAt(i);
            boolean escape =
                    next == '%'
                            && i + 2 < path.length()
                            && HexFormat.isHexDigit(path.charAt(i + 1))
                            && HexFormat.isHexDigit(path.charAt(i + 2));
            int value = escape ? HexFormat.fromHexDigits(path, i + 1, i + 3) : next;
            if (value > 0xff || (escape && (value == '/' || value == 0))) {
                throw new FileSystemException(path);
            }
            bytes.write(value);
            i += escape ? 2 : 0;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FileSystemException(path);
        }
    }

    /** Follows every link, and none through what each process sees for itself. */
    private static Path led(Path path) throws IOException {
        Deque<Path> names = new ArrayDeque<>();
        path.forEach(names::add);
        Path at = Path.of("/");
        int links = 0;
        while (!names.isEmpty()) {
            Path name = names.pop();
            Path next = name.toString().equals("..") ? parent(at) : at.resolve(name).normalize();
            if (OF_PROCESSES.stream().anyMatch(next::startsWith)) {
                throw closed();
            }
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            if (++links > MOST_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            Path to = Files.readSymbolicLink(next);
            at = to.isAbsolute() ? Path.of("/") : at;
            for (int i = to.getNameCount() - 1; i >= 0; i--) {
                names.push(to.getName(i));
            }
        }
        return at;
    }

    private static Path parent(Path at) {
        Path parent = at.getParent();
        return parent == null ? at : parent;
    }

    private static TandemException closed() {
        return new TandemException(
                ErrorCode.RESTRICTED_URL,
                "This file is in a folder that no tool opens: Tandem's own, a browser's profile, or"
                        + " one that holds keys.",
                "file_access");
    }
}
