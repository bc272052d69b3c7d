package dev.tandem.hub.guidance;

import dev.tandem.hub.files.Explorer;
import dev.tandem.hub.files.ExplorerException;
import dev.tandem.hub.files.PathDenied;
import dev.tandem.hub.files.PathFence;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The packs in the folder that an agent works in. Whoever wrote the project wrote them, so they are
 * words to look at: they configure nothing, and their names cannot be sentences.
 */
public final class ProjectSkills {
    private static final List<String> FOLDERS =
            List.of(".tandem/skills", ".agents/skills", ".claude/skills");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int MOST = 100;

    private ProjectSkills() {}

    /** What is there, behind the fence of its session; nothing where its folder cannot be used. */
    public static List<Skills.Skill> behind(Supplier<PathFence> fence) {
        try {
            return in(new Explorer(fence.get()));
        } catch (PathDenied | TandemException unusable) {
            return List.of();
        }
    }

    private static List<Skills.Skill> in(Explorer project) {
        List<Skills.Skill> found = new ArrayList<>();
        for (String folder : FOLDERS) {
            for (String pack : packs(project, folder)) {
                if (found.size() < MOST) {
                    read(project, folder + "/" + pack).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    private static List<String> packs(Explorer project, String folder) {
        try {
            return project.list(folder, true).items().stream()
                    .filter(Explorer.Item::directory)
                    .map(Explorer.Item::name)
                    .filter(name -> NAME.matcher(name).matches())
                    .toList();
        } catch (PathDenied | ExplorerException none) {
            return List.of();
        }
    }

    private static Optional<Skills.Skill> read(Explorer project, String folder) {
        try {
            Explorer.Content file = project.read(folder + "/SKILL.md");
            if (file.binary()) {
                return Optional.empty();
            }
            String own = folder.substring(folder.lastIndexOf('/') + 1);
            Skills.Skill skill =
                    Skills.parse(file.content().replace("\r\n", "\n"), own, Skills.PROJECT);
            return Optional.of(skill).filter(one -> NAME.matcher(one.name()).matches());
        } catch (PathDenied | ExplorerException none) {
            return Optional.empty();
        }
    }
}
