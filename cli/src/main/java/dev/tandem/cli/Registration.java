package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tandem's entry in one program's settings, and the way back: what the file held before is kept
 * until the entry is taken out again.
 */
final class Registration {
    private static final Pattern TOKEN = Pattern.compile("tdc_[A-Za-z0-9_-]+");
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");

    private final McpProgram program;
    private final Path file;
    private final Path record;

    Registration(McpProgram program, Path file, Path kept) {
        this.program = program;
        this.file = real(file);
        this.record = kept.resolve(program.word() + ".json");
    }

    Path file() {
        return file;
    }

    String text() throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** The token in the entry, when it is there and leads to that address. */
    Optional<String> token(String url) throws IOException {
        return entry().filter(entry -> entry.contains("\"" + url + "\""))
                .flatMap(entry -> {
                    Matcher found = TOKEN.matcher(entry);
                    return found.find() ? Optional.of(found.group()) : Optional.empty();
                });
    }

    Optional<String> entry() throws IOException {
        return guarded(program::entry, text());
    }

    String with(String url, String token) throws IOException {
        return guarded(text -> program.put(text, url, token), text());
    }

    /** Writes the entry and keeps what was there before. */
    void write(String after) throws IOException {
        String before = text();
        boolean ours =
                kept().filter(old -> hash(before).equals(old.path("after").asString())).isPresent();
        if (!ours) {
            ObjectNode state = Json.object().put("existed", Files.exists(file));
            keep(state.put("before", before).put("after", hash(after)));
        } else {
            keep(kept().orElseThrow().put("after", hash(after)));
        }
        replace(file, after);
    }

    /** The text without the entry: exactly the old one where nobody changed the file since. */
    Optional<String> without() throws IOException {
        String now = text();
        Optional<ObjectNode> old = kept();
        if (old.filter(state -> hash(now).equals(state.path("after").asString())).isPresent()) {
            return old.filter(state -> state.path("existed").asBoolean())
                    .map(state -> state.path("before").asString());
        }
        return Optional.of(guarded(program::remove, now));
    }

    /** Puts the file back, or away where it did not exist before. */
    void undo(Optional<String> without) throws IOException {
        if (without.isPresent()) {
            replace(file, without.get());
        } else {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(record);
    }

    private interface Edit<T> {
        T of(String text);
    }

    private <T> T guarded(Edit<T> edit, String text) {
        try {
            return edit.of(text);
        } catch (JsonEdit.Malformed e) {
            throw new TandemException(
                    ErrorCode.CONFLICT,
                    file + " cannot be changed safely, so nothing was. " + e.getMessage(),
                    "malformed");
        }
    }

    private Optional<ObjectNode> kept() throws IOException {
        return Files.exists(record)
                ? Optional.of(Json.parseObject(Files.readString(record)))
                : Optional.empty();
    }

    private void keep(ObjectNode state) throws IOException {
        replace(record, Json.write(state));
    }

    /** All or nothing, with the mode the file had; a new one is the user's alone. */
    private static void replace(Path target, String text) throws IOException {
        Files.createDirectories(target.getParent());
        Set<PosixFilePermission> mode =
                Files.exists(target) ? Files.getPosixFilePermissions(target) : PRIVATE;
        Path fresh =
                Files.createTempFile(
                        target.getParent(),
                        ".tandem-",
                        ".tmp",
                        PosixFilePermissions.asFileAttribute(PRIVATE));
        try {
            Files.writeString(fresh, text);
            Files.setPosixFilePermissions(fresh, mode);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /** Settings that are a link stay one. */
    private static Path real(Path path) {
        try {
            return Files.exists(path) ? path.toRealPath() : path;
        } catch (IOException e) {
            return path;
        }
    }

    private static String hash(String text) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256.", e);
        }
    }
}
