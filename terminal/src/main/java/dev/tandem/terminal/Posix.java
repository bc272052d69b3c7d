package dev.tandem.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The few calls of the C library that a terminal needs, for Linux and macOS. Thread-safe. */
final class Posix {
    static final boolean MAC = System.getProperty("os.name", "").startsWith("Mac");

    static final int EINTR = 4;
    static final int EIO = 5;
    static final int ECHILD = 10;
    static final int EAGAIN = MAC ? 35 : 11;

    static final int SIGHUP = 1;
    static final int SIGINT = 2;
    static final int SIGKILL = 9;

    static final short POLLIN = 1;
    static final short POLLOUT = 4;
    static final short POLLERR = 8;
    static final short POLLHUP = 16;

    private static final int O_RDWR = 2;
    private static final int O_NOCTTY = MAC ? 0x20000 : 0x100;
    private static final int O_CLOEXEC = MAC ? 0x1000000 : 0x80000;
    private static final int O_NONBLOCK = MAC ? 0x4 : 0x800;
    private static final int F_SETFL = 4;
    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;
    private static final long TIOCSWINSZ = MAC ? 0x80087467L : 0x5414L;
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    // One capture buffer per platform thread: every caller is a platform thread or short.
    private static final ThreadLocal<MemorySegment> STATES =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private static final MethodHandle OPENPT = bind("posix_openpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle GRANTPT = bind("grantpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle UNLOCKPT = bind("unlockpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle PTSNAME_R =
            bind("ptsname_r", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
    // By number, since a slice of the buffer for each page of a flood costs more than the call.
    private static final MethodHandle READ =
            bind("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MEMCHR =
            link(
                    "memchr",
                    FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT, JAVA_LONG),
                    Linker.Option.critical(true));
    private static final MethodHandle WRITE =
            bind("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle SOCKET =
            bind("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = bind("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle PIPE = bind("pipe", JAVA_INT, ADDRESS);
    private static final MethodHandle POLL =
            bind("poll", JAVA_INT, ADDRESS, MAC ? JAVA_INT : JAVA_LONG, JAVA_INT);
    private static final MethodHandle KILL = bind("kill", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle TCGETPGRP = bind("tcgetpgrp", JAVA_INT, JAVA_INT);
    private static final MethodHandle WAITID =
            bind("waitid", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle IOCTL =
            variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle FCNTL =
            variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);

    private Posix() {}

    /** A failed call, with the number the C library gave. */
    static final class PosixException extends RuntimeException {
        PosixException(String call, int errno) {
            super(call + " failed with errno " + errno);
        }
    }

    static int openMaster() {
        int fd = call("posix_openpt", OPENPT, O_RDWR | O_NOCTTY | (MAC ? 0 : O_CLOEXEC));
        call("fcntl", FCNTL, fd, F_SETFD, FD_CLOEXEC);
        call("grantpt", GRANTPT, fd);
        call("unlockpt", UNLOCKPT, fd);
        call("fcntl", FCNTL, fd, F_SETFL, O_RDWR | O_NONBLOCK);
        return fd;
    }

    static String slaveName(int master) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(128);
            call("ptsname_r", PTSNAME_R, master, name, name.byteSize());
            return name.getString(0);
        }
    }

    /** Two descriptors of a pipe, neither blocking nor inherited. */
    static int[] pipe() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            call("pipe", PIPE, ends);
            int[] fds = {ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1)};
            for (int fd : fds) {
                call("fcntl", FCNTL, fd, F_SETFD, FD_CLOEXEC);
                call("fcntl", FCNTL, fd, F_SETFL, O_NONBLOCK);
            }
            return fds;
        }
    }

    /** Where the failed reads of one thread leave their number. */
    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    /** Bytes read to that address, 0 at the end of file, or the negative errno. */
    static long read(MemorySegment state, int fd, long address, long length) {
        try {
            long n = (long) READ.invokeExact(state, fd, address, length);
            return n >= 0 ? n : -errno(state);
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    /** True when one of the bytes is this one. */
    static boolean contains(MemorySegment bytes, int wanted) {
        try {
            return (long) MEMCHR.invokeExact(bytes, wanted, bytes.byteSize()) != 0;
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    /** Bytes written, or the negative errno. */
    static long write(int fd, MemorySegment buffer, long length) {
        MemorySegment state = STATES.get();
        try {
            long n = (long) WRITE.invokeExact(state, fd, buffer, length);
            return n >= 0 ? n : -errno(state);
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    /** Number of ready descriptors, 0 at the timeout; an interrupted call counts as none. */
    static int poll(MemorySegment fds, int count, int timeoutMs) {
        MemorySegment state = STATES.get();
        try {
            int n =
                    MAC
                            ? (int) POLL.invokeExact(state, fds, count, timeoutMs)
                            : (int) POLL.invokeExact(state, fds, (long) count, timeoutMs);
            return Math.max(n, 0);
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    static void setPoll(MemorySegment fds, int index, int fd, int events) {
        fds.set(JAVA_INT, index * 8L, fd);
        fds.set(JAVA_SHORT, index * 8L + 4, (short) events);
        fds.set(JAVA_SHORT, index * 8L + 6, (short) 0);
    }

    static int polled(MemorySegment fds, int index) {
        return fds.get(JAVA_SHORT, index * 8L + 6);
    }

    /** Where the kernel is asked about sockets; negative where it is not. Linux only. */
    static int openSocketDiag() {
        return MAC ? -1 : invoke(SOCKET, AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
    }

    static void close(int fd) {
        invoke(CLOSE, fd);
    }

    /** True when the signal was sent. Never reaches process 1, ourselves, or everybody. */
    static boolean kill(int pid, int signal) {
        if (pid == 0 || pid == 1 || pid == -1) {
            throw new IllegalArgumentException("refusing to signal " + pid);
        }
        return invoke(KILL, pid, signal) == 0;
    }

    /** The foreground process group of the terminal, or a value below 2 when it has none. */
    static int foregroundGroup(int master) {
        return invoke(TCGETPGRP, master);
    }

    static void setSize(int master, int cols, int rows) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_SHORT, 4);
            size.setAtIndex(JAVA_SHORT, 0, (short) rows);
            size.setAtIndex(JAVA_SHORT, 1, (short) cols);
            call("ioctl", IOCTL, master, TIOCSWINSZ, size);
        }
    }

    /** The result of waiting: errno is 0 and pid the child, or pid is 0. */
    record Waited(int pid, int how, int status, int errno) {}

    /** Waits for any child (pid 0) or looks at one; {@code reap} removes it from the table. */
    static Waited waitFor(int pid, boolean block, boolean reap) {
        int exited = 4;
        int noWait = MAC ? 0x20 : 0x01000000;
        int options = exited | (block ? 0 : 1) | (reap ? 0 : noWait);
        MemorySegment state = STATES.get();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(128, 8);
            int kind = pid == 0 ? 0 : 1;
            int n = (int) WAITID.invokeExact(state, kind, pid, info, options);
            if (n < 0) {
                return new Waited(0, 0, 0, errno(state));
            }
            long at = MAC ? 12 : 16;
            return new Waited(
                    info.get(JAVA_INT, at), info.get(JAVA_INT, 8), info.get(JAVA_INT, at + 8), 0);
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    /** Orphans of our children become ours instead of process 1's. Linux only. */
    static boolean becomeSubreaper() {
        if (MAC) {
            return false;
        }
        MethodHandle prctl =
                variadic(
                        "prctl", 1, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        return invoke(prctl, PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
    }

    static MethodHandle bind(String name, MemoryLayout result, MemoryLayout... arguments) {
        return link(name, FunctionDescriptor.of(result, arguments), ERRNO);
    }

    private static MethodHandle variadic(
            String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
        return link(
                name,
                FunctionDescriptor.of(result, arguments),
                ERRNO,
                Linker.Option.firstVariadicArg(fixed));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... how) {
        MemorySegment symbol =
                LINKER.defaultLookup()
                        .find(name)
                        .orElseThrow(() -> new UnsatisfiedLinkError("the C library lacks " + name));
        return LINKER.downcallHandle(symbol, type, how);
    }

    /** Calls a function that answers an int and throws when that is negative. */
    static int call(String name, MethodHandle handle, Object... arguments) {
        int result = invoke(handle, arguments);
        if (result < 0) {
            throw new PosixException(name, errno(STATES.get()));
        }
        return result;
    }

    /** Calls a function that answers an int. */
    static int invoke(MethodHandle handle, Object... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = STATES.get();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        try {
            return (int) handle.invokeWithArguments(all);
        } catch (Throwable t) {
            throw sneaky(t);
        }
    }

    private static int errno(MemorySegment state) {
        return (int) ERRNO_VALUE.get(state, 0L);
    }

    private static RuntimeException sneaky(Throwable t) {
        if (t instanceof Error e) {
            throw e;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }
}
