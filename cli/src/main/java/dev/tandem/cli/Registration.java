package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tandem's entry in one program's settings, and the way back: what the file held before is kept
 * until the entry is taken out again.
 */
final class Registration {
    private static final Pattern TOKEN = Pattern.compile("tdc_[A-Za-z0-9_-]+");

    private final McpProgram program;
    private final SettingsFile file;
    private final SettingsFile record;

    Registration(McpProgram program, Path file, Path kept) throws IOException {
        this.program = program;
        this.file = new SettingsFile(file);
        this.record = new SettingsFile(kept.resolve(program.word() + ".json"));
    }

    Path file() {
        return file.path();
    }

    String text() throws IOException {
        return file.text();
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

    /** Refuses what would fail half-way, before anything is done. */
    void checkWritable() throws IOException {
        record.checkWritable();
        file.checkWritable();
    }

    /** Leaves the file with its token to the user alone, and says whether it was open to others. */
    boolean close() throws IOException {
        return file.close();
    }

    /** Writes the entry and keeps what was there before; says whether it was open to others. */
    boolean write(String after) throws IOException {
        ObjectNode state = unchanged().orElseGet(Json::object);
        if (state.isEmpty()) {
            // an entry of ours from before is nothing to come back to
            boolean renewed =
                    kept().isPresent() && entry().filter(Registration::hasToken).isPresent();
            state.put("existed", file.exists()).put("folders", file.missingFolders());
            String mode = PosixFilePermissions.toString(file.mode());
            state.put("mode", kept().map(old -> old.path("mode").asString(mode)).orElse(mode));
            state.put("before", renewed ? guarded(program::remove, text()) : text());
        }
        record.write(Json.write(state.put("after", hash(after))));
        boolean open = file.close();
        file.write(after);
        return open;
    }

    /** The text without the entry: exactly the old one where nobody changed the file since. */
    Optional<String> without() throws IOException {
        Optional<ObjectNode> old = unchanged();
        if (old.isPresent()) {
            return old.filter(state -> state.path("existed").asBoolean())
                    .map(state -> state.path("before").asString());
        }
        return Optional.of(guarded(program::remove, text()));
    }

    /** Puts the file back, or away where it did not exist before. */
    void undo(Optional<String> without) throws IOException {
        if (without.isEmpty()) {
            file.delete(kept().map(state -> state.path("folders").asInt()).orElse(0));
        } else if (!without.get().equals(text())) {
            file.write(without.get());
        }
        Optional<String> mode = kept().flatMap(state -> Json.text(state, "mode"));
        if (file.exists() && mode.isPresent()) {
            file.mode(PosixFilePermissions.fromString(mode.get()));
        }
        record.delete(0);
    }

    private interface Edit<T> {
        T of(String text);
    }

    private <T> T guarded(Edit<T> edit, String text) {
        try {
            return edit.of(text);
        } catch (JsonText.Malformed e) {
            throw file.refused(String.valueOf(e.getMessage()), "Mend it by hand, then try again.");
        }
    }

    private static boolean hasToken(String entry) {
        return TOKEN.matcher(entry).find();
    }

    private Optional<ObjectNode> kept() throws IOException {
        return record.exists() ? Optional.of(Json.parseObject(record.text())) : Optional.empty();
    }

    /** What was kept, where the file is still as we left it. */
    private Optional<ObjectNode> unchanged() throws IOException {
        String now = hash(text());
        return kept().filter(state -> now.equals(state.path("after").asString()));
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
