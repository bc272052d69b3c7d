package dev.tandem.hub.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FencedFilesTest {
    private Path top;
    private Path root;
    private Path outside;
    private FencedFiles files;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws Exception {
        top = temporary.toRealPath();
        root = Files.createDirectories(top.resolve("srv/a"));
        outside = Files.createDirectories(top.resolve("srv/ab"));
        Files.writeString(outside.resolve("x"), "secret");
        Files.writeString(root.resolve("ok.txt"), "fine");
        files = fenced(root);
    }

    private FencedFiles fenced(Path first) {
        ForbiddenPlaces forbidden =
                ForbiddenPlaces.of(top.resolve("home"), top.resolve("state"), List.of());
        return new FencedFiles(new PathFence(List.of(first), forbidden));
    }

    private String read(String path) throws IOException {
        try (var channel = files.open(path)) {
            return new String(
                    Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @DisplayName("ACP-157 ACP-L15 SEC-10 no spelling of a path leaves the roots")
    void attacks() throws Exception {
        Files.createSymbolicLink(root.resolve("file-link"), outside.resolve("x"));
        Files.createSymbolicLink(root.resolve("dir-link"), outside);
        Files.createSymbolicLink(root.resolve("first"), root.resolve("dir-link"));
        Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("new"));
        List<String> attacks =
                List.of(
                        "../ab/x",
                        "sub/../../ab/x",
                        outside.resolve("x").toString(),
                        root + "b/x",
                        "file-link",
                        "dir-link/x",
                        "first/x",
                        "dangling",
                        "ok.txt\0.png",
                        "/proc/self/environ",
                        "/etc/passwd");
        for (String attack : attacks) {
            assertThatThrownBy(() -> read(attack)).as(attack).isInstanceOf(PathDenied.class);
            assertThatThrownBy(() -> files.replace(attack, new byte[1]))
                    .as(attack)
                    .isInstanceOf(PathDenied.class);
        }
        assertThat(outside.resolve("x")).hasContent("secret");
        assertThat(outside.resolve("new")).doesNotExist();
        assertThatThrownBy(() -> read("C:\\windows")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> read("OK.TXT")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    @DisplayName("ACP-157 what is not a regular file is not opened")
    void onlyRegularFiles() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> read("pipe")).isInstanceOf(PathDenied.class);
        assertThatThrownBy(() -> read("")).isInstanceOf(PathDenied.class);
        Files.createDirectory(root.resolve("folder"));
        assertThatThrownBy(() -> read("folder")).isInstanceOf(PathDenied.class);
    }

    @Test
    @DisplayName("links inside the roots and a root given through a link work")
    void honestLinks() throws Exception {
        Files.createSymbolicLink(root.resolve("inner"), root.resolve("ok.txt"));
        assertThat(read("inner")).isEqualTo("fine");
        Path alias = Files.createSymbolicLink(top.resolve("alias"), root);
        files = fenced(alias);
        assertThat(read(root.resolve("ok.txt").toString())).isEqualTo("fine");
        assertThat(read(alias.resolve("ok.txt").toString())).isEqualTo("fine");
        files.replace("inner", "new".getBytes(StandardCharsets.UTF_8));
        assertThat(Files.isSymbolicLink(root.resolve("inner"))).isTrue();
        assertThat(root.resolve("ok.txt")).hasContent("new");
    }

    @Test
    @DisplayName("ACP-157 a link swapped in between check and open is never followed")
    void swappedLinks() throws Exception {
        Path door = Files.createDirectory(root.resolve("door"));
        Files.writeString(door.resolve("x"), "inside");
        new SwappedLink(door, outside)
                .during(() -> {
                    try {
                        assertThat(read("door/x")).isEqualTo("inside");
                        return true;
                    } catch (PathDenied | IOException refused) {
                        return false;
                    }
                });
    }

    @Test
    @DisplayName("ACP-99 a failed write leaves the old file whole and no remains")
    void failedWriteLeavesTheOldFile() throws Exception {
        Files.createDirectory(root.resolve("taken"));
        assertThatThrownBy(() -> files.replace("taken", new byte[9]))
                .isInstanceOf(PathDenied.class);
        files.replace("ok.txt", "second".getBytes(StandardCharsets.UTF_8));
        assertThat(root.resolve("ok.txt")).hasContent("second");
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("ok.txt", "taken");
    }

    @Test
    @DisplayName("ACP-99 a reader meets the old content or the new one, never a part")
    void readersSeeWholeFiles() throws Exception {
        Path file = root.resolve("ok.txt");
        byte[][] contents = {filled('a'), filled('b')};
        files.replace("ok.txt", contents[0]);
        // Looked at after one change: the number of a file that is gone is given to another.
        Object before = Files.getAttribute(file, "unix:ino");
        files.replace("ok.txt", contents[1]);
        assertThat(Files.getAttribute(file, "unix:ino")).as("another file").isNotEqualTo(before);
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Integer> reader =
                CompletableFuture.supplyAsync(() -> {
                    int reads = 0;
                    for (; !stop.get() || reads == 0; reads++) {
                        requireWhole(file);
                    }
                    return reads;
                });
        for (int i = 1; i <= 100; i++) {
            files.replace("ok.txt", contents[i % 2]);
        }
        stop.set(true);
        assertThat(reader.get(30, TimeUnit.SECONDS)).isPositive();
    }

    @Test
    @DisplayName("ACP-99 whoever is killed while it writes leaves one whole content")
    void aKilledWriterLeavesAWholeFile() throws Exception {
        Path file = root.resolve("ok.txt");
        for (int i = 0; i < 3; i++) {
            Process writer =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    ReplaceTarget.class.getName(),
                                    root.toString())
                            .start();
            try (var told = writer.inputReader()) {
                // It writes without a pause from here on.
                assertThat(told.readLine()).isEqualTo("begun");
                writer.destroyForcibly().waitFor();
            }
            requireWhole(file);
        }
    }

    /** Replaces one file for ever. */
    static final class ReplaceTarget {
        private ReplaceTarget() {}

        public static void main(String[] args) throws IOException {
            Path root = Path.of(args[0]);
            ForbiddenPlaces none =
                    ForbiddenPlaces.of(root.resolve("home"), root.resolve("state"), List.of());
            FencedFiles files = new FencedFiles(new PathFence(List.of(root), none));
            for (int i = 0; true; i++) {
                files.replace("ok.txt", filled(i % 2 == 0 ? 'a' : 'b'));
                if (i == 3) {
                    System.out.println("begun");
                }
            }
        }
    }

    private static byte[] filled(char letter) {
        byte[] all = new byte[1024 * 1024];
        Arrays.fill(all, (byte) letter);
        return all;
    }

    private static void requireWhole(Path file) {
        try {
            byte[] read = Files.readAllBytes(file);
            assertThat(Arrays.equals(read, filled('a')) || Arrays.equals(read, filled('b')))
                    .as("%d bytes", read.length)
                    .isTrue();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
