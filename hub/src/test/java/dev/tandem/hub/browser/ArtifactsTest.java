package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactsTest {
    @TempDir Path root;

    // SEC-25: 1 GiB of artifacts for a session; another one is not in its way
    @Test
    void aSessionKeepsSoMuch() throws IOException {
        Artifacts artifacts = new Artifacts(root, Clock.systemUTC());
        Path first = artifacts.writeNew(shelf("one"), "screenshot", "a.png", new byte[10]);
        Path large = first.resolveSibling("large.bin");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(Limits.big("sessionArtifactBytes") - 20);
        }
        artifacts.sweep();
        artifacts.write(shelf("one"), "b.png", new byte[10]);
        assertThatThrownBy(() -> artifacts.write(shelf("one"), "c.png", new byte[10]))
                .isInstanceOfSatisfying(
                        TandemException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL))
                .hasMessageContaining(root.resolve("one").toString());
        assertThat(root.resolve("one/c.png")).doesNotExist();
        assertThat(artifacts.write(shelf("two"), "c.png", new byte[10])).exists();
        Files.delete(large);
        assertThat(artifacts.write(shelf("one"), "c.png", new byte[10])).exists();
    }

    // SEC-25: nor does a new ops session give the same agent or program another GiB
    @Test
    void aCallerKeepsSoMuchInAllItsSessions() throws IOException {
        Artifacts artifacts = new Artifacts(root, Clock.systemUTC());
        Artifacts.Shelf before = new Artifacts.Shelf("session:agent", "first");
        Path first = artifacts.writeNew(before, "screenshot", "a.png", new byte[10]);
        try (RandomAccessFile file =
                new RandomAccessFile(first.resolveSibling("large.bin").toFile(), "rw")) {
            file.setLength(Limits.big("sessionArtifactBytes") - 20);
        }
        artifacts.sweep();
        Artifacts.Shelf after = new Artifacts.Shelf("session:agent", "second");
        assertThat(artifacts.write(after, "b.png", new byte[10])).exists();
        assertThatThrownBy(() -> artifacts.writeNew(after, "screenshot", "c.png", new byte[10]))
                .isInstanceOfSatisfying(
                        TandemException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL));
        assertThat(artifacts.find(after, "a.png")).isEmpty();
        assertThat(artifacts.find(after, first.toString())).as("another session's").isEmpty();
        Artifacts.Shelf other = new Artifacts.Shelf("session:other", "third");
        assertThat(artifacts.write(other, "c.png", new byte[10])).exists();
    }

    private static Artifacts.Shelf shelf(String sessionId) {
        return Artifacts.Shelf.ofUser(sessionId);
    }

    // SEC-25: 7 days for a file; the sweep comes with the first file of a later day
    @Test
    void aFileStaysSoLong() throws IOException {
        Instant now = Instant.now();
        Artifacts artifacts = new Artifacts(root, Clock.fixed(now, ZoneOffset.UTC));
        Path old = artifacts.writeNew(shelf("one"), "screenshot", "a.png", new byte[10]);
        Path young = artifacts.write(shelf("two"), "b.png", new byte[10]);
        Instant before = now.minus(Duration.ofDays(7)).minusSeconds(1);
        Files.setLastModifiedTime(old, FileTime.from(before));
        Path outside = Files.createTempFile("tandem-artifacts", ".txt");
        Files.setLastModifiedTime(outside, FileTime.from(before));
        Path link = Files.createSymbolicLink(root.resolve("two/link"), outside);
        new Artifacts(root, Clock.fixed(now, ZoneOffset.UTC))
                .write(shelf("three"), "c", new byte[1]);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(link).isSymbolicLink();
        assertThat(outside).exists();
        Files.delete(outside);
    }

    @Test
    void emptyFoldersGoAndNamesThatAreNoneFindNothing() throws IOException {
        Instant now = Instant.now();
        Artifacts artifacts = new Artifacts(root, Clock.fixed(now, ZoneOffset.UTC));
        Path empty = Files.createDirectory(root.resolve("gone"));
        FileTime before = FileTime.from(now.minus(Duration.ofDays(7)).minusSeconds(1));
        Path held = artifacts.write(shelf("one"), "a.png", new byte[1]);
        Files.setLastModifiedTime(held.getParent(), before);
        Files.setLastModifiedTime(empty, before);
        artifacts.sweep();
        assertThat(empty).doesNotExist();
        assertThat(held).exists();
        assertThat(artifacts.find(shelf("one"), "a.png")).isPresent();
        assertThat(artifacts.find(shelf("one"), "b.png")).isEmpty();
        assertThat(artifacts.find(shelf("one"), "a\0b")).isEmpty();
    }

    // OPS-74: who names a place that is none is told so
    @Test
    void aFileOfTheUsersGoesWhereTheySayOrTheyReadWhyNot() throws IOException {
        Path file = root.resolve("shot.png");
        assertThat(Artifacts.writeForUser(file, new byte[] {7})).isEqualTo(file);
        assertThat(file).hasBinaryContent(new byte[] {7});
        refused(root.resolve("none/shot.png"), "There is no folder " + root.resolve("none") + ".");
        refused(
                file.resolve("shot.png"),
                file.resolve("shot.png") + " cannot be written. Name another file.");
        refused(root, root + " is a folder. Name a file.");
    }

    private static void refused(Path file, String why) {
        assertThatThrownBy(() -> Artifacts.writeForUser(file, new byte[1]))
                .isInstanceOf(TandemException.class)
                .hasMessage(why);
    }
}
