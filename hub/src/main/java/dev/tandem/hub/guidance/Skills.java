package dev.tandem.hub.guidance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skill packs, the first of a name wins: those of the project that an agent works in, the user's,
 * those of folders that the user's settings name, the bundled ones.
 */
public final class Skills {
    /** Where a pack of a project comes from: its words are no more than a page's. */
    public static final String PROJECT = "project";

    private static final Logger LOG = LoggerFactory.getLogger(Skills.class);
    private static final List<String> BUNDLED =
            List.of("best-practices", "form-testing", "data-extraction", "login-automation");

    private static final int MAX_BYTES = 1 << 20;

    private final Path userFolder;
    private final List<Path> configured;

    /** One pack. */
    public record Skill(
            String name, String description, String version, String source, String text) {

        /** The headings that can be asked for. */
        public List<String> topics() {
            return text.lines()
                    .filter(line -> line.startsWith("## "))
                    .map(line -> line.substring(3).strip())
                    .toList();
        }

        /** The part below the heading that has these words. */
        public Optional<String> section(String topic) {
            String wanted = topic.toLowerCase(Locale.ROOT).strip();
            StringBuilder part = new StringBuilder();
            boolean inside = false;
            for (String line : text.split("\n", -1)) {
                if (line.startsWith("## ")) {
                    inside = line.toLowerCase(Locale.ROOT).contains(wanted);
                }
                if (inside) {
                    part.append(line).append('\n');
                }
            }
            return part.isEmpty() ? Optional.empty() : Optional.of(part.toString().strip());
        }
    }

    /**
     * @param configured more folders with packs, from the user's settings
     */
    public Skills(Path userFolder, List<Path> configured) {
        this.userFolder = userFolder;
        this.configured = List.copyOf(configured);
    }

    /** The packs that the user vouches for. */
    public List<Skill> all() {
        return all(List.of());
    }

    /** The same, with those of a project before them. */
    public List<Skill> all(List<Skill> ofProject) {
        Map<String, Skill> byName = new LinkedHashMap<>();
        ofProject.forEach(skill -> byName.putIfAbsent(skill.name(), skill));
        folder(userFolder, "user").forEach(skill -> byName.putIfAbsent(skill.name(), skill));
        for (Path folder : configured) {
            folder(folder, "configured").forEach(skill -> byName.putIfAbsent(skill.name(), skill));
        }
        for (String name : BUNDLED) {
            byName.putIfAbsent(name, parse(bundled(name), name, "bundled"));
        }
        return List.copyOf(byName.values());
    }

    public Optional<Skill> find(String name) {
        return all().stream().filter(skill -> skill.name().equals(name)).findFirst();
    }

    /** A pack that cannot be read hides no other. */
    private static List<Skill> folder(Path packs, String source) {
        if (!Files.isDirectory(packs)) {
            return List.of();
        }
        List<Skill> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(packs)) {
            for (Path folder : folders.sorted().toList()) {
                Path file = folder.resolve("SKILL.md");
                if (Files.isRegularFile(file)) {
                    read(file)
                            .map(text -> parse(text, String.valueOf(folder.getFileName()), source))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("The skills in {} cannot be listed: {}", packs, e.getMessage());
        }
        return found;
    }

    private static Optional<String> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length <= MAX_BYTES) {
                return Optional.of(text(bytes));
            }
            LOG.warn("The skill {} is larger than {} bytes and left out", file, MAX_BYTES);
            return Optional.empty();
        } catch (IOException e) {
            LOG.warn("The skill {} cannot be read: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    static Skill parse(String file, String folder, String source) {
        Map<String, String> head = new LinkedHashMap<>();
        String text = file;
        if (file.startsWith("---\n")) {
            int end = file.indexOf("\n---", 4);
            if (end > 0) {
                for (String line : file.substring(4, end).split("\n", -1)) {
                    int colon = line.indexOf(':');
                    if (colon > 0) {
                        head.put(
                                line.substring(0, colon).strip(),
                                unquoted(line.substring(colon + 1).strip()));
                    }
                }
                text = file.substring(file.indexOf('\n', end + 1) + 1).strip();
            }
        }
        return new Skill(
                head.getOrDefault("name", folder),
                head.getOrDefault("description", ""),
                head.getOrDefault("version", "1"),
                source,
                text);
    }

    /** What is no UTF-8 is shown as such: one odd letter shall not hide a pack, or all of them. */
    private static String text(byte[] file) {
        return new String(file, StandardCharsets.UTF_8).replace("\r\n", "\n");
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static String bundled(String name) {
        try (InputStream in = Skills.class.getResourceAsStream("skills/" + name + ".md")) {
            if (in == null) {
                throw new IllegalStateException("Missing skill " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
