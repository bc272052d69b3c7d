package dev.tandem.terminal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program started as leader of its own session with a terminal as its controlling one.
 *
 * <p>posix_spawn rather than ProcessBuilder: it reports the signal apart from the exit code, resets
 * the signal mask that the JVM leaves blocked, and closes every inherited descriptor.
 */
record Child(int pid) {
    private static final int O_RDWR = 2;
    private static final short SETSIGDEF = 0x04;
    private static final short SETSIGMASK = 0x08;
    private static final short SETSID = (short) (Posix.MAC ? 0x400 : 0x80);
    private static final short CLOEXEC_DEFAULT = (short) (Posix.MAC ? 0x4000 : 0);

    // Larger than the C structs on every platform we run on (80, 336 and 128 bytes on Linux).
    private static final int STRUCT_BYTES = 512;

    private static final MethodHandle SPAWN =
            Posix.bind(
                    "posix_spawn", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle ACTIONS_INIT =
            Posix.bind("posix_spawn_file_actions_init", JAVA_INT, ADDRESS);
    private static final MethodHandle ACTIONS_FREE =
            Posix.bind("posix_spawn_file_actions_destroy", JAVA_INT, ADDRESS);
    private static final MethodHandle ADD_OPEN =
            Posix.bind(
                    "posix_spawn_file_actions_addopen",
                    JAVA_INT,
                    ADDRESS,
                    JAVA_INT,
                    ADDRESS,
                    JAVA_INT,
                    JAVA_INT);
    private static final MethodHandle ADD_DUP =
            Posix.bind("posix_spawn_file_actions_adddup2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADD_CHDIR =
            Posix.bind("posix_spawn_file_actions_addchdir_np", JAVA_INT, ADDRESS, ADDRESS);
    private static final Optional<MethodHandle> CLOSE_FROM =
            Posix.MAC
                    ? Optional.empty()
                    : Optional.of(
                            Posix.bind(
                                    "posix_spawn_file_actions_addclosefrom_np",
                                    JAVA_INT,
                                    ADDRESS,
                                    JAVA_INT));
    private static final MethodHandle ATTR_INIT =
            Posix.bind("posix_spawnattr_init", JAVA_INT, ADDRESS);
    private static final MethodHandle ATTR_FREE =
            Posix.bind("posix_spawnattr_destroy", JAVA_INT, ADDRESS);
    private static final MethodHandle ATTR_FLAGS =
            Posix.bind("posix_spawnattr_setflags", JAVA_INT, ADDRESS, JAVA_SHORT);
    private static final MethodHandle ATTR_DEFAULTS =
            Posix.bind("posix_spawnattr_setsigdefault", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle ATTR_MASK =
            Posix.bind("posix_spawnattr_setsigmask", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle SIGFILL = Posix.bind("sigfillset", JAVA_INT, ADDRESS);
    private static final MethodHandle SIGEMPTY = Posix.bind("sigemptyset", JAVA_INT, ADDRESS);

    /** What to run: an absolute program first, the whole environment, an existing directory. */
    record Launch(List<String> argv, Map<String, String> environment, Path directory) {}

    /** Binds what spawning needs, by being called. */
    static void prepare() {}

    static Child spawn(Launch launch, String slave) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(STRUCT_BYTES, 16);
            MemorySegment attributes = arena.allocate(STRUCT_BYTES, 16);
            check("file_actions_init", Posix.invoke(ACTIONS_INIT, actions));
            check("spawnattr_init", Posix.invoke(ATTR_INIT, attributes));
            try {
                describe(arena, actions, attributes, launch.directory(), slave);
                MemorySegment pid = arena.allocate(JAVA_INT);
                List<String> environment =
                        launch.environment().entrySet().stream()
                                .map(e -> e.getKey() + "=" + e.getValue())
                                .toList();
                check(
                        launch.argv().getFirst(),
                        Posix.invoke(
                                SPAWN,
                                pid,
                                arena.allocateFrom(launch.argv().getFirst()),
                                actions,
                                attributes,
                                strings(arena, launch.argv()),
                                strings(arena, environment)));
                return new Child(pid.get(JAVA_INT, 0));
            } finally {
                Posix.invoke(ACTIONS_FREE, actions);
                Posix.invoke(ATTR_FREE, attributes);
            }
        }
    }

    private static void describe(
            Arena arena,
            MemorySegment actions,
            MemorySegment attributes,
            Path directory,
            String slave) {
        // The session is made before the file actions run, so this open makes it the controlling
        // terminal.
        check("open", Posix.invoke(ADD_OPEN, actions, 0, arena.allocateFrom(slave), O_RDWR, 0));
        check("dup2", Posix.invoke(ADD_DUP, actions, 0, 1));
        check("dup2", Posix.invoke(ADD_DUP, actions, 0, 2));
        check("chdir", Posix.invoke(ADD_CHDIR, actions, arena.allocateFrom(directory.toString())));
        if (CLOSE_FROM.isPresent()) {
            check("closefrom", Posix.invoke(CLOSE_FROM.get(), actions, 3));
        }
        MemorySegment signals = arena.allocate(STRUCT_BYTES, 16);
        Posix.invoke(SIGFILL, signals);
        check("sigdefault", Posix.invoke(ATTR_DEFAULTS, attributes, signals));
        Posix.invoke(SIGEMPTY, signals);
        check("sigmask", Posix.invoke(ATTR_MASK, attributes, signals));
        short flags = (short) (SETSIGDEF | SETSIGMASK | SETSID | CLOEXEC_DEFAULT);
        check("setflags", Posix.invoke(ATTR_FLAGS, attributes, flags));
    }

    private static MemorySegment strings(Arena arena, List<String> values) {
        MemorySegment array = arena.allocate(ADDRESS, values.size() + 1L);
        for (int i = 0; i < values.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(values.get(i)));
        }
        array.setAtIndex(ADDRESS, values.size(), MemorySegment.NULL);
        return array;
    }

    private static void check(String what, int error) {
        if (error != 0) {
            throw new Posix.PosixException(what, error);
        }
    }
}
