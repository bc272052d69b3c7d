package dev.tandem.hub.auth;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Asks the Linux kernel for one socket (sock_diag over netlink). Reading /proc/net/tcp instead
 * walks the kernel's whole table: 7 ms where this takes a few hundredths.
 */
final class SocketInode {
    private static final int AF_INET = 2;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final int IPPROTO_TCP = 6;
    private static final int LOOPBACK = 0x7f000001;
    private static final int REQUEST_BYTES = 72;
    private static final int ANSWER_BYTES = 512;
    private static final int INODE_AT = 84;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort NET_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt NET_INT = INT.withOrder(ByteOrder.BIG_ENDIAN);

    private static final ValueLayout.OfInt C_INT = ValueLayout.JAVA_INT;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT));
    private static final MethodHandle SEND = transfer("send");
    private static final MethodHandle RECV = transfer("recv");
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(C_INT, C_INT));

    private SocketInode() {}

    /**
     * The inode of the loopback TCP socket with these two ports; empty when the kernel has none.
     */
    static Optional<String> of(int localPort, int remotePort) {
        try (Arena arena = Arena.ofConfined()) {
            int socket = (int) SOCKET.invokeExact(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
            if (socket < 0) {
                return Optional.empty();
            }
            try {
                return ask(socket, arena, localPort, remotePort);
            } finally {
                int _ = (int) CLOSE.invokeExact(socket);
            }
        } catch (Throwable e) {
            return Optional.empty();
        }
    }

    private static Optional<String> ask(int socket, Arena arena, int localPort, int remotePort)
            throws Throwable {
        MemorySegment request = request(arena, localPort, remotePort);
        MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
        long sent = (long) SEND.invokeExact(socket, request, (long) REQUEST_BYTES, 0);
        if (sent != REQUEST_BYTES) {
            return Optional.empty();
        }
        long size = (long) RECV.invokeExact(socket, answer, (long) ANSWER_BYTES, 0);
        if (size < INODE_AT + 4 || answer.get(SHORT, 4) != SOCK_DIAG_BY_FAMILY) {
            return Optional.empty();
        }
        return Optional.of(Integer.toUnsignedString(answer.get(INT, INODE_AT)));
    }

    /** A netlink header, then an inet_diag_req_v2 for exactly one connection. */
    private static MemorySegment request(Arena arena, int localPort, int remotePort) {
        MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
        request.set(INT, 0, REQUEST_BYTES);
        request.set(SHORT, 4, SOCK_DIAG_BY_FAMILY);
        request.set(SHORT, 6, (short) 1);
        request.set(ValueLayout.JAVA_BYTE, 16, (byte) AF_INET);
        request.set(ValueLayout.JAVA_BYTE, 17, (byte) IPPROTO_TCP);
        request.set(INT, 20, -1);
        request.set(NET_SHORT, 24, (short) localPort);
        request.set(NET_SHORT, 26, (short) remotePort);
        request.set(NET_INT, 28, LOOPBACK);
        request.set(NET_INT, 44, LOOPBACK);
        request.set(INT, 64, -1);
        request.set(INT, 68, -1);
        return request;
    }

    private static MethodHandle transfer(String name) {
        return function(
                name,
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        C_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        C_INT));
    }

    @SuppressWarnings("restricted") // libc's own functions, with the signatures of its headers
    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }
}
