package dev.tandem.hub.ambient;

import dev.tandem.protocol.Json;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/** Schedules of a project. */
final class SchedulesEndpoint {
    private final Schedules schedules;
    private final Documents documents;
    private final SessionViews views;
    private final ProjectsEndpoint projects;

    SchedulesEndpoint(
            Schedules schedules,
            Documents documents,
            SessionViews views,
            ProjectsEndpoint projects) {
        this.schedules = schedules;
        this.documents = documents;
        this.views = views;
        this.projects = projects;
    }

    void register(Operations operations) {
        Resource resource = operations.resource("ScheduledSession");
        operations
                .on("listSchedules", call -> list(call, resource))
                .on("createSchedule", call -> create(call, resource))
                .on("getSchedule", call -> call.answer(200, view(resource, schedule(call))))
                .on("patchSchedule", call -> patch(call, resource))
                .on("deleteSchedule", this::delete)
                .on("suspendSchedule", call -> enable(call, resource, false))
                .on("resumeSchedule", call -> enable(call, resource, true))
                .on("triggerSchedule", this::trigger)
                .on("scheduleRuns", this::runs);
    }

    private Documents.Document schedule(Call call) {
        return documents.required(
                Schedules.KIND, projects.project(call).id(), call.part("schedule"));
    }

    private ObjectNode view(Resource resource, Documents.Document one) {
        ObjectNode view =
                Documents.view(resource, one, "/projects/" + one.parent() + "/scheduled-sessions");
        view.put("project_id", one.parent()).put("enabled", Schedules.enabled(one));
        if (Schedules.enabled(one)) {
            Schedules.next(one.fields(), schedules.now())
                    .ifPresent(at -> view.put("next_run_at", Resource.time(at.toEpochMilli())));
        }
        return view;
    }

    private void list(Call call, Resource resource) {
        String project = projects.project(call).id();
        call.answerList(
                resource,
                documents.list(Schedules.KIND, project).stream()
                        .map(one -> view(resource, one))
                        .toList());
    }

    private void create(Call call, Resource resource) throws IOException {
        String project = projects.project(call).id();
        ObjectNode fields = resource.create(call.body());
        fields.remove("project_id");
        if (!fields.has("timezone")) {
            fields.put("timezone", "UTC");
        }
        check(project, fields);
        Documents.Document made =
                documents
                        .create(Schedules.KIND, project, fields)
                        .orElseThrow(() -> Problems.taken("This ScheduledSession already exists"));
        call.answer(201, view(resource, made));
    }

    private void check(String project, ObjectNode fields) {
        if (Schedules.next(fields, schedules.now()).isEmpty()) {
            throw Problems.invalid("schedule never comes: " + MessageView.text(fields, "schedule"));
        }
        Json.text(fields, "agent_id")
                .filter(id -> !id.isEmpty())
                .ifPresent(id -> documents.required(Profiles.AGENT, project, id));
    }

    private void patch(Call call, Resource resource) throws IOException {
        Documents.Document before = schedule(call);
        ObjectNode body = call.body();
        check(before.parent(), resource.patch(before.fields(), body));
        call.answer(
                200,
                view(resource, documents.update(before, fields -> resource.patch(fields, body))));
    }

    private void delete(Call call) {
        documents.delete(schedule(call));
        call.done();
    }

    private void enable(Call call, Resource resource, boolean enabled) {
        Documents.Document after =
                documents.update(schedule(call), fields -> fields.put("enabled", enabled));
        call.answer(200, view(resource, after));
    }

    private void trigger(Call call) {
        boolean started = schedules.run(schedule(call)).isPresent();
        call.answer(200, Json.object().put("status", started ? "triggered" : "skipped"));
    }

    private void runs(Call call) {
        String id = schedule(call).id();
        views.answerList(
                call,
                session -> session.field(Schedules.OF_SCHEDULE).filter(id::equals).isPresent());
    }
}
