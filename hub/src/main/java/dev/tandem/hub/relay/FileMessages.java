package dev.tandem.hub.relay;

import dev.tandem.hub.files.DirectoryWatch;
import dev.tandem.hub.files.Explorer;
import dev.tandem.hub.files.ExplorerException;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The explorer of a session's folders, and news of those that were looked at. */
final class FileMessages implements Family, AutoCloseable {
    private static final int WATCHED_PER_SESSION = 1_000;
    private static final long PATIENCE_SECONDS = 10;

    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;
    private final Map<String, Map<Path, AutoCloseable>> watched = new ConcurrentHashMap<>();

    FileMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "list_dir" -> client.aside(message, () -> list(message));
            case "read_file" -> client.aside(message, () -> read(message));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The first look at a session that was just opened; one without a folder shows none. */
    void showRoot(String sessionId) {
        try {
            wire.send(listing(sessionId, "", false));
        } catch (Refused | TandemException nothingToSee) {
            // The session has no folder that could be shown.
        }
    }

    private void list(ObjectNode message) {
        String path = path(message);
        boolean hidden = Json.flag(message, "showHidden", false);
        wire.reply(message, listing(client.sessionId(message), path, hidden));
    }

    private ObjectNode listing(String id, String path, boolean hidden) {
        Explorer.Listing found =
                inTime(
                        () -> watchAndList(id, path, hidden),
                        "list_dir failed: " + (path.isEmpty() ? "(root)" : path));
        ObjectNode reply = Wire.about("dir_listing", id).put("path", path);
        ArrayNode items = reply.putArray("items");
        for (Explorer.Item item : found.items()) {
            ObjectNode one = items.addObject().put("name", item.name()).put("path", item.path());
            one.put("type", item.directory() ? "directory" : "file");
            one.put("size", item.size()).put("mtime", item.mtime());
            if (item.symlink()) {
                one.put("symlink", true);
            }
        }
        if (found.truncated()) {
            reply.put("truncated", true);
        }
        return reply;
    }

    private void read(ObjectNode message) {
        String path = path(message);
        String id = client.sessionId(message);
        Explorer.Content file =
                inTime(() -> explorer(id).read(path), "Access denied or file not found");
        ObjectNode reply = Wire.about("file_content", id).put("path", path);
        reply.put("content", file.content()).put("size", file.size());
        reply.put("truncated", file.truncated()).put("binary", file.binary());
        wire.reply(message, reply.put("mimeType", file.mimeType()));
    }

    private Explorer explorer(String sessionId) {
        return new Explorer(parts.engine().fence(sessionId));
    }

    /** In this order, so that what is made meanwhile is in the listing or in the news. */
    private Explorer.Listing watchAndList(String sessionId, String path, boolean hidden) {
        Explorer explorer = explorer(sessionId);
        Explorer.Place place = explorer.place(path);
        watch(sessionId, place);
        return explorer.list(place, hidden);
    }

    private void watch(String sessionId, Explorer.Place place) {
        Map<Path, AutoCloseable> mine =
                watched.computeIfAbsent(sessionId, fresh -> new ConcurrentHashMap<>());
        mine.compute(
                place.directory(),
                (directory, before) -> {
                    if (before == null && mine.size() >= WATCHED_PER_SESSION) {
                        return null;
                    }
                    // Another folder may have this path by now.
                    if (before != null) {
                        Watches.close(before);
                    }
                    return parts.files()
                            .watch(directory, changes -> tell(sessionId, place.prefix(), changes));
                });
        if (!wire.socket().isOpen()) {
            close();
        }
    }

    private void tell(String sessionId, String prefix, List<DirectoryWatch.Change> changes) {
        ObjectNode message = Wire.about("file_changes", sessionId);
        ArrayNode all = message.putArray("changes");
        for (DirectoryWatch.Change change : changes) {
            all.addObject().put("event", change.event()).put("path", prefix + change.name());
        }
        wire.send(message);
    }

    private static String path(JsonNode message) {
        return Json.text(message, "path").orElse("");
    }

    /** A network file system may hang; nobody waits for it longer than this. */
    private static <T> T inTime(Supplier<T> work, String failed) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread worker =
                Thread.ofVirtual()
                        .name("explorer")
                        .start(() -> {
                            try {
                                done.complete(work.get());
                            } catch (RuntimeException e) {
                                done.completeExceptionally(e);
                            }
                        });
        try {
            return done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            worker.interrupt();
            throw new Refused("internal", failed + ": it took too long");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused("internal", failed);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ExplorerException known) {
                throw new Refused(known.code(), failed);
            }
            if (e.getCause() instanceof RuntimeException other) {
                throw other;
            }
            throw new Refused("internal", failed);
        }
    }

    void forget(String sessionId) {
        Map<Path, AutoCloseable> mine = watched.remove(sessionId);
        if (mine != null) {
            mine.values().forEach(Watches::close);
        }
    }

    @Override
    public void close() {
        List.copyOf(watched.keySet()).forEach(this::forget);
    }
}
