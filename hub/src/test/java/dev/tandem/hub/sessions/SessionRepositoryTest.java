package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.SimpleFileServer;
import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.auth.Processes;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that begin with a repository. */
@Timeout(120)
class SessionRepositoryTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir Path folder;

    private void run(String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Process process = builder.redirectErrorStream(true).start();
        String said =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** A repository with one file and a hook, as plain files that a web server can hand out. */
    private void repository() throws Exception {
        run("git", "init", "-q", "source");
        Files.writeString(folder.resolve("source/a.txt"), "hello");
        run("git", "-C", "source", "add", ".");
        run(
                "git",
                "-C",
                "source",
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@a.test",
                "commit",
                "-qm",
                "one");
        run("git", "clone", "-q", "--bare", "source", "served/app.git");
        run("git", "-C", "served/app.git", "update-server-info");
    }

    private HttpsServer server() throws Exception {
        Path keys = folder.resolve("keys.p12");
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                keys.toString());
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/", SimpleFileServer.createFileHandler(folder.resolve("served").toRealPath()));
        server.start();
        return server;
    }

    // SETTLED 26: cloned once into the session's own folder, without hooks
    @Test
    void aRepositoryIsClonedOverHttps() throws Exception {
        repository();
        HttpsServer server = server();
        Path project = folder.resolve("work/default");
        Path work = project.resolve("s1");
        try {
            String url = "https://127.0.0.1:" + server.getAddress().getPort() + "/app.git";
            GitClone.into(url, work, Map.of("GIT_SSL_NO_VERIFY", "true"));
        } finally {
            server.stop(0);
        }
        assertThat(work.resolve("a.txt")).hasContent("hello");
        assertThat(work.resolve(".git/hooks")).doesNotExist();
        assertThat(project.toFile().list()).containsExactly("s1");
        GitClone.into("https://127.0.0.1:1/gone.git", work);
        assertThat(work.resolve("a.txt")).as("not again").hasContent("hello");
    }

    // SEC-2: programs that git runs for a clone, as its settings say, are not the user
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatGitRunsIsAStray() throws Exception {
        Path line = folder.resolve("line");
        Path run =
                Files.writeString(
                        folder.resolve("run"), "echo $$ >'%1$s'; sleep 600\n".formatted(line));
        Map<String, String> settings = Map.of("GIT_SSH_COMMAND", "sh '" + run + "'");
        Thread cloning =
                Thread.startVirtualThread(() -> {
                    try {
                        GitClone.into("ssh://a.test/x", folder.resolve("s1"), settings);
                    } catch (IOException stopped) {
                        // as it was asked to
                    }
                });
        try (ProcessTrees trees = new ProcessTrees()) {
            await().until(() -> Files.exists(line) && !Files.readString(line).isBlank());
            long pid = Long.parseLong(Files.readString(line).strip());
            assertThat(trees.stray(Processes.ancestry(pid).orElseThrow())).isTrue();
        } finally {
            cloning.interrupt();
            cloning.join();
        }
    }

    // What git started and left behind holds neither the error nor the end up
    @Test
    void aHelperThatStaysHoldsNothingUp() throws Exception {
        Path ssh = folder.resolve("ssh");
        Files.writeString(
                ssh,
                "#!/bin/bash\nsleep 120 >/dev/null </dev/null &\necho $! > '"
                        + folder.resolve("left")
                        + "'\necho no way there >&2\nexit 255\n");
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        Path project = Files.createDirectories(folder.resolve("work/default"));
        Path work = project.resolve("s1");
        CompletableFuture<Void> cloned =
                CompletableFuture.runAsync(() -> {
                    try {
                        GitClone.into(
                                "ssh://x.test/a.git",
                                work,
                                Map.of("GIT_SSH_COMMAND", ssh.toString()));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        try {
            assertThatThrownBy(() -> cloned.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("no way there");
            assertThat(project.toFile().list()).isEmpty();
        } finally {
            String pid = Files.readString(folder.resolve("left")).strip();
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    // SETTLED 26: https and ssh only
    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc",
                "/etc",
                "http://a.test/x.git",
                "ext::sh -c true",
                "--upload-pack=true",
                "git://a.test/x"
            })
    void otherWaysAreRefused(String url) {
        Path work = folder.resolve("work/s1");
        assertThatThrownBy(() -> GitClone.into(url, work))
                .isInstanceOf(TandemException.class)
                .hasMessageContaining("https or ssh");
        assertThat(work).doesNotExist();
    }

    @Test
    @DisplayName("AMB-L66 a stop while a repository is fetched ends it, and no half of it is used")
    void aStopEndsTheFetching() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                EngineFixture fixture = new EngineFixture(folder)) {
            String url = "https://127.0.0.1:" + mute.getLocalPort() + "/x.git";
            String id =
                    fixture.engine
                            .create("default", Json.object().put("name", "r").put("repo_url", url))
                            .id();
            Path work = fixture.directory.resolve("state/work/default");
            for (int round = 0; round < 2; round++) {
                fixture.engine.start(id);
                mute.accept();
                await().until(() -> with(url).findAny().isPresent());
                fixture.engine.stop(id);
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> fixture.store.required(id).phase() == Phase.STOPPED);
                assertThat(with(url)).isEmpty();
                assertThat(work.resolve(id).resolve(".git")).doesNotExist();
            }
            assertThat(work.toFile().list()).isEmpty();
        }
    }

    private static java.util.stream.Stream<ProcessHandle> with(String argument) {
        return ProcessHandle.current()
                .descendants()
                .filter(one ->
                        one.info().arguments().map(List::of).orElse(List.of()).contains(argument));
    }

    @Test
    @DisplayName("AMB-L66 a stop while the agent says nothing yet ends its process")
    void aStopEndsASilentStart() throws Exception {
        try (EngineFixture fixture = new EngineFixture(folder)) {
            fixture.agent("silent", "--silent", "--deaf");
            String id = fixture.session("tandem/agent", "silent");
            fixture.engine.start(id);
            await().until(() -> with("--silent").findAny().isPresent());
            fixture.engine.stop(id);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> fixture.store.required(id).phase() == Phase.STOPPED);
            assertThat(with("--silent")).isEmpty();
        }
    }
}
