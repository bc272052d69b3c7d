package dev.tandem.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The ceiling of a terminal: a program's output read with read(2) and thrown away. Linux only. */
final class RawPty {
    private static final int O_RDWR_NOCTTY = 2 | 0x100;
    private static final int READ_BYTES = 64 * 1024;
    private static final Linker LINKER = Linker.nativeLinker();

    private RawPty() {}

    /** Seconds until the program's output has ended. */
    static double seconds(String... program) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            int master = (int) bind("posix_openpt", JAVA_INT, JAVA_INT).invokeExact(O_RDWR_NOCTTY);
            int granted = (int) bind("grantpt", JAVA_INT, JAVA_INT).invokeExact(master);
            int unlocked = (int) bind("unlockpt", JAVA_INT, JAVA_INT).invokeExact(master);
            MemorySegment name = arena.allocate(128);
            int named =
                    (int)
                            bind("ptsname_r", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG)
                                    .invokeExact(master, name, 128L);
            if (master < 0 || granted + unlocked + named != 0) {
                throw new IOException("There is no pseudo-terminal to be had.");
            }
            MethodHandle read = bind("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
            MemorySegment buffer = arena.allocate(READ_BYTES);
            long begun = System.nanoTime();
            Process process = start(new File(name.getString(0)), program);
            while ((long) read.invokeExact(master, buffer, (long) READ_BYTES) > 0) {
                // as fast as the kernel gives it
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            process.waitFor();
            int closed = (int) bind("close", JAVA_INT, JAVA_INT).invokeExact(master);
            return closed == 0 ? seconds : Double.NaN;
        }
    }

    private static Process start(File slave, String... program) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "-c");
        builder.command().addAll(java.util.List.of(program));
        return builder.redirectInput(slave)
                .redirectOutput(Redirect.appendTo(slave))
                .redirectError(Redirect.appendTo(slave))
                .start();
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(result, arguments));
    }
}
