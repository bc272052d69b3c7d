package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeerSocketTest {
    /** A connection to this machine, and the end of it that was taken. */
    private record Pair(ServerSocketChannel listener, SocketChannel caller, SocketChannel taken)
            implements AutoCloseable {
        static Pair open(StandardProtocolFamily family) throws IOException {
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
            InetAddress home = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            listener.bind(new InetSocketAddress(home, 0));
            SocketChannel caller = SocketChannel.open(family);
            caller.connect(listener.getLocalAddress());
            return new Pair(listener, caller, listener.accept());
        }

        @Override
        public void close() throws IOException {
            caller.close();
            taken.close();
            listener.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StandardProtocolFamily.class,
            names = {"INET", "INET6"})
    @DisplayName("SEC-1: the kernel names the caller's end as its tables do, whatever its family")
    void namesTheCallersEnd(StandardProtocolFamily family) throws IOException {
        try (Pair pair = Pair.open(family)) {
            assertThat(PeerSocket.asked(pair.taken.socket()))
                    .isNotEmpty()
                    .isEqualTo(PeerSocket.inTables(pair.taken.socket()));
        }
    }

    @Test
    @DisplayName("SEC-1: an end that nobody holds any more has no number, nor its listener's")
    void goneEndsHaveNone() throws IOException {
        try (Pair pair = Pair.open(StandardProtocolFamily.INET)) {
            pair.caller.close();
            assertThat(PeerSocket.asked(pair.taken.socket())).isEmpty();
            assertThat(PeerSocket.inode(pair.taken.socket())).isEmpty();
        }
    }
}
