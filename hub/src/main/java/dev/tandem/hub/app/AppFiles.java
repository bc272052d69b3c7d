package dev.tandem.hub.app;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files of the web app, read once, so that all of them are of one version whatever happens to
 * the folder they came from. Any thread may call it.
 */
public final class AppFiles {
    /** The folders of the extension that the web app shares. */
    private static final List<String> SHARED =
            List.of("ui", "vendor/lit-html", "vendor/dompurify", "vendor/marked");

    private static final Map<String, String> TYPES =
            Map.of(
                    "html", "text/html; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "mjs", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "json", "application/json",
                    "webmanifest", "application/manifest+json",
                    "png", "image/png");

    private final Path home;
    private final String version;
    private Map<String, AppFile> files = Map.of();

    /** One file as it is sent. */
    public static final class AppFile {
        private final String type;
        private final byte[] bytes;
        private final String tag;

        AppFile(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
            this.tag = AppFiles.tag(bytes);
        }

        public String type() {
            return type;
        }

        /** Its content; callers only read it. */
        public byte[] bytes() {
            return bytes;
        }

        /** Another content has another tag. */
        public String tag() {
            return tag;
        }
    }

    public AppFiles(Path home, String version) {
        this.home = home;
        this.version = version;
    }

    /** The file of a path below /app/; empty where there is none. */
    public Optional<AppFile> file(String path) {
        return Optional.ofNullable(all().get(path.isEmpty() ? "index.html" : path));
    }

    /** False in a checkout that was not built. */
    public boolean complete() {
        return all().containsKey("index.html") && all().containsKey("vendor/lit-html/lit-html.js");
    }

    private synchronized Map<String, AppFile> all() {
        if (files.isEmpty()) {
            Map<String, AppFile> found = new TreeMap<>();
            add(found, home.resolve("webapp"), "");
            for (String folder : SHARED) {
                add(found, home.resolve("extension").resolve(folder), folder + "/");
            }
            if (!found.isEmpty()) {
                found.put("assets.js", assets(found));
            }
            files = found;
        }
        return files;
    }

    private static void add(Map<String, AppFile> found, Path folder, String prefix) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = prefix + folder.relativize(file).toString().replace('\\', '/');
                String ending = name.substring(name.lastIndexOf('.') + 1);
                if (TYPES.containsKey(ending) && !name.endsWith(".d.ts")) {
                    byte[] bytes = Files.readAllBytes(file);
                    found.put(name, new AppFile(TYPES.getOrDefault(ending, ""), bytes));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the service worker keeps, and a name that changes whenever one of the files does. */
    private AppFile assets(Map<String, AppFile> found) {
        StringBuilder tags = new StringBuilder();
        ObjectNode list = Json.object();
        ArrayNode names = Json.array();
        found.forEach((name, file) -> {
            tags.append(name).append(file.tag());
            if (!name.equals("sw.js")) {
                names.add(name);
            }
        });
        String all = tag(tags.toString().getBytes(StandardCharsets.UTF_8));
        list.put("version", version + "-" + all).set("files", names);
        byte[] script =
                ("self.tandemAssets = " + Json.write(list) + ";\n")
                        .getBytes(StandardCharsets.UTF_8);
        return new AppFile(TYPES.getOrDefault("js", ""), script);
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
