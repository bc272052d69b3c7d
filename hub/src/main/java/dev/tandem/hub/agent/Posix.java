package dev.tandem.hub.agent;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The two system calls that keep orphans in the family; both do nothing outside Linux. */
final class Posix {
    private static final boolean LINUX = System.getProperty("os.name", "").startsWith("Linux");
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int WNOHANG = 1;

    private Posix() {}

    /** From now on orphaned descendants become children of this process, not of init. */
    static boolean becomeSubreaper() {
        if (!LINUX) {
            return false;
        }
        try {
            MethodHandle prctl =
                    downcall(
                            "prctl",
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG),
                            Linker.Option.firstVariadicArg(1));
            return (int) prctl.invokeExact(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
        } catch (Throwable unavailable) {
            return false;
        }
    }

    /** Takes the exit status of one dead child, so that it does not stay a zombie. */
    static boolean reap(long pid) {
        if (!LINUX) {
            return false;
        }
        try {
            MethodHandle waitpid =
                    downcall(
                            "waitpid",
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_INT));
            return (int) waitpid.invokeExact((int) pid, MemorySegment.NULL, WNOHANG) == (int) pid;
        } catch (Throwable unavailable) {
            return false;
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle downcall(
            String name, FunctionDescriptor shape, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup libc = linker.defaultLookup();
        return linker.downcallHandle(libc.findOrThrow(name), shape, options);
    }
}
