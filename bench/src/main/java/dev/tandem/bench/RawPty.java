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
import java.nio.ByteBuffer;
import java.util.List;

/** A program on a pseudo-terminal, its output read with read(2) and nothing else. Linux only. */
final class RawPty implements AutoCloseable {
    private static final int O_RDWR_NOCTTY = 2 | 0x100;
    private static final int READ_BYTES = 64 * 1024;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle READ = bind("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);

    private final int master;
    private final Process process;

    RawPty(String... program) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            master = (int) bind("posix_openpt", JAVA_INT, JAVA_INT).invokeExact(O_RDWR_NOCTTY);
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
            process = start(new File(name.getString(0)), program);
        } catch (Throwable e) {
            throw e instanceof IOException known ? known : new IOException(e);
        }
    }

    /** The ceiling of a terminal: seconds until the program's output has ended, thrown away. */
    static double seconds(String... program) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        long begun = System.nanoTime();
        try (RawPty pty = new RawPty(program)) {
            while (pty.read(buffer.clear())) {
                // as fast as the kernel gives it
            }
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    /** Reads behind what the direct buffer has; false when the output has ended. */
    boolean read(ByteBuffer into) throws IOException {
        try {
            long most = into.remaining();
            long size = (long) READ.invokeExact(master, MemorySegment.ofBuffer(into), most);
            into.position(into.position() + (int) Math.max(size, 0));
            return size > 0;
        } catch (Throwable e) {
            throw new IOException(e);
        }
    }

    private static Process start(File slave, String... program) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "-c");
        builder.command().addAll(List.of(program));
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

    @Override
    public void close() throws IOException {
        try {
            int closed = (int) bind("close", JAVA_INT, JAVA_INT).invokeExact(master);
            process.waitFor();
            if (closed != 0) {
                throw new IOException("The pseudo-terminal did not close.");
            }
        } catch (Throwable e) {
            throw e instanceof IOException known ? known : new IOException(e);
        }
    }
}
