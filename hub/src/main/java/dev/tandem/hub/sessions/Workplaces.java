package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.files.PathFence;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/** Finds where a session works and with which program. */
final class Workplaces {
    private static final String AGENT = "tandem/agent";

    private final EngineSettings settings;
    private final Agents agents;
    private final SessionStore store;
    private final Folders folders;

    Workplaces(EngineSettings settings, Agents agents, SessionStore store, Folders folders) {
        this.settings = settings;
        this.agents = agents;
        this.store = store;
        this.folders = folders;
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
        return new Workplace(cwd, additional, new PathFence(roots, folders.closed()));
    }

    private List<Path> additional(Session session) {
        return session.annotation(Folders.MORE).stream()
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .map(line -> folders.registered(session.projectId(), Path.of(line)))
                .toList();
    }

    private Optional<Path> named(Session session) {
        return session.annotation(Folders.CWD)
                .filter(text -> !text.isBlank())
                .map(text -> folders.registered(session.projectId(), Path.of(text)));
    }

    private Optional<Path> projectFolder(Session session) {
        return store.project(session.projectId())
                .flatMap(project -> project.annotation(Folders.CWD))
                .filter(text -> !text.isBlank())
                .map(text -> folders.acceptable(Path.of(text)));
    }

    /** Where it worked so far: a folder of the hub's own, or one of the user's as it is now. */
    private Optional<Path> worked(Session session) {
        Path own = Folders.reached(settings.stateDir().resolve("work"));
        return session.field("cwd")
                .map(Path::of)
                .filter(Files::isDirectory)
                .map(folder ->
                        Folders.reached(folder).startsWith(own)
                                ? folder
                                : folders.acceptable(folder));
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
                        store.project(session.projectId())
                                .flatMap(project -> project.annotation(AGENT)),
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
}
