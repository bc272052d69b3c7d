package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.files.Explorer;
import dev.tandem.hub.files.ExplorerException;
import dev.tandem.hub.files.PathDenied;
import dev.tandem.protocol.TandemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Where sessions may work, and what they see from there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionFoldersTest {
    private EngineFixture fixture;
    private SessionEngine engine;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("SEC-10 a session works only in folders that were registered for its project")
    void foldersAreRegistered() throws Exception {
        Path project = Files.createDirectories(fixture.directory.resolve("code/app"));
        assertThatThrownBy(() -> fixture.session("tandem/cwd", project.toString()))
                .hasMessageContaining("registered");
        Path missing = fixture.directory.resolve("missing");
        assertThatThrownBy(() -> engine.folders().register("default", missing))
                .hasMessage("There is no folder " + missing + ".");
        for (Path wide :
                List.of(
                        Path.of("/"),
                        fixture.directory.resolve("home"),
                        fixture.directory.resolve("state"),
                        fixture.directory)) {
            assertThatThrownBy(() -> engine.folders().register("default", wide))
                    .hasMessageContaining("too wide");
        }
        engine.folders().register("default", fixture.directory.resolve("code"));
        String id = fixture.running("tandem/cwd", project.toString());
        Files.writeString(project.resolve("a.txt"), "inside");
        assertThat(EngineFixture.said(fixture.play(id, "read " + project.resolve("a.txt"))))
                .contains("inside");
        assertThat(
                        EngineFixture.said(
                                fixture.play(
                                        id,
                                        "read " + fixture.directory.resolve("state/tandem.db"))))
                .contains("error");
        engine.delete(id);
    }

    @Test
    @DisplayName("ACP-157 ACP-98 SEC-3 a session sees its own folders, not all of its project's")
    void registeredIsNotSeen() throws Exception {
        Path shop = Files.createDirectories(fixture.directory.resolve("shop/web"));
        Path beside = Files.writeString(shop.resolveSibling("notes.txt"), "not yours");
        Path second = Files.createDirectories(fixture.directory.resolve("second"));
        Path there = Files.writeString(second.resolve("b.txt"), "nor this");
        Files.writeString(shop.resolve("a.txt"), "inside");
        engine.folders().register("default", fixture.directory.resolve("shop"));
        engine.folders().register("default", second);

        String narrow = fixture.running("tandem/cwd", shop.toString(), "tandem/mode", "act");
        Explorer explorer = new Explorer(engine.fence(narrow));
        assertThat(explorer.read("a.txt").content()).isEqualTo("inside");
        for (String path : List.of("../notes.txt", beside.toString(), there.toString())) {
            denied(() -> explorer.read(path));
            assertThat(EngineFixture.said(fixture.play(narrow, "read " + path)))
                    .as(path)
                    .contains("error");
            // uploads of the browser's tools
            assertThatThrownBy(() -> engine.files(narrow).orElseThrow().open(path))
                    .as(path)
                    .isInstanceOf(PathDenied.class);
        }
        for (String path : List.of("..", second.toString())) {
            denied(() -> explorer.list(path, true));
        }
        String params = "{\"command\":\"pwd\",\"cwd\":\"%s\"}".formatted(second);
        assertThat(EngineFixture.said(fixture.play(narrow, "request terminal/create " + params)))
                .contains("error");
        engine.delete(narrow);

        String wide =
                fixture.session("tandem/cwd", shop.toString(), "tandem/dirs", second.toString());
        assertThat(new Explorer(engine.fence(wide)).read(there.toString()).content())
                .isEqualTo("nor this");
        engine.delete(wide);
    }

    @Test
    @DisplayName("SEC-10 a registered folder that became a link to somewhere wide is none any more")
    void foldersAreCheckedAnew() throws Exception {
        Path folder = Files.createDirectories(fixture.directory.resolve("swapped"));
        Path other = Files.createDirectories(fixture.directory.resolve("stays"));
        engine.folders().register("default", folder);
        engine.folders().register("default", other);
        String named = fixture.session("tandem/cwd", folder.toString());
        assertThat(engine.fence(named).roots()).containsExactly(folder);

        Path secrets = Files.createDirectories(fixture.directory.resolve("home/.gnupg"));
        for (Path wide : List.of(Path.of("/"), fixture.directory, secrets.getParent(), secrets)) {
            Files.delete(folder);
            Files.createSymbolicLink(folder, wide);
            assertThat(engine.folders().of("default")).contains(other).doesNotContain(wide);
            assertThatThrownBy(() -> engine.fence(named)).hasMessageContaining("registered");
            assertThatThrownBy(() -> engine.files(named)).hasMessageContaining("registered");
            assertThatThrownBy(() -> fixture.session("tandem/cwd", folder + "/etc"))
                    .as("inside %s", wide)
                    .isInstanceOf(TandemException.class);
        }
        engine.delete(named);
    }

    private static void denied(ThrowingCallable look) {
        assertThatThrownBy(look)
                .isInstanceOfSatisfying(
                        ExplorerException.class,
                        refused -> assertThat(refused.code()).isEqualTo("path_denied"));
    }

    @Test
    @DisplayName("SEC-10 folders that an agent's own entry names are closed to its sessions")
    void foldersOfTheAgentsEntry() throws Exception {
        Path shelf = Files.createDirectories(fixture.directory.resolve("shelf"));
        engine.folders().register("default", shelf);
        Path moved = Files.createDirectories(shelf.resolve("moved"));
        Path home = Files.createDirectories(shelf.resolve("home/.claude"));
        fixture.agentWith(
                "apart",
                Map.of("CODEX_HOME", moved.toString(), "HOME", shelf.resolve("home").toString()));
        Files.writeString(shelf.resolve("open.txt"), "fine");
        String its = fixture.running("tandem/agent", "apart", "tandem/cwd", shelf.toString());
        String others = fixture.running("tandem/cwd", shelf.toString());
        for (String id : List.of(its, others)) {
            for (Path folder : List.of(moved, home)) {
                Path secret = Files.writeString(folder.resolve("auth.json"), "4711");
                assertThat(EngineFixture.said(fixture.play(id, "read " + secret)))
                        .contains("error")
                        .doesNotContain("4711");
                assertThatThrownBy(() -> engine.fence(id).confine(secret.toString()))
                        .isInstanceOf(PathDenied.class);
            }
            assertThat(EngineFixture.said(fixture.play(id, "read " + shelf.resolve("open.txt"))))
                    .contains("fine");
        }

        assertThatThrownBy(() -> fixture.session("tandem/cwd", moved.toString()))
                .hasMessageContaining("closed to agents");
    }
}
