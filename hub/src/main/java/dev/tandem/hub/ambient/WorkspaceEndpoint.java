package dev.tandem.hub.ambient;

import dev.tandem.hub.files.Explorer;
import dev.tandem.hub.files.ExplorerException;
import dev.tandem.hub.files.FencedFiles;
import dev.tandem.hub.files.PathDenied;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The files of a session's folders, behind the same fence as its agent. */
final class WorkspaceEndpoint {
    private static final int FILE_BYTES = 10 * 1024 * 1024;

    private final SessionEngine engine;
    private final SessionStore store;

    WorkspaceEndpoint(SessionEngine engine, SessionStore store) {
        this.engine = engine;
        this.store = store;
    }

    void register(Operations operations) {
        operations
                .on("workspace", this::root)
                .on("files", this::root)
                .on("readWorkspace", this::read)
                .on("writeWorkspace", this::write)
                .on("writeFile", this::write)
                .on("deleteWorkspace", this::delete)
                .on("deleteFile", this::delete);
    }

    private Explorer explorer(Call call) {
        return new Explorer(engine.fence(store.required(call.part("id")).id()));
    }

    /** Also before the first start, when the folder is made for it. */
    private FencedFiles files(Call call) {
        return engine.files(store.required(call.part("id")).id())
                .orElseThrow(() -> Problems.unavailable("the session's folder cannot be used"));
    }

    /** One that never started may have no folder yet, and so no files. */
    private void root(Call call) {
        try {
            list(call, "");
        } catch (TandemException e) {
            if (e.reason().filter("no_folder"::equals).isEmpty()) {
                throw e;
            }
            ObjectNode none = Json.object();
            none.putArray("files");
            call.answer(200, none);
        }
    }

    private void list(Call call, String path) {
        Explorer.Listing listing = explored(() -> explorer(call).list(path, true));
        ObjectNode answer = Json.object();
        ArrayNode files = answer.putArray("files");
        for (Explorer.Item item : listing.items()) {
            files.addObject()
                    .put("name", item.name())
                    .put("path", item.path())
                    .put("type", item.directory() ? "directory" : "file")
                    .put("size", item.size());
        }
        call.answer(200, listing.truncated() ? answer.put("truncated", true) : answer);
    }

    private void read(Call call) {
        String path = call.part("path");
        Explorer.Content content;
        try {
            content = explored(() -> explorer(call).read(path));
        } catch (TandemException e) {
            if (e.reason().filter("not_a_file"::equals).isEmpty()) {
                throw e;
            }
            list(call, path);
            return;
        }
        ObjectNode file = Json.object().put("path", path).put("content", content.content());
        file.put("size", content.size()).put("truncated", content.truncated());
        call.answer(200, file.put("binary", content.binary()).put("mimeType", content.mimeType()));
    }

    private void write(Call call) throws IOException {
        FencedFiles files = files(call);
        byte[] content = body(call);
        String path = call.part("path");
        inside(path, () -> files.replace(path, content));
        call.answer(200, Json.object().put("path", path).put("size", content.length));
    }

    private static byte[] body(Call call) throws IOException {
        try {
            return call.exchange().body(FILE_BYTES);
        } catch (TandemException e) {
            throw e.code() == ErrorCode.PAYLOAD_TOO_LARGE ? Problems.tooLarge(FILE_BYTES) : e;
        }
    }

    private void delete(Call call) throws IOException {
        FencedFiles files = files(call);
        String path = call.part("path");
        inside(path, () -> files.delete(path));
        call.done();
    }

    /** Work on a file that may not be there or not be ours. */
    private interface Work {
        void run() throws IOException;
    }

    private static void inside(String path, Work work) throws IOException {
        try {
            work.run();
        } catch (PathDenied e) {
            throw new TandemException(ErrorCode.PATH_DENIED, String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            throw Problems.missing("File", path);
        }
    }

    private static <T> T explored(java.util.function.Supplier<T> work) {
        try {
            return work.get();
        } catch (ExplorerException e) {
            ErrorCode code =
                    switch (e.code()) {
                        case "path_denied" -> ErrorCode.PATH_DENIED;
                        case "not_found" -> ErrorCode.NOT_FOUND;
                        default -> ErrorCode.BAD_REQUEST;
                    };
            throw new TandemException(code, String.valueOf(e.getMessage()), e.code());
        }
    }
}
