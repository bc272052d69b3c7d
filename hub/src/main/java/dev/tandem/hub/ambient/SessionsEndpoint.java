package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.web.Outlet;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** Sessions: list, make, change, start, stop, forget. */
final class SessionsEndpoint {
    private static final Set<String> STATUS =
            Set.of(
                    "phase",
                    "start_time",
                    "completion_time",
                    "sdk_session_id",
                    "sdk_restart_count",
                    "conditions",
                    "reconciled_repos",
                    "reconciled_workflow",
                    "kube_cr_uid",
                    "kube_namespace");

    private final SessionEngine engine;
    private final SessionStore store;
    private final SessionViews views;
    private final Duration keepAlive;

    SessionsEndpoint(
            SessionEngine engine, SessionStore store, SessionViews views, Duration keepAlive) {
        this.engine = engine;
        this.store = store;
        this.views = views;
        this.keepAlive = keepAlive;
    }

    void register(Operations operations) {
        Resource resource = operations.resource("Session");
        operations
                .on("listSessions", this::list)
                .on("createSession", call -> create(call, resource))
                .on("getSession", call -> call.answer(200, views.of(session(call))))
                .on("patchSession", call -> patch(call, resource))
                .on("deleteSession", this::delete)
                .on("patchSessionStatus", this::patchStatus)
                .on(
                        "startSession",
                        call -> call.answer(200, views.of(engine.start(session(call).id()))))
                .on(
                        "stopSession",
                        call -> call.answer(200, views.of(engine.stop(session(call).id()))))
                .on(
                        "cloneSession",
                        call -> call.answer(201, views.of(engine.cloneOf(session(call).id()))));
    }

    private Session session(Call call) {
        return store.required(call.part("id"));
    }

    private void list(Call call) throws IOException {
        Optional<String> project =
                call.exchange().query("project_id").or(() -> projectHeader(call)).map(this::safe);
        Predicate<Session> wanted =
                session ->
                        project.filter(id -> !id.isEmpty())
                                .map(session.projectId()::equals)
                                .orElse(true);
        if (call.flag("watch") && call.wantsEvents()) {
            watch(call, wanted);
        } else {
            views.answerList(call, wanted);
        }
    }

    private void watch(Call call, Predicate<Session> wanted) throws IOException {
        Outlet outlet =
                new Outlet(call.exchange().events(), Limits.of("streamQueueEvents"), keepAlive);
        outlet.live();
        AutoCloseable watch =
                store.watch((change, session) -> {
                    if (wanted.test(session)) {
                        ObjectNode news = Json.object().put("type", change.name());
                        outlet.add("", Json.write(news.set("session", views.of(session))));
                    }
                });
        try {
            outlet.run();
        } finally {
            MessagesEndpoint.closeQuietly(watch);
        }
    }

    private static Optional<String> projectHeader(Call call) {
        return call.exchange().header("X-Ambient-Project").map(String::strip);
    }

    private String safe(String project) {
        if (!project.matches("[A-Za-z0-9-]{0,63}")) {
            throw Problems.invalid("invalid project_id format");
        }
        return project;
    }

    private void create(Call call, Resource resource) throws IOException {
        ObjectNode fields = resource.create(call.body());
        String project =
                Json.text(fields, "project_id")
                        .filter(id -> !id.isEmpty())
                        .or(() -> projectHeader(call).filter(id -> !id.isEmpty()))
                        .map(this::safe)
                        .orElse("default");
        fields.remove("project_id");
        if (!fields.has("llm_model")) {
            fields.put("llm_model", "claude-sonnet-4-6");
        }
        if (!fields.has("llm_temperature")) {
            fields.put("llm_temperature", 0.7);
        }
        if (!fields.has("llm_max_tokens")) {
            fields.put("llm_max_tokens", 4000);
        }
        fields.put("created_by_user_id", AccessEndpoint.OWNER);
        Session made = engine.create(project, fields);
        call.answer(201, views.of(call.flag("auto_start") ? engine.start(made.id()) : made));
    }

    private void patch(Call call, Resource resource) throws IOException {
        String id = session(call).id();
        ObjectNode body = call.body();
        call.answer(200, views.of(engine.update(id, fields -> resource.patch(fields, body))));
    }

    private void delete(Call call) {
        if (!engine.delete(call.part("id"))) {
            throw Problems.missing("Session", call.part("id"));
        }
        call.done();
    }

    /** What a control plane would report; the hub is its own, so the phase cannot be written. */
    private void patchStatus(Call call) throws IOException {
        Session session = session(call);
        ObjectNode body = call.body();
        List<String> given = STATUS.stream().filter(body::has).sorted().toList();
        if (given.isEmpty()) {
            throw Problems.invalid(
                    "status patch body must set at least one field: "
                            + String.join(", ", STATUS.stream().sorted().toList()));
        }
        Optional<String> phase = Json.text(body, "phase");
        if (phase.isPresent()) {
            if (phase.get().isEmpty() || Phase.of(phase.get()).isEmpty()) {
                throw Problems.invalid(
                        "invalid phase \""
                                + phase.get()
                                + "\"; must be one of: Pending, Creating, Running, Stopping,"
                                + " Stopped, Completed, Failed");
            }
            if (!phase.get().equals(session.phase().word())) {
                throw Problems.taken("the hub itself moves a session from phase to phase");
            }
        }
        Session after =
                engine.update(
                        session.id(),
                        fields -> {
                            for (String name : List.of("reconciled_repos", "reconciled_workflow")) {
                                Json.text(body, name).ifPresent(text -> fields.put(name, text));
                            }
                            return fields;
                        });
        call.answer(200, views.of(after));
    }
}
