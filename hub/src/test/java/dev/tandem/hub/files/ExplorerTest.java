package dev.tandem.hub.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplorerTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir Path folder;
    private Path root;
    private Explorer explorer;

    @BeforeEach
    void open() throws Exception {
        root = Files.createDirectories(folder.resolve("a"));
        explorer = over(root);
    }

    private Explorer over(Path... roots) {
        ForbiddenPlaces forbidden =
                ForbiddenPlaces.of(folder.resolve("home"), folder.resolve("state"), List.of());
        return new Explorer(new PathFence(List.of(roots), forbidden));
    }

    private List<String> names(boolean hidden) {
        return explorer.list("", hidden).items().stream().map(Explorer.Item::name).toList();
    }

    // ACP-161
    @Test
    void foldersComeFirstAndDigitsCountAsNumbers() throws Exception {
        for (String name : List.of("f10.txt", "f9.txt", "F1.txt", "über.txt", ".env", "x.lock")) {
            Files.writeString(root.resolve(name), "");
        }
        for (String name : List.of("zoo", "node_modules", ".git", "dist")) {
            Files.createDirectory(root.resolve(name));
        }
        assertThat(names(false)).containsExactly("zoo", "F1.txt", "f9.txt", "f10.txt", "über.txt");
        assertThat(names(true)).contains(".env", ".git", "node_modules", "dist", "x.lock");
    }

    @Test
    void aFolderWithTooManyEntriesIsCut() throws Exception {
        for (int i = 0; i < 5_010; i++) {
            Files.createFile(root.resolve("f" + i));
        }
        Explorer.Listing listing = explorer.list("", false);
        assertThat(listing.items()).hasSize(5_000);
        assertThat(listing.truncated()).isTrue();
    }

    // ACP-158, ACP-L16: the cut is between characters, and only the beginning is read
    @Test
    void longTextIsCutBetweenCharacters() throws Exception {
        String text = "a" + "😀".repeat(40_000);
        Files.writeString(root.resolve("long.txt"), text);
        Explorer.Content read = explorer.read("long.txt");
        assertThat(read.truncated()).isTrue();
        String shown = read.content().replace("\n\n[... truncated]", "");
        assertThat(text).startsWith(shown);
        assertThat(shown.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(102_397, 102_400);
        String exact = "b".repeat(100 * 1024);
        Files.writeString(root.resolve("exact.txt"), exact);
        assertThat(explorer.read("exact.txt").content()).isEqualTo(exact);
        Files.writeString(root.resolve("huge.log"), "x".repeat(8192));
        try (RandomAccessFile sparse =
                new RandomAccessFile(root.resolve("huge.log").toFile(), "rw")) {
            sparse.setLength(5L * 1024 * 1024 * 1024);
        }
        Explorer.Content huge = explorer.read("huge.log");
        // The best of three: what else the machine does only ever adds.
        long quickest = Long.MAX_VALUE;
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long allocated = THREADS.getCurrentThreadAllocatedBytes();
            long begun = System.nanoTime();
            huge = explorer.read("huge.log");
            quickest = Math.min(quickest, System.nanoTime() - begun);
            smallest = Math.min(smallest, THREADS.getCurrentThreadAllocatedBytes() - allocated);
        }
        assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofMillis(100));
        assertThat(smallest).isLessThan(2 * 1024 * 1024);
        assertThat(huge.truncated()).isTrue();
        assertThat(huge.size()).isEqualTo(5L * 1024 * 1024 * 1024);
        assertThat(huge.content().length()).isLessThan(110_000);
    }

    // ACP-159
    @Test
    void picturesUpToAMebibyteComeWhole() throws Exception {
        byte[] limit = new byte[1024 * 1024];
        Arrays.fill(limit, (byte) 7);
        Files.write(root.resolve("fits.png"), limit);
        Explorer.Content fits = explorer.read("fits.png");
        assertThat(Base64.getDecoder().decode(fits.content())).isEqualTo(limit);
        assertThat(fits.mimeType()).isEqualTo("image/png");
        assertThat(fits.binary()).isTrue();
        Files.write(root.resolve("over.webp"), new byte[1024 * 1024 + 1]);
        Explorer.Content over = explorer.read("over.webp");
        assertThat(over.content()).isEqualTo("[Image too large: 1.0MB, max 1.0MB]");
        assertThat(over.truncated()).isTrue();
        assertThat(over.mimeType()).isEqualTo("image/webp");
    }

    // ACP-160
    @Test
    void binariesAreKnownByTheirContent() throws Exception {
        Files.write(root.resolve("program"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 0, 0});
        Explorer.Content program = explorer.read("program");
        assertThat(program.content()).isEqualTo("[Binary file: program, 8B]");
        assertThat(program.binary()).isTrue();
        assertThat(program.truncated()).isFalse();
        Files.write(root.resolve("latin"), new byte[] {'a', (byte) 0xe9, 'b'});
        assertThat(explorer.read("latin").binary()).isTrue();
        byte[] wide = "\ufeffGrüße 😀".getBytes(StandardCharsets.UTF_16LE);
        Files.write(root.resolve("wide.txt"), wide);
        Explorer.Content text = explorer.read("wide.txt");
        assertThat(text.binary()).isFalse();
        assertThat(text.content()).isEqualTo("Grüße 😀");
        Files.writeString(root.resolve("archive.zip"), "only text");
        assertThat(explorer.read("archive.zip").content())
                .isEqualTo("[Binary file: archive.zip, 9B]");
        Files.writeString(root.resolve("empty"), "");
        assertThat(explorer.read("empty").binary()).isFalse();
    }

    // ACP-157, ACP-L15: the whole list of ways out
    @Test
    void noWayLeadsOut() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("ab"));
        Files.writeString(outside.resolve("x"), "secret");
        Files.createSymbolicLink(root.resolve("file-link"), outside.resolve("x"));
        Files.createSymbolicLink(root.resolve("folder-link"), outside);
        Files.createSymbolicLink(root.resolve("link-to-link"), root.resolve("folder-link"));
        Process fifo = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(fifo.waitFor()).isZero();
        Files.createSymbolicLink(root.resolve("caf\u00e9"), outside.resolve("x"));
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
        }
        for (String path :
                List.of(
                        "../ab/x",
                        "sub/../../ab/x",
                        outside.resolve("x").toString(),
                        "file-link",
                        "folder-link/x",
                        "link-to-link/x",
                        root + "b/x",
                        "a\0b",
                        "C:\\x",
                        "\\\\host\\share",
                        "FILE-LINK",
                        "/dev/zero",
                        "/proc/self/environ",
                        "caf\u00e9",
                        "cafe\u0301",
                        "socket",
                        "pipe")) {
            assertThatThrownBy(() -> explorer.read(path))
                    .as(path)
                    .isInstanceOfSatisfying(
                            ExplorerException.class,
                            refused ->
                                    assertThat(refused.code())
                                            .isIn("path_denied", "not_found", "not_a_file"));
        }
        for (String path : List.of("folder-link", "link-to-link", "..", outside.toString())) {
            assertThatThrownBy(() -> explorer.list(path, true))
                    .as(path)
                    .isInstanceOfSatisfying(
                            ExplorerException.class,
                            refused -> assertThat(refused.code()).isEqualTo("path_denied"));
        }
        Explorer.Item link =
                explorer.list("", false).items().stream()
                        .filter(item -> item.name().equals("folder-link"))
                        .findFirst()
                        .orElseThrow();
        assertThat(link.symlink()).isTrue();
        assertThat(link.directory()).as("it leads nowhere from here").isFalse();
    }

    // ACP-157: a device in the root itself, which only root can make
    @Test
    void aDeviceIsNotRead() throws Exception {
        Process made =
                new ProcessBuilder("mknod", root.resolve("zero").toString(), "c", "1", "5")
                        .redirectErrorStream(true)
                        .start();
        assumeTrue(made.waitFor() == 0, "only root makes devices");
        assertThatThrownBy(() -> explorer.read("zero"))
                .isInstanceOfSatisfying(
                        ExplorerException.class,
                        refused -> assertThat(refused.code()).isEqualTo("not_a_file"));
    }

    // ACP-157: a link swapped in between check and open shows nothing, neither a file nor a folder
    @Test
    void aSwappedLinkShowsNothing() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("ab"));
        Files.writeString(outside.resolve("x"), "secret");
        Files.writeString(outside.resolve("hidden"), "");
        Path door = Files.createDirectory(root.resolve("door"));
        Files.writeString(door.resolve("x"), "inside");
        new SwappedLink(door, outside)
                .during(() -> {
                    try {
                        assertThat(explorer.read("door/x").content()).isEqualTo("inside");
                        assertThat(explorer.list("door", true).items())
                                .extracting(Explorer.Item::name)
                                .doesNotContain("hidden");
                        return true;
                    } catch (ExplorerException closed) {
                        return false;
                    }
                });
    }

    @Test
    void aRootGivenThroughALinkAndASecondRootWork() throws Exception {
        Path second = Files.createDirectories(folder.resolve("second"));
        Files.writeString(second.resolve("b.txt"), "two");
        Files.writeString(root.resolve("a.txt"), "one");
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), root);
        Explorer both = over(alias, second);
        assertThat(both.read("a.txt").content()).isEqualTo("one");
        assertThat(both.list(second.toString(), false).items().getFirst().path())
                .isEqualTo(second.toRealPath().resolve("b.txt").toString());
    }
}
