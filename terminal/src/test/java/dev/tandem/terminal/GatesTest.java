package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Takes one guarantee away at a time: the attack it stops, and only that, gets through. */
@Timeout(60)
class GatesTest {
    private static final String ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";

    private enum Attack {
        FROM_ANOTHER_ADDRESS,
        FROM_A_PAGE,
        WITHOUT_A_TOKEN
    }

    @TempDir Path dir;
    private final Grants grants = new Grants(InstantSource.system());
    private final Gates whole = Gates.of(ORIGIN, grants);

    private Set<Attack> successful(Gates gates) throws Exception {
        Terminals terminals = Shells.terminals(dir, InstantSource.system(), Shells.QUICK);
        Programs programs =
                new Programs(Map.of(), new Settings(dir.resolve("none")), new StateFiles(dir));
        InternalEndpoint internal =
                new InternalEndpoint(
                        new InternalEndpoint.Identity("internal", "gen"),
                        grants,
                        terminals,
                        programs,
                        new Owner(Shells.QUICK, (int) ProcessHandle.current().pid()));
        AgentServer server = new AgentServer(gates, terminals, internal, programs);
        int port = server.open();
        try {
            Set<Attack> through = EnumSet.noneOf(Attack.class);
            if (connects("127.0.0.2", port)) {
                through.add(Attack.FROM_ANOTHER_ADDRESS);
            }
            if (upgrade(port, "https://evil.example", granted()) == 101) {
                through.add(Attack.FROM_A_PAGE);
            }
            if (upgrade(port, ORIGIN, Secrets.make(32)) == 101) {
                through.add(Attack.WITHOUT_A_TOKEN);
            }
            assertThat(upgrade(port, ORIGIN, granted())).as("the panel").isEqualTo(101);
            return through;
        } finally {
            server.close();
        }
    }

    private String granted() {
        String token = Secrets.make(32);
        grants.add(token, Shells.grant(Secrets.make(8)));
        return token;
    }

    private static boolean connects(String address, int port) throws IOException {
        try (Socket _ = new Socket(InetAddress.ofLiteral(address), port)) {
            return true;
        } catch (ConnectException _) {
            return false;
        }
    }

    private static int upgrade(int port, String origin, String token) throws IOException {
        try (RawSocket socket =
                RawSocket.upgrade(
                        port,
                        "127.0.0.1:" + port,
                        "Origin: " + origin,
                        "Sec-WebSocket-Protocol: gstack-pty." + token)) {
            return socket.status();
        }
    }

    // TRM-060
    @Test
    void allThreeTogetherStopEveryAttack() throws Exception {
        assertThat(successful(whole)).isEmpty();
    }

    // TRM-060 (local listener)
    @Test
    void withoutTheLocalListenerOthersConnect() throws Exception {
        assertThat(successful(new Gates("0.0.0.0", whole.origin(), whole.token())))
                .containsExactly(Attack.FROM_ANOTHER_ADDRESS);
    }

    // TRM-060 (Origin gate)
    @Test
    void withoutTheOriginGateAPageConnects() throws Exception {
        assertThat(successful(new Gates(whole.address(), _ -> true, whole.token())))
                .containsExactly(Attack.FROM_A_PAGE);
    }

    // TRM-060 (session token)
    @Test
    void withoutTheSessionTokenAnyLocalProgramConnects() throws Exception {
        assertThat(
                        successful(
                                new Gates(
                                        whole.address(),
                                        whole.origin(),
                                        token -> Optional.of(Shells.grant(token)))))
                .containsExactly(Attack.WITHOUT_A_TOKEN);
    }

    // TRM-043
    @Test
    void unusedTokenIsGoodForHalfAnHourWhateverTheHubAskedFor() {
        Instant[] now = {Instant.ofEpochMilli(1_000_000)};
        Grants kept = new Grants(() -> now[0]);
        Grants.Grant endless =
                new Grants.Grant(
                        "s", "shell", List.of(), "", true, false, false, Map.of(), Long.MAX_VALUE);
        kept.add("early", endless);
        kept.add("late", endless);
        now[0] = now[0].plus(Duration.ofMinutes(29));
        assertThat(kept.take("early")).isPresent();
        now[0] = now[0].plus(Duration.ofMinutes(1));
        assertThat(kept.take("late")).isEmpty();
    }
}
