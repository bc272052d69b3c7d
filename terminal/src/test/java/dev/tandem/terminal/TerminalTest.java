package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class TerminalTest {
    private final RecordingWire wire = new RecordingWire();

    private Terminal run(Child.Launch launch) {
        Terminal terminal = Shells.terminal(Shells.QUICK);
        Viewer viewer = terminal.attach(wire, true);
        viewer.speaksControl();
        terminal.spawn(Shells.REAPER, launch);
        terminal.begin(viewer, -1, false);
        return terminal;
    }

    private void awaitClose() {
        await().until(() -> wire.closeCode() != 0);
    }

    private void awaitText(String text) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> wire.text().contains(text));
    }

    // TRM-009
    @Test
    void programHasARealTerminalAndItsOutputIsPushedWhileItRuns() {
        Terminal terminal = run(Shells.script("test -t 0 && test -t 1 && tty && read x; echo end"));
        awaitText("/dev/pts/");
        assertThat(terminal.running()).isTrue();
        assertThat(wire.text()).doesNotContain("end");
        Shells.type(terminal, "\n");
        awaitClose();
        assertThat(wire.text()).endsWith("end\r\n");
    }

    // TRM-L07
    @Test
    void exitCodeAndSignalAreToldApart() {
        run(Shells.script("exit 7"));
        awaitClose();
        assertThat(wire.log())
                .contains("{\"type\":\"exit\",\"code\":7,\"signal\":null}")
                .endsWith("<close 1000 pty exited>");

        RecordingWire other = new RecordingWire();
        Terminal killed = Shells.terminal(Shells.QUICK);
        Viewer viewer = killed.attach(other, true);
        viewer.speaksControl();
        killed.spawn(Shells.REAPER, Shells.script("kill -9 $$"));
        killed.begin(viewer, -1, false);
        await().until(() -> other.closeCode() != 0);
        assertThat(other.log()).contains("{\"type\":\"exit\",\"code\":null,\"signal\":9}");
    }

    @Test
    void exitCodeOfAShellThatReportsASignalIsNotTakenForOne() {
        run(Shells.script("exit 137"));
        awaitClose();
        assertThat(wire.log()).contains("{\"type\":\"exit\",\"code\":137,\"signal\":null}");
    }

    // TRM-L31, TRM-L27
    @Test
    void noByteIsLostAtTheExit(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("data");
        byte[] data = new byte[1_000_003];
        new java.util.Random(7).nextBytes(data);
        Files.write(file, data);
        for (int i = 0; i < 20; i++) {
            RecordingWire each = new RecordingWire();
            Terminal terminal = Shells.terminal(Shells.QUICK);
            Viewer viewer = terminal.attach(each, true);
            terminal.spawn(Shells.REAPER, Shells.script("stty raw; exec cat " + file));
            terminal.begin(viewer, -1, false);
            await().pollInterval(Duration.ofMillis(2)).until(() -> each.closeCode() != 0);
            assertThat(each.bytes()).as("run " + i).isEqualTo(data);
        }
    }

    // TRM-L27
    @Test
    void unfinishedCharacterAtTheEndArrives() {
        run(Shells.script("printf '\\xe4\\xbd'"));
        awaitClose();
        assertThat(wire.bytes()).isEqualTo(new byte[] {(byte) 0xe4, (byte) 0xbd});
    }

    // TRM-L10
    @Test
    void resizeReachesTheProgramAndIsClamped() {
        Terminal terminal =
                run(
                        Shells.script(
                                "trap 'echo told' WINCH; while :; do stty size; read -t 0.1 x; done"));
        awaitText("24 80");
        terminal.resize(133, 47);
        awaitText("told");
        awaitText("47 133");
        terminal.resize(1_000_000_000, -5);
        awaitText("2 1000");
        terminal.dispose();
        awaitClose();
    }

    private static final String COMPARES =
            "printf '\\e[?1049h'; head -c 300000 /dev/zero | tr '\\0' x; was=$(stty size);"
                    + " told=; trap 'told=yes' WINCH; echo waiting; while :; do"
                    + " read -t 0.1 x && echo \"size is $(stty size).\";"
                    + " [ \"$told\" ] || continue; told=; now=$(stty size);"
                    + " [ \"$now\" = \"$was\" ] || echo \"drawn for $now.\"; was=$now; done";

    // TRM-L09: as less, neovim and Node do, it draws again when it finds another size
    @Test
    void programThatComparesSizesDrawsAgainForWhoMissedTheBeginning() {
        List<Runnable> later = new CopyOnWriteArrayList<>();
        Terminal terminal =
                new Terminal("compares", "shell", Shells.SMALL, (_, action) -> later.add(action));
        Viewer writer = terminal.attach(wire, true);
        terminal.spawn(Shells.REAPER, Shells.script(COMPARES));
        terminal.begin(writer, -1, false);
        awaitText("waiting");
        terminal.begin(terminal.attach(new RecordingWire(), false), -1, false);
        awaitText("drawn for 23 80.");
        later.removeFirst().run();
        awaitText("drawn for 24 80.");

        // Resized in between, it keeps its new size.
        terminal.begin(terminal.attach(new RecordingWire(), false), -1, false);
        terminal.resize(100, 30);
        awaitText("drawn for 30 100.");
        later.removeFirst().run();
        Shells.type(terminal, "\n");
        awaitText("size is 30 100.");
        terminal.dispose();
        awaitClose();
    }

    // TRM-L09: such as an image; the ring holds a part of it, a client that lags gets all
    @Test
    void sequenceLargerThanTheRingArrivesWholeWithoutAReset() {
        Terminal terminal = Shells.terminal(Shells.SMALL);
        Viewer viewer = terminal.attach(wire, true);
        terminal.spawn(
                Shells.REAPER,
                Shells.script(
                        "stty raw -echo; printf '\\e]1337;'; head -c 470000 /dev/zero | tr '\\0' p;"
                                + " read -rsn1 go; head -c 100000 /dev/zero | tr '\\0' q;"
                                + " printf '\\aafter'; read x"));
        terminal.begin(viewer, -1, false);
        await().until(() -> wire.size() == 470_007);
        wire.stall();
        Shells.type(terminal, "g");
        await().until(() -> terminal.ring().head() == 570_013);
        assertThat(wire.size()).as("the client lags").isLessThan(570_013);
        wire.resume();
        awaitText("after");
        assertThat(wire.log()).containsExactly("<bytes>");
        assertThat(wire.size()).isEqualTo(570_013);
        terminal.dispose();
        awaitClose();
    }

    // TRM-051
    @Test
    void everyByteTypedArrivesUnchanged() {
        Terminal terminal =
                run(
                        Shells.script(
                                "stty raw -echo; echo go; head -c 256 | od -An -v -tu1 | tr -s ' \\r\\n' ' '"));
        awaitText("go");
        ByteBuffer all = ByteBuffer.allocate(256);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 256; i++) {
            all.put((byte) i);
            expected.append(' ').append(i);
        }
        terminal.input(all.flip(), () -> {});
        awaitClose();
        assertThat(wire.text()).contains(expected);
    }

    @Test
    void inputLargerThanTheTerminalsQueueIsDeliveredInFull() {
        Terminal terminal =
                run(Shells.script("stty raw -echo; echo go; sleep 0.2; head -c 300000 | md5sum"));
        awaitText("go");
        java.util.concurrent.CountDownLatch taken = new java.util.concurrent.CountDownLatch(1);
        terminal.input(ByteBuffer.wrap(new byte[300_000]), taken::countDown);
        assertThat(taken.getCount()).as("waits for room").isEqualTo(1);
        awaitClose();
        assertThat(taken.getCount()).isZero();
        assertThat(wire.text()).contains("4a21de7a58fb8ecb9a1b1f08a3068269");
    }

    @Test
    void signalsThatTheJvmBlocksReachTheProgram() {
        run(Shells.launch("/bin/sh", "-c", "kill -QUIT $$; echo survived"));
        awaitClose();
        assertThat(wire.log()).contains("{\"type\":\"exit\",\"code\":null,\"signal\":3}");
    }

    @Test
    void programInheritsNoDescriptorsOfOurs() {
        run(Shells.script("ls /proc/self/fd | tr '\\n' ' '"));
        awaitClose();
        assertThat(wire.text().trim()).isEqualTo("0 1 2 3");
    }

    // TRM-063
    @Test
    void endingSendsInterruptFirst(@TempDir Path dir) {
        Path log = dir.resolve("log");
        Terminal terminal =
                run(
                        Shells.script(
                                "trap 'echo INT >> %s; exit 3' INT; echo up; while :; do read -t 1 x; done"
                                        .formatted(log)));
        awaitText("up");
        terminal.dispose();
        awaitClose();
        assertThat(log).hasContent("INT");
        assertThat(wire.log()).contains("{\"type\":\"exit\",\"code\":3,\"signal\":null}");
    }

    // TRM-L06
    @Test
    void whatIgnoresEverythingIsKilledWithItsBackgroundJobs() {
        Terminal terminal =
                run(
                        Shells.script(
                                "trap '' INT HUP TERM; (trap '' INT HUP TERM; exec sleep 100) &"
                                        + " setsid sleep 100 & echo pids $$ $! ; while :; do read -t 1 x; done"));
        awaitText("pids");
        await().until(() -> ProcessTree.of(terminal.facts().pid()).size() >= 3);
        var tree = ProcessTree.of(terminal.facts().pid());
        long begun = System.nanoTime();
        terminal.dispose();
        await().pollInterval(Duration.ofMillis(10)).until(() -> wire.closeCode() != 0);
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThanOrEqualTo(Shells.QUICK.killAfter());
        assertThat(wire.log()).contains("{\"type\":\"exit\",\"code\":null,\"signal\":9}");
        await().until(() -> tree.stream().noneMatch(ProcessTree.Entry::alive));
    }

    @Test
    void backgroundJobThatHoldsTheTerminalDoesNotDelayTheExit() {
        long begun = System.nanoTime();
        Terminal terminal = run(Shells.script("set -m; sleep 100 & echo bye; exit 4"));
        awaitClose();
        assertThat(wire.text()).contains("bye");
        assertThat(wire.log()).contains("{\"type\":\"exit\",\"code\":4,\"signal\":null}");
        assertThat((System.nanoTime() - begun) / 1e9).as("the job sleeps 100 s").isLessThan(15);
        await().until(() -> ProcessTree.of(terminal.facts().pid()).isEmpty());
    }

    @Test
    void titleIsToldAndListedWithoutControlCharacters() {
        Terminal terminal = run(Shells.script("printf '\\e]0;a\\u202eb\\x01c\\a'; read x"));
        await().until(() -> wire.log().contains("{\"type\":\"title\",\"title\":\"abc\"}"));
        assertThat(terminal.facts().title()).isEqualTo("abc");
        terminal.dispose();
        awaitClose();
    }
}
