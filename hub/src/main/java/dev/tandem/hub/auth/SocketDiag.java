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
final class SocketDiag {
    private static final int AF_INET = 2;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final int IPPROTO_TCP = 6;
    private static final int REQUEST_BYTES = 72;
    private static final int ANSWER_BYTES = 512;
    private static final int STATE_AT = 17;
    private static final int PORTS_AT = 20;
    private static final int UID_AT = 80;
    private static final int INODE_AT = 84;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort NET_SHORT = SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private static final ValueLayout.OfInt C_INT = ValueLayout.JAVA_INT;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(C_INT, C_INT, C_INT, C_INT));
    private static final MethodHandle SEND = transfer("send");
    private static final MethodHandle RECV = transfer("recv");
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(C_INT, C_INT));

    private SocketDiag() {}

    /** The socket at the caller's end; empty when the kernel has none or does not say. */
    static Optional<TcpSocket> of(TcpEnds ends) {
        try (Arena arena = Arena.ofConfined()) {
            int socket = (int) SOCKET.invokeExact(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
            if (socket < 0) {
                return Optional.empty();
            }
            try {
                return ask(socket, arena, ends);
            } finally {
                int _ = (int) CLOSE.invokeExact(socket);
            }
        } catch (Throwable e) {
            return Optional.empty();
        }
    }

    private static Optional<TcpSocket> ask(int socket, Arena arena, TcpEnds ends) throws Throwable {
        MemorySegment request = request(arena, ends);
        MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
        long sent = (long) SEND.invokeExact(socket, request, (long) REQUEST_BYTES, 0);
        if (sent != REQUEST_BYTES) {
            return Optional.empty();
        }
        long size = (long) RECV.invokeExact(socket, answer, (long) ANSWER_BYTES, 0);
        if (size < INODE_AT + 4 || answer.get(SHORT, 4) != SOCK_DIAG_BY_FAMILY) {
            return Optional.empty();
        }
        // Where there is no such connection, the kernel names who listens at that address.
        if (answer.get(NET_SHORT, PORTS_AT + 2) != (short) ends.own().getPort()) {
            return Optional.empty();
        }
        return Optional.of(
                new TcpSocket(
                        answer.get(ValueLayout.JAVA_BYTE, STATE_AT),
                        answer.get(INT, UID_AT),
                        Integer.toUnsignedLong(answer.get(INT, INODE_AT))));
    }

    /** A netlink header, then an inet_diag_req_v2 for exactly one connection. */
    private static MemorySegment request(Arena arena, TcpEnds ends) {
        MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
        request.set(INT, 0, REQUEST_BYTES);
        request.set(SHORT, 4, SOCK_DIAG_BY_FAMILY);
        request.set(SHORT, 6, (short) 1);
        request.set(ValueLayout.JAVA_BYTE, 16, (byte) AF_INET);
        request.set(ValueLayout.JAVA_BYTE, 17, (byte) IPPROTO_TCP);
        request.set(INT, 20, -1);
        request.set(NET_SHORT, 24, (short) ends.peer().getPort());
        request.set(NET_SHORT, 26, (short) ends.own().getPort());
        MemorySegment.copy(
                ends.peer().getAddress().getAddress(), 0, request, ValueLayout.JAVA_BYTE, 28, 4);
        MemorySegment.copy(
                ends.own().getAddress().getAddress(), 0, request, ValueLayout.JAVA_BYTE, 44, 4);
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
