package dev.tandem.hub.browser;

import dev.tandem.hub.files.FencedFiles;
import dev.tandem.hub.files.PathDenied;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLConnection;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** upload: reads files where the caller may, and hands their content to the browser. */
public final class UploadTool {
    /** What base64 may take; the rest is for the envelope around the files. */
    private static final long ROOM_BYTES = Limits.MAX_OPS_PAYLOAD_BYTES - 65_536L;

    private final ToolRunner runner;
    private final Artifacts artifacts;
    private final Function<String, Optional<FencedFiles>> sessionFiles;

    /**
     * @param sessionFiles the files of an agent session by its id; empty where it has none
     */
    public UploadTool(
            ToolRunner runner,
            Artifacts artifacts,
            Function<String, Optional<FencedFiles>> sessionFiles) {
        this.runner = runner;
        this.artifacts = artifacts;
        this.sessionFiles = sessionFiles;
        runner.with("upload", this::upload);
    }

    private ToolResult upload(ToolCall call) throws IOException {
        ArrayNode contents = Json.array();
        long room = ROOM_BYTES;
        for (JsonNode given : call.arguments().path("contents")) {
            room = take(room, given.path("base64").asString("").length());
            contents.add(given);
        }
        for (String file : Json.texts(call.arguments(), "files")) {
            String base64 = Base64.getEncoder().encodeToString(read(call, file, room));
            room = take(room, base64.length());
            String name = String.valueOf(Path.of(file).getFileName());
            ObjectNode content = contents.addObject().put("name", name).put("base64", base64);
            Optional.ofNullable(URLConnection.guessContentTypeFromName(name))
                    .ifPresent(mime -> content.put("mime", mime));
        }
        if (contents.isEmpty()) {
            throw new TandemException(ErrorCode.INVALID_REQUEST, "Missing files", "missing_field");
        }
        ObjectNode payload = runner.dispatch().payload(call);
        payload.set("contents", contents);
        Browser browser = call.requireSession().browser();
        return ToolResult.of(call.tool(), runner.forward(call, browser, payload));
    }

    private byte[] read(ToolCall call, String file, long room) throws IOException {
        int limit = Math.toIntExact(Math.max(0, room));
        try (InputStream in = open(call, file)) {
            byte[] content = in.readNBytes(limit);
            if (content.length == limit) {
                throw tooLarge();
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "There is no file " + file + ".", "no_such_file");
        } catch (PathDenied | InvalidPathException e) {
            throw new TandemException(ErrorCode.PATH_DENIED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "The file " + file + " cannot be read.",
                    Json.object()
                            .put("reason", "unreadable_file")
                            .put("hint", "Check its permissions."));
        }
    }

    /**
     * The user's own shell may name any file of theirs; an agent the files of its session; everyone
     * the files that tools made in this ops session.
     */
    private InputStream open(ToolCall call, String file) throws IOException {
        if (call.client().isOwnShell()) {
            return openForUser(Path.of(file));
        }
        Optional<Path> made = artifacts.find(call.requireSession().shelf(), file);
        if (made.isPresent()) {
            return Files.newInputStream(made.get(), java.nio.file.LinkOption.NOFOLLOW_LINKS);
        }
        Optional<FencedFiles> own = call.client().caller().session().flatMap(sessionFiles);
        if (own.isEmpty()) {
            throw new TandemException(
                    ErrorCode.PATH_DENIED,
                    "This file is outside what the session may touch. Send its content instead.");
        }
        return Channels.newInputStream(own.get().open(file));
    }

    private static InputStream openForUser(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (!Files.isRegularFile(file)) {
            throw new TandemException(ErrorCode.PATH_DENIED, file + " is not a file.");
        }
        return Files.newInputStream(file);
    }

    private static long take(long room, long bytes) {
        if (bytes > room) {
            throw tooLarge();
        }
        return room - bytes;
    }

    private static TandemException tooLarge() {
        long most = ROOM_BYTES / 4 * 3;
        return new TandemException(
                        ErrorCode.NOT_SUPPORTED,
                        "The files are too large to travel in one message: together at most "
                                + most
                                + " bytes.",
                        "payload_too_large")
                .with("maxBytes", Json.object().numberNode(most));
    }
}
