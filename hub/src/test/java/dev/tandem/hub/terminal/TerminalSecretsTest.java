package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What the terminals' tokens open and who knows them. With a hub of its own: it hears so many wrong
 * ones that it refuses them for a minute.
 */
@Timeout(120)
class TerminalSecretsTest {
    private static final int CHUNK = 1 << 20;

    /** One looks at the Origin first, one is there in a mode of its own only. */
    private static final Set<String> ELSEWHERE = Set.of("browser", "cdp");

    @TempDir static Path folder;
    private static TerminalHub hub;

    @BeforeAll
    static void start() throws IOException {
        hub = new TerminalHub(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        hub.close();
    }

    // TRM-042: what opens a terminal opens no door of the hub
    @Test
    void attachTokenIsNobodyToTheHub() throws Exception {
        String token = hub.open("").get("ptySessionToken").asString();
        for (Route route : Routes.all()) {
            String path = route.path().replaceAll("\\{[^}]+}|\\*", "x");
            boolean tried = !route.free() && !ELSEWHERE.contains(route.door());
            for (String method : tried ? route.methods() : Set.<String>of()) {
                assertThat(hub.send(method + " " + path, token, "").status())
                        .as(method + " " + path)
                        .isIn(401, 429);
            }
        }
        assertThat(hub.upgrade(token)).as("what it is good for").isEqualTo(101);
    }

    // TRM-L26: nothing that the agent was started with or was told since holds the user's token
    @Test
    void agentDoesNotKnowTheUsersToken() throws Exception {
        JsonNode opened = hub.open("{\"profile\":\"shell\"}");
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket, "echo st''arted\n");
            TerminalHub.until(socket, "started");
            AgentLink agent = AgentLink.read(hub.app().stateDir());
            Path process = Path.of("/proc/" + agent.pid());
            for (String file : new String[] {"environ", "cmdline"}) {
                assertThat(Files.readString(process.resolve(file))).doesNotContain(hub.user());
            }
            assertThat(remembers(process, agent.token())).as("its own").isTrue();
            assertThat(remembers(process, hub.user())).isFalse();
        }
    }

    /** Whether these letters are anywhere in what a process can write to. */
    private static boolean remembers(Path process, String letters) throws IOException {
        try (RandomAccessFile memory = new RandomAccessFile(process.resolve("mem").toFile(), "r")) {
            for (String line : Files.readAllLines(process.resolve("maps"))) {
                String[] parts = line.split("[- ]", 4);
                if (parts[2].startsWith("rw")
                        && holds(
                                memory,
                                Long.decode("0x" + parts[0]),
                                Long.decode("0x" + parts[1]),
                                letters)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean holds(RandomAccessFile memory, long from, long to, String letters) {
        byte[] bytes = new byte[CHUNK];
        // Chunks overlap, so that nothing hides at their edges.
        for (long at = from; at < to; at += CHUNK - letters.length()) {
            try {
                memory.seek(at);
                int read = memory.read(bytes, 0, (int) Math.min(CHUNK, to - at));
                if (read > 0
                        && new String(bytes, 0, read, StandardCharsets.ISO_8859_1)
                                .contains(letters)) {
                    return true;
                }
            } catch (IOException _) {
                // Reserved, not there, or gone meanwhile.
            }
        }
        return false;
    }
}
