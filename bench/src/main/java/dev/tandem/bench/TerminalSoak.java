package dev.tandem.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** A thousand lost connections during one stream: no byte lost, none twice, memory flat. */
final class TerminalSoak {
    private static final int LOSSES = 1000;
    private static final int FILE_BYTES = 64 * 1024 * 1024;
    private static final int TIMES = 20;
    private static final double GROWTH_MEGABYTES = 32;

    private final ByteBuffer expected;
    private final HubUnderTest hub;
    private BenchTerminal terminal;
    // The program's first byte says that it listens; the stream follows it.
    private long at = 1;
    private long acknowledged;

    private TerminalSoak(HubUnderTest hub, ByteBuffer expected) throws Exception {
        this.hub = hub;
        this.expected = expected;
        hub.awaitTerminals();
        terminal = new BenchTerminal(hub, true);
        terminal.awaitBytes();
    }

    static String run(Path home) throws Exception {
        Path folder = Files.createTempDirectory("tandem-soak");
        Path file = folder.resolve("bytes");
        try (HubUnderTest hub = new HubUnderTest(home, BenchTerminal.environment(folder))) {
            return new TerminalSoak(hub, write(file)).go(file);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder.resolve("claude"));
            Files.delete(folder);
        }
    }

    private String go(Path file) throws Exception {
        Random random = new Random(3);
        long all = 1 + (long) FILE_BYTES * TIMES;
        long between = all / (LOSSES + 1);
        terminal.run("stty raw -echo; cat" + (" '" + file + "'").repeat(TIMES) + "; read -r x");
        until(between);
        double before = hub.terminalMegabytes();
        for (int i = 1; i <= LOSSES; i++) {
            until(Math.min(all, i * between + random.nextLong(between)));
            if (random.nextBoolean()) {
                terminal.socket().cut();
            } else {
                terminal.close();
            }
            terminal = terminal.again(hub, at);
            acknowledged = at;
        }
        until(all);
        double grown = hub.terminalMegabytes() - before;
        terminal.close();
        if (at != all) {
            throw new AssertionError("There were " + (at - all) + " bytes too many.");
        }
        if (grown > GROWTH_MEGABYTES) {
            throw new AssertionError("The terminal agent grew by " + grown + " MB.");
        }
        return LOSSES + " losses in " + all + " bytes, nothing lost, nothing twice";
    }

    private void until(long target) throws IOException {
        while (at < target) {
            ByteBuffer data = terminal.awaitBytes().data();
            check(data);
            at += data.remaining();
            if (at - acknowledged >= BenchTerminal.ACK_EVERY_BYTES) {
                acknowledged = at;
                terminal.acknowledge(at);
            }
        }
    }

    private void check(ByteBuffer data) {
        int from = (int) ((at - 1) % FILE_BYTES);
        int first = Math.min(data.remaining(), FILE_BYTES - from);
        boolean same = data.slice(0, first).equals(expected.slice(from, first));
        int rest = data.remaining() - first;
        same &= data.slice(first, rest).equals(expected.slice(0, rest));
        if (!same) {
            throw new AssertionError("The bytes from " + at + " on are not what was written.");
        }
    }

    private static ByteBuffer write(Path file) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(FILE_BYTES);
        Random random = new Random(1);
        while (data.hasRemaining()) {
            data.putLong(random.nextLong());
        }
        data.clear();
        try (FileChannel out =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (data.hasRemaining()) {
                out.write(data);
            }
        }
        return data.clear();
    }
}
