package dev.tandem.hub;

import dev.tandem.hub.guidance.SkillPaths;
import dev.tandem.hub.sessions.RunningLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What the user wrote into their settings file; a wrong word in it ends the start. */
record UserSettings(Path home, Path file, int maxRunning, List<Path> skillPaths) {
    UserSettings {
        skillPaths = List.copyOf(skillPaths);
    }

    static UserSettings in(Path home) throws IOException {
        Path file = home.resolve(".config/tandem/config.json");
        return new UserSettings(home, file, RunningLimit.in(file), SkillPaths.in(file, home));
    }
}
