package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.hub.files.PathFence;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds where a session works and with which program. */
final class Workplaces {
    private static final String CWD = "tandem/cwd";
    private static final String MORE = "tandem/dirs";
    private static final String ROOTS = "tandem/roots";
    private static final String AGENT = "tandem/agent";

    private final EngineSettings settings;
    private final Agents agents;
    private final SessionStore store;

    Workplaces(EngineSettings settings, Agents agents, SessionStore store) {
        this.settings = settings;
        this.agents = agents;
        this.store = store;
    }

    ArrayNode mcpServers() {
        return agents.mcpServers();
    }

    /** A directory, further ones the user gave, and what is reachable from them. */
    record Workplace(Path cwd, List<Path> additional, PathFence fence) {
        Workplace {
            additional = List.copyOf(additional);
        }
    }

    /** Makes the session's directory ready; clones its repository at the first start. */
    Workplace prepare(Session session) throws IOException {
        return at(session, directory(session));
    }

    /** Where the session works or would work; nothing is cloned or made to find out. */
    PathFence look(Session session) {
        Path work = settings.stateDir().resolve("work").resolve(session.projectId());
        Path cwd =
                named(session)
                        .or(() -> worked(session))
                        .or(() -> projectFolder(session))
                        .or(() -> Optional.of(work).filter(Files::isDirectory))
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.PATH_DENIED,
                                        "This session has no folder yet.",
                                        "no_folder"));
        return at(session, cwd).fence();
    }

    private Workplace at(Session session, Path cwd) {
        List<Path> additional = additional(session);
        List<Path> roots = new ArrayList<>(List.of(cwd));
        roots.addAll(additional);
        return new Workplace(cwd, additional, new PathFence(roots, closed()));
    }

    /** Closed to all: each agent's entry may have moved where its keys lie. */
    private ForbiddenPlaces closed() {
        ForbiddenPlaces all =
                ForbiddenPlaces.of(settings.userHome(), settings.stateDir(), settings.outOfReach());
        for (Map<String, String> variables : agents.environments()) {
            all = all.with(variables);
        }
        return all;
    }

    private List<Path> additional(Session session) {
        return session.annotation(MORE).stream()
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .map(line -> registered(session.projectId(), Path.of(line)))
                .toList();
    }

    private Optional<Path> named(Session session) {
        return session.annotation(CWD)
                .filter(text -> !text.isBlank())
                .map(text -> registered(session.projectId(), Path.of(text)));
    }

    private Optional<Path> projectFolder(Session session) {
        return projectAnnotation(session.projectId(), CWD)
                .filter(text -> !text.isBlank())
                .map(text -> acceptable(Path.of(text)));
    }

    /** Where it worked so far: a folder of the hub's own, or one of the user's as it is now. */
    private Optional<Path> worked(Session session) {
        Path own = reached(settings.stateDir().resolve("work"));
        return session.field("cwd")
                .map(Path::of)
                .filter(Files::isDirectory)
                .map(folder -> reached(folder).startsWith(own) ? folder : acceptable(folder));
    }

    private Path directory(Session session) throws IOException {
        Optional<Path> named = named(session);
        if (named.isPresent()) {
            return named.get();
        }
        Path work = settings.stateDir().resolve("work").resolve(session.projectId());
        Optional<String> repository = session.field("repo_url").filter(url -> !url.isBlank());
        if (repository.isPresent()) {
            Path folder = work.resolve(session.id());
            GitClone.into(repository.get(), folder);
            return folder.toRealPath();
        }
        Optional<Path> projects = projectFolder(session);
        if (projects.isPresent()) {
            return projects.get();
        }
        Files.createDirectories(work);
        return work.toRealPath();
    }

    /** A folder that the user registered for this project, or one inside it. */
    Path registered(String projectId, Path folder) {
        Path real = real(folder);
        boolean known = roots(projectId).stream().anyMatch(real::startsWith);
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

    boolean isRegistered(String projectId, String folder) {
        try {
            registered(projectId, Path.of(folder));
            return true;
        } catch (TandemException | InvalidPathException notOurs) {
            return false;
        }
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

    /** Where a folder of ours really lies; it may be missing yet. */
    private static Path reached(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        try {
            return absolute.toRealPath();
        } catch (IOException missing) {
            return absolute;
        }
    }

    /**
     * The folders that were registered. What lies there now may be a link to somewhere else, so
     * each is checked anew; one that was removed or is too wide must not stop the sessions in the
     * others.
     */
    List<Path> roots(String projectId) {
        return Stream.of(CWD, ROOTS)
                .flatMap(name -> projectAnnotation(projectId, name).stream())
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

    /** Registers a folder for a project's sessions. */
    void register(String projectId, Path folder) {
        Path real = acceptable(folder);
        if (roots(projectId).contains(real)) {
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

    /** The program: the session's, the project's, the one of this start, the last, any. */
    AgentEntry agent(Session session) {
        // Once begun, a conversation stays with its agent, which alone remembers it.
        Optional<AgentEntry> own = session.field("agent_used").flatMap(agents::find);
        if (own.isPresent() && session.annotation(AGENT).filter(id -> !id.isBlank()).isEmpty()) {
            return own.get();
        }
        List<Optional<String>> wishes =
                List.of(
                        session.annotation(AGENT),
                        projectAnnotation(session.projectId(), AGENT),
                        Optional.of(settings.agent()));
        for (Optional<String> wish : wishes) {
            Optional<String> id = wish.filter(text -> !text.isBlank());
            if (id.isPresent()) {
                return agents.find(id.get())
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent \""
                                                + id.get()
                                                + "\"; tandem agents lists them."));
            }
        }
        return lastUsed().flatMap(agents::find).orElseGet(agents::preferred);
    }

    private Optional<String> lastUsed() {
        return store.sessions().stream()
                .flatMap(session -> session.field("agent_used").stream())
                .findFirst();
    }

    private Optional<String> projectAnnotation(String projectId, String name) {
        return store.project(projectId)
                .flatMap(project -> Json.text(project.fields(), "annotations"))
                .filter(text -> !text.isBlank())
                .map(Json::parse)
                .flatMap(all -> Json.text(all, name));
    }

    private static Path real(Path folder) {
        try {
            if (!folder.isAbsolute() || !Files.isDirectory(folder)) {
                throw denied(folder + " is not a folder with an absolute path.");
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
