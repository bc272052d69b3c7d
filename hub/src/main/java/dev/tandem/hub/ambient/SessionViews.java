package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.sessions.SessionSummary;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Sessions as this API shows them. */
final class SessionViews {
    private final Resource resource;
    private final SessionEngine engine;
    private final SessionStore store;

    SessionViews(Resource resource, SessionEngine engine, SessionStore store) {
        this.resource = resource;
        this.engine = engine;
        this.store = store;
    }

    ObjectNode of(Session session) {
        return withStatus(plain(session), session);
    }

    void answerList(Call call, Predicate<Session> wanted) {
        // What the agent does right now is asked for each one only where the list depends on it.
        boolean byStatus =
                Stream.of("search", "orderBy")
                        .anyMatch(name -> call.query(name).orElse("").contains("agent_status"));
        List<ObjectNode> all =
                store.sessions().stream()
                        .filter(wanted)
                        .map(byStatus ? this::of : this::plain)
                        .toList();
        call.answer(
                200,
                ListQuery.of(call, resource)
                        .apply(
                                all::forEach,
                                view ->
                                        store.session(view.path("id").asString())
                                                .map(session -> withStatus(view, session))
                                                .orElse(view)));
    }

    private ObjectNode plain(Session session) {
        ObjectNode view = resource.view(session.fields());
        view.put("id", session.id()).put("kind", "Session");
        view.put("href", Problems.BASE + "/sessions/" + session.id());
        view.put("name", session.name()).put("project_id", session.projectId());
        view.put("created_at", Resource.time(session.createdAt()));
        view.put("updated_at", Resource.time(session.updatedAt()));
        if (session.phase() != Phase.NONE) {
            view.put("phase", session.phase().word());
        }
        return view;
    }

    private ObjectNode withStatus(ObjectNode view, Session session) {
        SessionSummary.Status status = engine.summary(session).status();
        // Asked for by name only while there is something to say beside the phase.
        return status == SessionSummary.Status.STOPPED
                ? view
                : view.put("agent_status", status.word());
    }
}
