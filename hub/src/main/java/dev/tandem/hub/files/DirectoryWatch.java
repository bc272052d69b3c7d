package dev.tandem.hub.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of changes in folders that somebody looks at, in batches; a burst too large to tell becomes
 * one word when it is over. One system watch serves the whole hub. Any thread may call it.
 */
public final class DirectoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);
    private static final long BATCH_MS = 150;
    private static final int MOST_CHANGES = 200;
    private static final Change LOOK_AGAIN = new Change("overflow", "");
    private static final Set<String> IGNORED =
            Set.of(
                    "node_modules",
                    "dist",
                    "build",
                    "out",
                    "coverage",
                    "tmp",
                    "temp",
                    "__pycache__",
                    "bun.lockb",
                    "package-lock.json",
                    "yarn.lock",
                    "pnpm-lock.yaml");

    private final WatchService service;
    private final Map<Path, Watched> folders = new HashMap<>();
    private final Map<WatchKey, Watched> keys = new HashMap<>();
    private final Thread reader = new Thread(this::read, "file-watch");

    /** What happened to a name; {@code overflow} has none and means: look again. */
    public record Change(String event, String name) {}

    /** Someone who looks at a folder; must not block. */
    public interface Listener {
        void onChanges(List<Change> changes);
    }

    private static final class Watched {
        final WatchKey key;
        final Path folder;
        final String identity;
        final List<Listener> listeners = new CopyOnWriteArrayList<>();
        final Map<String, String> changes = new LinkedHashMap<>();
        boolean overflow;

        Watched(WatchKey key, Path folder) {
            this.key = key;
            this.folder = folder;
            this.identity = identity(folder);
        }

        /** False once another folder has this path, or none: the system follows the folder. */
        boolean isThere() {
            return identity.equals(identity(folder));
        }

        private static String identity(Path folder) {
            try {
                Object key =
                        Files.readAttributes(
                                        folder,
                                        BasicFileAttributes.class,
                                        LinkOption.NOFOLLOW_LINKS)
                                .fileKey();
                return "key " + key;
            } catch (IOException gone) {
                return "gone";
            }
        }
    }

    public DirectoryWatch() {
        try {
            service = FileSystems.getDefault().newWatchService();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Watches one folder; closing the answer ends it. A folder that cannot be watched is silent,
     * and one that is removed or moved says {@code overflow} once.
     */
    public AutoCloseable watch(Path folder, Listener listener) {
        Set<Watched> replaced = new HashSet<>();
        Watched watched;
        synchronized (folders) {
            try {
                // The same folder gives the same key, whatever its path was before.
                WatchKey key =
                        folder.register(
                                service,
                                StandardWatchEventKinds.ENTRY_CREATE,
                                StandardWatchEventKinds.ENTRY_MODIFY,
                                StandardWatchEventKinds.ENTRY_DELETE);
                Watched known = keys.get(key);
                if (known != null && known.folder.equals(folder)) {
                    watched = known;
                } else {
                    watched = new Watched(key, folder);
                    keys.put(key, watched);
                    end(known, replaced);
                    end(folders.put(folder, watched), replaced);
                }
                watched.listeners.add(listener);
            } catch (IOException | ClosedWatchServiceException e) {
                LOG.debug("{} cannot be watched: {}", folder, e.toString());
                return () -> {};
            }
        }
        replaced.forEach(old -> tell(old, List.of(LOOK_AGAIN)));
        return () -> leave(watched, listener);
    }

    private void end(@Nullable Watched old, Set<Watched> replaced) {
        if (old != null) {
            end(old);
            replaced.add(old);
        }
    }

    private void end(Watched watched) {
        synchronized (folders) {
            folders.remove(watched.folder, watched);
            if (keys.remove(watched.key, watched)) {
                watched.key.cancel();
            }
        }
    }

    private void leave(Watched watched, Listener listener) {
        synchronized (folders) {
            watched.listeners.remove(listener);
            if (watched.listeners.isEmpty()) {
                end(watched);
            }
        }
    }

    private void read() {
        Set<Watched> busy = new HashSet<>();
        try {
            while (true) {
                Set<Watched> heard = new HashSet<>();
                WatchKey first = busy.isEmpty() ? service.take() : null;
                if (first != null) {
                    collect(first, heard);
                }
                long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BATCH_MS);
                for (long left = BATCH_MS;
                        left > 0;
                        left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
                    WatchKey key = service.poll(left, TimeUnit.MILLISECONDS);
                    if (key != null) {
                        collect(key, heard);
                    }
                }
                busy.addAll(heard);
                busy.removeIf(watched -> deliver(watched, heard.contains(watched)));
            }
        } catch (InterruptedException | ClosedWatchServiceException e) {
            LOG.debug("Files are watched no more");
        }
    }

    private void collect(WatchKey key, Set<Watched> heard) {
        Watched watched;
        synchronized (folders) {
            watched = keys.get(key);
        }
        List<WatchEvent<?>> events = key.pollEvents();
        boolean valid = key.reset();
        if (watched == null) {
            return;
        }
        for (WatchEvent<?> event : events) {
            if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
                watched.overflow = true;
                heard.add(watched);
            } else if (event.context() instanceof Path name && !isIgnored(name.toString())) {
                watched.changes.merge(
                        name.toString(), word(event.kind()), DirectoryWatch::together);
                watched.overflow |= watched.changes.size() > MOST_CHANGES;
                heard.add(watched);
            }
        }
        if (!valid) {
            watched.overflow = true;
            heard.add(watched);
        }
    }

    /** True when told; a burst is told when it is over. */
    private boolean deliver(Watched watched, boolean stillBusy) {
        if (watched.overflow && stillBusy) {
            watched.changes.clear();
            return false;
        }
        if (!watched.key.isValid() || !watched.isThere()) {
            watched.overflow = true;
            end(watched);
        }
        List<Change> changes = new ArrayList<>();
        if (watched.overflow) {
            changes.add(LOOK_AGAIN);
        } else {
            watched.changes.forEach((name, event) -> changes.add(new Change(event, name)));
        }
        watched.changes.clear();
        watched.overflow = false;
        tell(watched, changes);
        return true;
    }

    private static void tell(Watched watched, List<Change> changes) {
        for (Listener listener : watched.listeners) {
            try {
                listener.onChanges(changes);
            } catch (RuntimeException e) {
                LOG.warn("News of a folder could not be told: {}", e.toString());
            }
        }
    }

    private static boolean isIgnored(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return name.startsWith(".") || IGNORED.contains(lower) || lower.endsWith(".lock");
    }

    private static String word(WatchEvent.Kind<?> kind) {
        return kind.equals(StandardWatchEventKinds.ENTRY_CREATE)
                ? "create"
                : kind.equals(StandardWatchEventKinds.ENTRY_DELETE) ? "delete" : "update";
    }

    /** Two things in one batch: the last counts, but what was made stays new when written to. */
    private static String together(String before, String now) {
        return before.equals("create") && now.equals("update") ? before : now;
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            LOG.debug("Watching files did not end in order: {}", e.toString());
        }
    }
}
