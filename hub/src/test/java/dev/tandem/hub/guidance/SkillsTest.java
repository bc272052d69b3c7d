package dev.tandem.hub.guidance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkillsTest {
    @TempDir Path folder;

    private void pack(String name, byte[] text) throws IOException {
        Files.createDirectories(folder.resolve(name));
        Files.write(folder.resolve(name).resolve("SKILL.md"), text);
    }

    private void pack(String name, String text) throws IOException {
        pack(name, text.getBytes(StandardCharsets.UTF_8));
    }

    // OPS-80, OPS-81, W15: the user's packs come first and take the place of ours of that name
    @Test
    void theUsersPacksWin() throws IOException {
        pack(
                "any",
                "---\nname: form-testing\ndescription: \"My way\"\nversion: 7\n---\n\n## Own\nx\n");
        pack("bare", "## Only\nwords\n");
        Skills skills = new Skills(folder);
        Skills.Skill mine = skills.find("form-testing").orElseThrow();
        assertThat(mine.source()).isEqualTo("user");
        assertThat(mine.description()).isEqualTo("My way");
        assertThat(mine.version()).isEqualTo("7");
        assertThat(mine.section("own")).contains("## Own\nx");
        assertThat(mine.section("submit")).isEmpty();
        assertThat(skills.find("bare").orElseThrow().topics()).containsExactly("Only");
        assertThat(skills.all())
                .extracting(Skills.Skill::name)
                .containsExactly(
                        "form-testing",
                        "bare",
                        "best-practices",
                        "data-extraction",
                        "login-automation");
    }

    // OPS-79, OPS-80: one pack that was written elsewhere or badly does not take the others along
    @Test
    void aPackThatCannotBeReadHidesNoOther() throws IOException {
        pack("latin", "## Gr\u00fc\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1));
        pack("windows", "---\r\nname: from-windows\r\n---\r\n## One\r\nline\r\n");
        pack("closed", "## Secret\n");
        Path closed = folder.resolve("closed/SKILL.md");
        Files.delete(closed);
        Files.createSymbolicLink(closed, folder.resolve("nowhere"));
        Files.createDirectories(folder.resolve("empty"));
        Skills skills = new Skills(folder);
        assertThat(skills.find("best-practices")).isPresent();
        assertThat(skills.find("latin")).isPresent();
        assertThat(skills.find("from-windows").orElseThrow().section("one"))
                .contains("## One\nline");
        assertThat(skills.find("closed")).isEmpty();
    }
}
