package dev.tandem.hub.sessions;

import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The folders that the user registered for projects: sessions work inside them and nowhere else.
 * Any thread may call it.
 */
public final class Folders {
    /** The annotation with the folder to work in, of a session or of a project. */
    static final String CWD = "tandem/cwd";

    /** The annotation with further folders of a session, one in a line. */
    static final String MORE = "tandem/dirs";

    private static final String ROOTS = "tandem/roots";

    private final EngineSettings settings;
    private final Agents agents;
    private final SessionStore store;

    Folders(EngineSettings settings, Agents agents, SessionStore store) {
        this.settings = settings;
        this.agents = agents;
        this.store = store;
    }

    /** Lets a project's sessions work in this folder; only for the user. */
    public void register(String projectId, Path folder) {
        Path real = acceptable(folder);
        if (of(projectId).contains(real)) {
            return;
        }
        Project project =
                store.project(projectId).orElseThrow(() -> TandemException.of(ErrorCode.NOT_FOUND));
        ObjectNode fields = project.fields().deepCopy();
        ObjectNode annotations =
                Json.text(fields, "annotations").map(Json::parseObject).orElseGet(Json::object);
        String before = Json.text(annotations, ROOTS).orElse("");
        annotations.put(ROOTS, before.isBlank() ? real.toString() : before + "\n" + real);
        fields.put("annotations", Json.write(annotations));
        store.updateProject(projectId, fields);
    }

    /**
     * The folders that were registered. What lies there now may be a link to somewhere else, so
     * each is checked anew; one that was removed or is too wide must not stop the sessions in the
     * others.
     */
    public List<Path> of(String projectId) {
        return store.project(projectId).stream()
                .flatMap(project ->
                        Stream.of(CWD, ROOTS).flatMap(name -> project.annotation(name).stream()))
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .flatMap(line -> usable(Path.of(line)).stream())
                .toList();
    }

    private Optional<Path> usable(Path folder) {
        try {
            return Optional.of(acceptable(folder));
        } catch (TandemException notNow) {
            return Optional.empty();
        }
    }

    /** Whether some project's sessions may work in this folder. */
    public boolean isRegistered(String folder) {
        return store.projects().stream().anyMatch(project -> isRegistered(project.id(), folder));
    }

    private boolean isRegistered(String projectId, String folder) {
        try {
            registered(projectId, Path.of(folder));
            return true;
        } catch (TandemException | InvalidPathException notOurs) {
            return false;
        }
    }

    /** Refuses the fields of a session that name a folder which is not registered. */
    void check(String projectId, ObjectNode fields) {
        JsonNode annotations =
                Json.text(fields, "annotations")
                        .filter(text -> !text.isBlank())
                        .map(Json::parse)
                        .orElseGet(Json::object);
        for (String name : List.of(CWD, MORE)) {
            Json.text(annotations, name).stream()
                    .flatMap(String::lines)
                    .filter(line -> !line.isBlank())
                    .forEach(folder -> registered(projectId, Path.of(folder)));
        }
    }

    /** A folder that the user registered for this project, or one inside it. */
    Path registered(String projectId, Path folder) {
        Path real = real(folder);
        boolean known = of(projectId).stream().anyMatch(real::startsWith);
        if (!known) {
            throw denied(folder + " is not inside a folder that was registered for this project.");
        }
        return open(folder, real);
    }

    private Path open(Path folder, Path real) {
        if (closed().covers(real)) {
            throw denied(folder + " is closed to agents: choose another folder.");
        }
        return real;
    }

    /** Checks a folder that the user wants to register, or registered once. */
    Path acceptable(Path folder) {
        Path real = real(folder);
        Path home = reached(settings.userHome());
        Path state = reached(settings.stateDir());
        boolean tooWide =
                real.getParent() == null
                        || home.startsWith(real)
                        || state.startsWith(real)
                        || real.startsWith(state);
        if (tooWide) {
            throw denied(folder + " is too wide for an agent: choose a folder inside it.");
        }
        return open(folder, real);
    }

    /** Closed to all: each agent's entry may have moved where its keys lie. */
    ForbiddenPlaces closed() {
        ForbiddenPlaces all =
                ForbiddenPlaces.of(settings.userHome(), settings.stateDir(), settings.outOfReach());
        for (Map<String, String> variables : agents.environments()) {
            all = all.with(variables);
        }
        return all;
    }

    /** Where a folder of ours really lies; it may be missing yet. */
    static Path reached(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            return absolute.toRealPath();
        } catch (IOException missing) {
            return absolute;
        }
    }

    private static Path real(Path folder) {
        try {
            if (!folder.isAbsolute()) {
                throw denied(folder + " is not an absolute path.");
            }
            if (!Files.isDirectory(folder)) {
                throw denied("There is no folder " + folder + ".")
                        .with("hint", "Make it first, or name another.");
            }
            return folder.toRealPath();
        } catch (IOException e) {
            throw denied(folder + " cannot be used.");
        }
    }

    private static TandemException denied(String message) {
        return new TandemException(ErrorCode.PATH_DENIED, message);
    }
}
