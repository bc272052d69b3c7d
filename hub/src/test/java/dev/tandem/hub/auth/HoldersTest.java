package dev.tandem.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is at the other end of a connection, and when nobody can tell. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class HoldersTest {
    private static final long SELF = ProcessHandle.current().pid();

    private final Holders holders = new Holders();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        server.setSoTimeout(20_000);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    // SEC-1: the same port at another address is another connection, of another process
    @Test
    void aConnectionIsKnownByWholeAddresses() throws Exception {
        Process other =
                bash("exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort() + "; read -r line");
        try (Socket theirs = server.accept();
                Socket mine = new Socket()) {
            mine.bind(new InetSocketAddress("127.0.0.2", theirs.getPort()));
            mine.connect(server.getLocalSocketAddress());
            try (Socket accepted = server.accept()) {
                assertThat(holders.of(ends(theirs)))
                        .isEqualTo(new Holder.Found(Processes.ancestry(other.pid()).orElseThrow()));
                assertThat(holders.of(ends(accepted)))
                        .isEqualTo(new Holder.Found(Processes.ancestry(SELF).orElseThrow()));
                assertThat(Processes.holds(other.pid(), ends(theirs))).isTrue();
                assertThat(Processes.holds(other.pid(), ends(accepted))).isFalse();
                // where the kernel is not to be asked, its tables say the same: here a socket of
                // either family
                for (Socket each : List.of(theirs, accepted)) {
                    assertThat(TcpSocket.inTables(ends(each)))
                            .isPresent()
                            .isEqualTo(TcpSocket.of(ends(each)));
                }
            }
        } finally {
            other.destroyForcibly();
        }
    }

    // SEC-1: who has said all it wants still waits for its answer
    @Test
    void aHalfClosedConnectionIsStillHeld() throws Exception {
        try (Socket client = connect();
                Socket accepted = server.accept()) {
            client.shutdownOutput();
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            assertThat(holders.of(ends(accepted)))
                    .isEqualTo(new Holder.Found(Processes.ancestry(SELF).orElseThrow()));
        }
    }

    // SEC-1: who hangs up, politely or not, is nobody
    @Test
    void aClosedConnectionIsNobodys() throws Exception {
        for (boolean abruptly : List.of(false, true)) {
            Socket client = connect();
            try (Socket accepted = server.accept()) {
                client.setSoLinger(abruptly, 0);
                client.close();
                assertThat(holders.of(ends(accepted))).isEqualTo(new Holder.Gone());
                assertThat(Processes.holds(SELF, ends(accepted))).isFalse();
            }
        }
    }

    // SEC-1: a descriptor that is under way from a process to itself is in none; one of a thread
    // that has a list of its own, or outlives the first thread, is not in the list that is shown
    @ParameterizedTest
    @ValueSource(strings = {"under way", "own list", "first thread gone"})
    void aConnectionThatNoProcessShowsIsHidden(String how) throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        String hide =
                """
                import ctypes, platform, socket, sys, threading
                c = ctypes.CDLL(None)
                def connect():
                    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                    s.sendall(b"!")
                    return s
                def apart():
                    c.unshare(0x400)
                    s = connect()
                    sys.stdin.read()
                if sys.argv[2] == "under way":
                    s = connect()
                    a, b = socket.socketpair()
                    socket.send_fds(a, [b"x"], [s.fileno()])
                    s.close()
                    sys.stdin.read()
                elif sys.argv[2] == "own list":
                    threading.Thread(target=apart).start()
                else:
                    s = connect()
                    threading.Thread(target=sys.stdin.read).start()
                    c.syscall({"x86_64": 60, "aarch64": 93}[platform.machine()], 0)
                """;
        Process other =
                new ProcessBuilder(
                                python.toString(),
                                "-c",
                                hide,
                                Integer.toString(server.getLocalPort()),
                                how)
                        .start();
        try (Socket accepted = server.accept()) {
            assertThat(accepted.getInputStream().read()).isEqualTo('!');
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> holders.of(ends(accepted)) instanceof Holder.Hidden);
            assertThat(holders.of(ends(accepted)))
                    .as("it is known who may have it")
                    .isInstanceOfSatisfying(
                            Holder.Hidden.class,
                            hidden -> assertThat(hidden.hiding()).contains(other.pid()));
            assertThat(Processes.user(other.pid())).isEqualTo(Processes.user(SELF));
        } finally {
            other.destroyForcibly();
        }
    }

    // SEC-1: who ends while it is looked at is not the user's because nobody is seen above it
    @Test
    void whoHasEndedHasNoLine() throws Exception {
        Process ended = bash("exit 0");
        ended.waitFor();
        assertThat(Processes.ancestry(ended.pid())).isEmpty();
        assertThat(new Lineage(_ -> Optional.empty()).sessionOf(ended.pid()))
                .hasValueSatisfying(
                        caller -> assertThat(caller.mode()).isEqualTo(Caller.Mode.READ_ONLY));
        assertThat(Processes.ancestry(SELF).orElseThrow()).startsWith(SELF).endsWith(1L);
    }

    // SEC-22: another user's program chooses its name
    @Test
    void aNameDoesNothingToATerminal() throws Exception {
        Process named = bash("printf '\\033]0;x\\007' >/proc/self/comm; echo; read -r line");
        try {
            assertThat(named.getInputStream().read()).isEqualTo('\n');
            assertThat(Processes.describe(named.pid()))
                    .isEqualTo("\\x1b]0;x\\x07 (process " + named.pid() + ")");
        } finally {
            named.destroyForcibly();
        }
    }

    private Socket connect() throws IOException {
        return new Socket(server.getInetAddress(), server.getLocalPort());
    }

    private static TcpEnds ends(Socket accepted) {
        return new TcpEnds(
                (InetSocketAddress) accepted.getRemoteSocketAddress(),
                (InetSocketAddress) accepted.getLocalSocketAddress());
    }

    private static Process bash(String script) throws IOException {
        return new ProcessBuilder("bash", "-c", script).start();
    }
}
