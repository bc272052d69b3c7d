package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @TempDir Path home;

    private Settings settings(String text) throws Exception {
        Path folder = Files.createDirectories(home.resolve(".config/tandem"));
        Files.writeString(folder.resolve("config.json"), text);
        return Settings.of(Map.of("HOME", home.toString()));
    }

    // TRM-B02, TRM-C03
    @Test
    void sampleOfTheReadmeWorksAsItIsPrinted() throws Exception {
        String readme = Files.readString(Path.of("..", "README.md"));
        int section = readme.indexOf("## Terminals in the panel");
        int begin = readme.indexOf("```json\n", section) + "```json\n".length();
        Settings settings = settings(readme.substring(begin, readme.indexOf("```", begin)));
        assertThat(settings.commands())
                .containsEntry("logs", List.of("journalctl", "--follow"))
                .containsEntry("repl", List.of("jshell"));
        assertThat(settings.pinnedWindow()).contains(Duration.ofHours(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"terminal\":7}",
                "{\"terminal\":{\"commands\":[\"sh\"],\"keepRunningMinutes\":\"long\"}}",
                "{\"terminal\":{\"commands\":{\"empty\":[],\"line\":\"sh -c x\"}}}"
            })
    void whatMakesNoSenseChangesNothing(String text) throws Exception {
        Settings settings = settings(text);
        assertThat(settings.commands()).isEmpty();
        assertThat(settings.pinnedWindow()).isEmpty();
    }

    // TRM-B02
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{                                                         | settings   |",
                "[]                                                        | settings   |",
                "{'terminal':{'commands':['sh']}}                          | command    | commands",
                "{'terminal':{'commands':{'ls':['ls'],'logs':'tail -f'}}}   | command    | logs",
                "{'terminal':{'commands':{'none':[]}}}                     | command    | none",
                "{'terminal':{'commands':{'blank':['']}}}                  | command    | blank",
                "{'terminal':{'commands':{'seven':['sleep',7]}}}           | command    | seven",
                "{'terminal':{'commands':{'nul':['/bin/l\\u0000s']}}}      | command    | nul"
            })
    void saysWhichCommandOfOnesOwnIsLeftOut(String text, String kind, String name)
            throws Exception {
        Settings settings = settings(text.replace('\'', '"'));
        assertThat(settings.problem())
                .contains(new Settings.Problem(kind, name == null ? "" : name, ""));
        assertThat(settings.commands()).doesNotContainKey(String.valueOf(name));
    }

    // TRM-B02
    @Test
    void saysWhichProgramOfOnesOwnIsNotInstalled() throws Exception {
        Settings settings =
                settings(
                        "{'terminal':{'commands':{'ok':['/bin/sh'],'repl':['jshel','-q']}}}"
                                .replace('\'', '"'));
        Programs programs = new Programs(Map.of("PATH", "/bin"), settings, new StateFiles(home));
        assertThat(programs.profiles().path("problem"))
                .hasToString("{\"kind\":\"missing\",\"name\":\"repl\",\"program\":\"jshel\"}");
    }

    @Test
    void nothingIsWrongWithoutAFileOrWithoutCommands() throws Exception {
        assertThat(Settings.of(Map.of("HOME", home.toString())).problem()).isEmpty();
        assertThat(settings("{\"skills\":{}}").problem()).isEmpty();
        assertThat(settings("{\"terminal\":{\"commands\":{\"ls\":[\"ls\"]}}}").problem()).isEmpty();
    }
}
