package dev.tandem.hub.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every closed place, by each way to files, though a root is around it. */
class ForbiddenPlacesTest {
    // Its own list, so that no place can be dropped unseen.
    @ParameterizedTest
    @DisplayName("SEC-10 keys, browser profiles and agents' folders are closed everywhere")
    @ValueSource(
            strings = {
                ".ssh",
                ".gnupg",
                ".aws",
                ".kube",
                ".docker",
                ".netrc",
                ".git-credentials",
                ".password-store",
                ".config/gcloud",
                ".config/gh",
                ".config/tandem",
                ".config/google-chrome",
                ".config/google-chrome-beta",
                ".config/google-chrome-unstable",
                ".config/chromium",
                ".config/BraveSoftware",
                ".config/microsoft-edge",
                ".config/vivaldi",
                ".config/opera",
                ".mozilla",
                ".librewolf",
                ".thunderbird",
                ".var/app",
                "snap/chromium",
                "snap/firefox",
                "Library/Application Support/Google",
                "Library/Application Support/Chromium",
                "Library/Application Support/BraveSoftware",
                "Library/Application Support/Microsoft Edge",
                "Library/Application Support/Firefox",
                "Library/Application Support/librewolf",
                "Library/Thunderbird",
                "Library/Keychains",
                ".claude",
                ".claude.json",
                ".codex",
                ".gemini",
                ".qwen",
                ".cline",
                ".augment",
                ".pi",
                ".local/share/keyrings",
                ".local/share/opencode",
                ".config/github-copilot",
                "../state",
                "../extension"
            })
    void closed(String place, @TempDir Path temporary) throws Exception {
        closed(place, Map.of(), temporary);
    }

    @ParameterizedTest
    @DisplayName("SEC-10 the same folders where the environment says that they are")
    @CsvSource({
        "CLAUDE_CONFIG_DIR,../elsewhere,../elsewhere",
        "CODEX_HOME,../elsewhere,../elsewhere",
        "GNUPGHOME,../elsewhere,../elsewhere",
        "PASSWORD_STORE_DIR,../elsewhere,../elsewhere",
        "XDG_CONFIG_HOME,../elsewhere,../elsewhere/chromium",
        "XDG_CONFIG_HOME,../elsewhere,../elsewhere/tandem",
        "XDG_DATA_HOME,../elsewhere,../elsewhere/keyrings",
        "XDG_DATA_HOME,../elsewhere,../elsewhere/opencode",
    })
    void closedElsewhere(String variable, String value, String place, @TempDir Path temporary)
            throws Exception {
        Path home = temporary.toRealPath().resolve("home");
        closed(place, Map.of(variable, home.resolve(value).normalize().toString()), temporary);
    }

    @Test
    @DisplayName("SEC-10 a variable that names a home, or nothing, closes nothing else")
    void aHomeStaysOpen(@TempDir Path temporary) throws Exception {
        Path home = temporary.toRealPath();
        for (String value : List.of(home.toString(), "/", "", "relative")) {
            ForbiddenPlaces places =
                    ForbiddenPlaces.of(
                            home, home.resolve("s"), List.of(), Map.of("CODEX_HOME", value));
            assertThat(places.covers(home.resolve("project"))).as(value).isFalse();
            assertThat(places.covers(home.resolve(".ssh"))).isTrue();
        }
    }

    private static void closed(String place, Map<String, String> environment, Path temporary)
            throws Exception {
        Path top = temporary.toRealPath();
        Path home = Files.createDirectories(top.resolve("home"));
        Path closed = home.resolve(place).normalize();
        Path secret = Files.createDirectories(closed).resolve("secret");
        Files.writeString(secret, "4711");
        Path beside = Files.createDirectories(closed.resolveSibling("beside")).resolve("open");
        Files.writeString(beside, "fine");
        Path link = Files.createSymbolicLink(home.resolve("link"), closed);
        PathFence fence =
                new PathFence(
                        List.of(top),
                        ForbiddenPlaces.of(
                                home,
                                top.resolve("state"),
                                List.of(top.resolve("extension")),
                                environment));
        FencedFiles files = new FencedFiles(fence);
        Explorer explorer = new Explorer(fence);

        for (Path folder : List.of(closed, link)) {
            String file = folder.resolve("secret").toString();
            assertThatThrownBy(() -> fence.confine(folder.toString()))
                    .isInstanceOf(PathDenied.class);
            assertThatThrownBy(() -> files.open(file)).isInstanceOf(PathDenied.class);
            assertThatThrownBy(() -> files.replace(file, new byte[1]))
                    .isInstanceOf(PathDenied.class);
            assertThatThrownBy(() -> explorer.read(file)).isInstanceOf(ExplorerException.class);
            assertThatThrownBy(() -> explorer.list(folder.toString(), true))
                    .isInstanceOf(ExplorerException.class);
        }
        assertThat(secret).hasContent("4711");
        assertThat(explorer.read(beside.toString()).content()).isEqualTo("fine");
    }
}
