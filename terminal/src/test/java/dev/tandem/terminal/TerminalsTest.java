package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All terminals of one agent: how many there may be, and how long one lives alone. */
@Timeout(60)
class TerminalsTest {
    private static final Limits LIMITS = Limits.DEFAULT;

    @TempDir Path home;
    private volatile Instant now = Instant.ofEpochMilli(1_000_000);
    private Terminals terminals;

    @BeforeEach
    void open() {
        terminals = Shells.terminals(home, () -> now, LIMITS);
    }

    @AfterEach
    void close() throws Exception {
        terminals.endAll(Duration.ofSeconds(5));
    }

    private Attachment start(Grants.Grant grant, RecordingWire wire) {
        Attachment attachment = terminals.attach(grant, wire);
        attachment.text("{\"type\":\"start\"}");
        return attachment;
    }

    private RecordingWire started(Grants.Grant grant) {
        RecordingWire wire = new RecordingWire();
        start(grant, wire);
        return wire;
    }

    private void settings(String text) throws Exception {
        Path folder = Files.createDirectories(home.resolve(".config/tandem"));
        Files.writeString(folder.resolve("config.json"), text);
    }

    private static void assertRefused(RecordingWire wire, String code) {
        assertThat(wire.log().getFirst()).contains("\"type\":\"error\",\"code\":\"" + code + "\"");
        assertThat(wire.closeCode()).isEqualTo(4410);
    }

    // TRM-L01: a terminal somebody had open for half an hour can be taken up again after a loss
    @Test
    void leaseOfAnAttachedTerminalNeverRunsOut() {
        String session = Secrets.make(8);
        Attachment panel = start(Shells.grant(session), new RecordingWire());
        int pid = terminals.list().getFirst().pid();
        now = now.plus(Duration.ofMinutes(31));
        assertThat(terminals.leaseExpiresAt(session)).isGreaterThan(now.toEpochMilli());
        panel.closed();
        await().until(() -> terminals.list().getFirst().attached() == 0);
        assertThat(terminals.resumable(session)).isTrue();
        assertThat(terminals.leaseExpiresAt(session))
                .isCloseTo(now.toEpochMilli() + LIMITS.detachWindow().toMillis(), within(1L));
        started(Shells.grant(session));
        assertThat(terminals.list().getFirst().pid()).isEqualTo(pid);
    }

    // TRM-C03: the user says how long a pinned one stays; what makes no sense changes nothing
    @ParameterizedTest
    @CsvSource({"90,90", "0,30", "10081,30", "\"90\",30", "1.5,30", "null,30"})
    void pinnedTerminalStaysAsLongAsTheSettingsSay(String given, int minutes) throws Exception {
        settings("{\"terminal\":{\"keepRunningMinutes\":" + given + "}}");
        String session = Secrets.make(8);
        Attachment panel = start(Shells.grant(session), new RecordingWire());
        panel.text("{\"type\":\"pin\",\"pinned\":true}");
        panel.closed();
        await().until(() -> terminals.list().getFirst().attached() == 0);
        assertThat(Duration.ofMillis(terminals.leaseExpiresAt(session) - now.toEpochMilli()))
                .isEqualTo(Duration.ofMinutes(minutes));
    }

    // TRM-B02: one terminal too many is refused with its reason, and takes nothing from the others
    @Test
    void terminalsHaveALimit() {
        List<RecordingWire> all = new ArrayList<>();
        for (int i = 0; i < Limits.TERMINALS; i++) {
            all.add(started(Shells.grant(Secrets.make(8))));
        }
        RecordingWire refused = new RecordingWire();
        Attachment late = start(Shells.grant("one too many"), refused);
        assertRefused(refused, "LIMIT_REACHED");
        late.closed();
        await().until(() -> !terminals.resumable("one too many"));
        assertThat(terminals.running()).isEqualTo(Limits.TERMINALS);
        assertThat(all).allMatch(wire -> wire.closeCode() == 0);
        String ended = terminals.list().getFirst().sessionId();
        assertThat(terminals.end(ended, 4410, "disposed")).isTrue();
        assertThat(started(Shells.grant("in its place")).closeCode()).isZero();
    }

    @Test
    void programThatCannotBeStartedIsSaid() throws Exception {
        Path broken = Files.writeString(home.resolve("broken"), "\u007fELF and no more");
        Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwx------"));
        settings(
                "{\"terminal\":{\"commands\":{\"gone\":[\"/no/such\"],\"broken\":[\""
                        + broken
                        + "\"]}}}");
        for (String profile : List.of("gone", "broken")) {
            assertRefused(started(Shells.grant(profile, profile, false)), "SPAWN_FAILED");
        }
        assertRefused(started(Shells.grant("x", "nobody's", false)), "PROFILE_UNKNOWN");
    }

    // TRM-B08: each window costs memory; whoever wants to write always can
    @Test
    void windowsOfOneTerminalHaveALimit() {
        RecordingWire writer = started(Shells.grant("watched"));
        Grants.Grant reader = Shells.grant("watched", "shell", true);
        List<RecordingWire> readers = new ArrayList<>();
        for (int i = 1; i < Limits.VIEWERS; i++) {
            readers.add(started(reader));
        }
        RecordingWire refused = new RecordingWire();
        Attachment late = start(reader, refused);
        assertRefused(refused, "LIMIT_REACHED");
        late.closed();
        await().until(() -> terminals.list().getFirst().attached() == Limits.VIEWERS);
        assertThat(writer.closeCode()).isZero();
        assertThat(readers).allMatch(wire -> wire.closeCode() == 0);
        assertThat(started(Shells.grant("watched")).closeCode()).isZero();
        assertThat(writer.closeCode()).as("taken over").isEqualTo(4409);
    }

    // TRM-C03: a token for one program, used in the moment in which it ends
    @Test
    void whoeverIsToldTheEndStartsNothingAnyMore() {
        String session = Secrets.make(8);
        RecordingWire wire = new RecordingWire();
        Attachment early = terminals.attach(Shells.grant(session), wire);
        assertThat(terminals.end(session, 4001, "restart")).isTrue();
        early.text("{\"type\":\"start\"}");
        assertThat(wire.log()).containsExactly("<close 4001 restart>");
        assertThat(terminals.running()).isZero();
        assertThat(early.terminal().spawned()).isFalse();
    }
}
