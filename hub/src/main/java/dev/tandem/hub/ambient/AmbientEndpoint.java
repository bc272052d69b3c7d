package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.time.Duration;

/** The door {@code /api/ambient/v1}. */
public final class AmbientEndpoint implements AutoCloseable {
    private final Schedules schedules;

    /** What stands behind the door. */
    public record Parts(
            SessionEngine engine, SessionStore store, SessionLog log, Database database) {}

    /** Which hub this is, and since when it is made; an empty time for unknown. */
    public record Build(String version, String time) {}

    public AmbientEndpoint(
            Parts parts, Build build, Clock clock, Duration keepAlive, WebServer web) {
        SessionEngine engine = parts.engine();
        SessionStore store = parts.store();
        Operations operations = new Operations(new Description());
        SessionViews views = new SessionViews(operations.resource("Session"), engine, store);
        Documents documents = new Documents(parts.database(), clock);
        ProjectsEndpoint projects = new ProjectsEndpoint(engine, store, documents);
        Profiles profiles = new Profiles(documents, engine, store, clock);
        schedules = new Schedules(documents, profiles, engine, clock);

        new SessionsEndpoint(engine, store, views, keepAlive).register(operations);
        new SessionExtrasEndpoint(engine, store, parts.log(), views).register(operations);
        new WorkspaceEndpoint(engine, store).register(operations);
        new TasksEndpoint(engine, store).register(operations);
        new MessagesEndpoint(engine, store, parts.log(), clock, keepAlive).register(operations);
        projects.register(operations);
        new ProfilesEndpoint(profiles, documents, views, projects).register(operations);
        new SchedulesEndpoint(schedules, documents, views, projects).register(operations);
        new AccessEndpoint(clock.millis()).register(operations);
        operations.on(
                "version",
                call ->
                        call.answer(
                                200,
                                Json.object()
                                        .put("version", build.version())
                                        .put("build_time", build.time())
                                        .put("git_tag", "v" + build.version())));
        operations.checkComplete();
        web.face("ambient", new Problems(clock));
        web.http("ambient", operations::handle);
        web.http("ambient-version", operations::handle);
    }

    /** Starts the clock of scheduled sessions. */
    public AmbientEndpoint open() {
        schedules.open();
        return this;
    }

    @Override
    public void close() {
        schedules.close();
    }
}
