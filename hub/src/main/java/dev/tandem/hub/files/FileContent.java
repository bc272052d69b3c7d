package dev.tandem.hub.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads no more of a file than is shown: text to a limit, small pictures, notes about the rest. */
final class FileContent {
    private static final int TEXT_BYTES = 100 * 1024;
    private static final int IMAGE_BYTES = 1024 * 1024;
    private static final int LOOK_BYTES = 8 * 1024;
    private static final Map<String, String> IMAGES =
            Map.of(
                    "png", "image/png",
                    "jpg", "image/jpeg",
                    "jpeg", "image/jpeg",
                    "gif", "image/gif",
                    "webp", "image/webp",
                    "svg", "image/svg+xml",
                    "ico", "image/x-icon",
                    "bmp", "image/bmp");
    private static final Map<String, String> TEXTS =
            Map.ofEntries(
                    Map.entry("md", "text/markdown"),
                    Map.entry("markdown", "text/markdown"),
                    Map.entry("html", "text/html"),
                    Map.entry("htm", "text/html"),
                    Map.entry("css", "text/css"),
                    Map.entry("csv", "text/csv"),
                    Map.entry("xml", "text/xml"),
                    Map.entry("js", "text/javascript"),
                    Map.entry("mjs", "text/javascript"),
                    Map.entry("json", "application/json"),
                    Map.entry("yaml", "application/yaml"),
                    Map.entry("yml", "application/yaml"));
    private static final Set<String> BINARIES =
            Set.of(
                    "exe dll so dylib bin dat zip tar gz rar 7z pdf doc docx xls xlsx mp3 mp4 avi"
                            .concat(" mov mkv ttf otf woff woff2")
                            .split(" "));

    private FileContent() {}

    interface Opening {
        SeekableByteChannel open() throws IOException;
    }

    static Explorer.Content of(String name, Opening opening) throws IOException {
        String extension = extension(name);
        try (SeekableByteChannel channel = opening.open()) {
            long size = channel.size();
            String image = IMAGES.getOrDefault(extension, "");
            if (!image.isEmpty()) {
                return image(channel, size, image);
            }
            if (BINARIES.contains(extension)) {
                return binary(name, size);
            }
            byte[] head = read(channel, TEXT_BYTES + 4);
            return text(name, extension, head, size);
        }
    }

    private static Explorer.Content image(SeekableByteChannel channel, long size, String mime)
            throws IOException {
        if (size > IMAGE_BYTES) {
            String note = "[Image too large: %s, max %s]".formatted(size(size), size(IMAGE_BYTES));
            return new Explorer.Content(note, size, true, true, mime);
        }
        byte[] bytes = read(channel, IMAGE_BYTES);
        String base64 = Base64.getEncoder().encodeToString(bytes);
        return new Explorer.Content(base64, size, false, true, mime);
    }

    private static Explorer.Content binary(String name, long size) {
        String note = "[Binary file: %s, %s]".formatted(name, size(size));
        return new Explorer.Content(note, size, false, true, "application/octet-stream");
    }

    private static Explorer.Content text(String name, String extension, byte[] head, long size) {
        Optional<Charset> wide = wide(head);
        if (wide.isEmpty() && !isText(head)) {
            return binary(name, size);
        }
        boolean cut = size > TEXT_BYTES;
        int shown = Math.min(head.length, TEXT_BYTES);
        String content =
                wide.map(charset -> wideText(head, shown, charset))
                        .orElseGet(() ->
                                new String(
                                        head,
                                        0,
                                        cut ? boundary(head, shown) : shown,
                                        StandardCharsets.UTF_8));
        return new Explorer.Content(
                cut ? content + "\n\n[... truncated]" : content,
                size,
                cut,
                false,
                TEXTS.getOrDefault(extension, "text/plain"));
    }

    private static Optional<Charset> wide(byte[] head) {
        if (head.length < 2) {
            return Optional.empty();
        }
        int mark = (head[0] & 0xff) << 8 | (head[1] & 0xff);
        return mark == 0xfeff
                ? Optional.of(StandardCharsets.UTF_16BE)
                : mark == 0xfffe ? Optional.of(StandardCharsets.UTF_16LE) : Optional.empty();
    }

    private static String wideText(byte[] head, int shown, Charset charset) {
        String text = new String(head, 2, Math.max(0, (shown & ~1) - 2), charset);
        boolean half = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
        return half ? text.substring(0, text.length() - 1) : text;
    }

    private static boolean isText(byte[] head) {
        int length = Math.min(head.length, LOOK_BYTES);
        for (int i = 0; i < length; i++) {
            if (head[i] == 0) {
                return false;
            }
        }
        try {
            CharBuffer _ =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .decode(
                                    ByteBuffer.wrap(
                                            head,
                                            0,
                                            head.length > LOOK_BYTES
                                                    ? boundary(head, LOOK_BYTES)
                                                    : length));
            return true;
        } catch (CharacterCodingException notText) {
            return false;
        }
    }

    /** The last place at or before this one where a character begins. */
    private static int boundary(byte[] bytes, int at) {
        int place = at;
        while (place > at - 4 && place > 0 && (bytes[place] & 0xc0) == 0x80) {
            place--;
        }
        return place;
    }

    private static byte[] read(SeekableByteChannel channel, int most) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(most, channel.size()));
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            // until full or at the end
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + "B";
        }
        return bytes < 1024 * 1024
                ? String.format(Locale.ROOT, "%.1fKB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1fMB", bytes / (1024.0 * 1024.0));
    }
}
