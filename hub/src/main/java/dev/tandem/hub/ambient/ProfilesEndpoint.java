package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Project;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Agent profiles of a project, their inbox, and the project's overview of them. */
final class ProfilesEndpoint {
    private final Profiles profiles;
    private final Documents documents;
    private final SessionViews views;
    private final ProjectsEndpoint projects;

    ProfilesEndpoint(
            Profiles profiles, Documents documents, SessionViews views, ProjectsEndpoint projects) {
        this.profiles = profiles;
        this.documents = documents;
        this.views = views;
        this.projects = projects;
    }

    void register(Operations operations) {
        Resource agents = operations.resource("Agent");
        Resource messages = operations.resource("InboxMessage");
        Resource bindings = operations.resource("RoleBinding");
        operations
                .on("listAgents", call -> list(call, agents))
                .on("createAgent", call -> create(call, agents))
                .on("getAgent", call -> call.answer(200, view(agents, profile(call))))
                .on("patchAgent", call -> patch(call, agents))
                .on("deleteAgent", this::delete)
                .on("startAgent", this::start)
                .on("previewStart", this::preview)
                .on("ignition", this::ignition)
                .on("agentSessions", this::sessions)
                .on("agentRoleBindings", call -> bindings(call, bindings))
                .on("projectHome", this::home)
                .on("listInbox", call -> inbox(call, messages))
                .on("postInbox", call -> post(call, messages))
                .on("patchInbox", call -> read(call, messages))
                .on("deleteInbox", this::remove);
    }

    private Documents.Document profile(Call call) {
        return documents.required(Profiles.AGENT, projects.project(call).id(), call.part("agent"));
    }

    private static ObjectNode view(Resource agents, Documents.Document one) {
        return Documents.view(agents, one, "/projects/" + one.parent() + "/agents")
                .put("project_id", one.parent());
    }

    private void list(Call call, Resource agents) {
        String project = projects.project(call).id();
        call.answerList(
                agents,
                documents.list(Profiles.AGENT, project).stream()
                        .map(one -> view(agents, one))
                        .toList());
    }

    private void create(Call call, Resource agents) throws IOException {
        String project = projects.project(call).id();
        ObjectNode fields = agents.create(call.body());
        fields.remove("project_id");
        fields.put("owner_user_id", AccessEndpoint.OWNER);
        Documents.Document made =
                documents
                        .create(Profiles.AGENT, project, fields)
                        .orElseThrow(() -> Problems.taken("This Agent already exists"));
        call.answer(201, view(agents, made));
    }

    private void patch(Call call, Resource agents) throws IOException {
        Documents.Document before = profile(call);
        ObjectNode body = call.body();
        String name = Json.text(body, "name").orElse("");
        boolean taken =
                documents.list(Profiles.AGENT, before.parent()).stream()
                        .anyMatch(other ->
                                !other.id().equals(before.id())
                                        && MessageView.text(other.fields(), "name").equals(name));
        if (taken) {
            throw Problems.taken("This Agent already exists");
        }
        call.answer(
                200, view(agents, documents.update(before, fields -> agents.patch(fields, body))));
    }

    private void delete(Call call) {
        documents.delete(profile(call));
        call.done();
    }

    private void start(Call call) throws IOException {
        Profiles.Started started =
                profiles.start(
                        profile(call), Json.text(call.body(), "prompt").orElse(""), Json.object());
        ObjectNode answer = Json.object();
        answer.set("session", views.of(started.session()));
        if (started.prompt().isEmpty()) {
            call.answer(200, answer);
        } else {
            answer.put("starting_prompt", started.prompt());
            call.answer(201, answer.put("start_prompt", started.prompt()));
        }
    }

    private void preview(Call call) {
        byte[] text = profiles.prompt(profile(call), "").getBytes(StandardCharsets.UTF_8);
        call.exchange().respond(200, "text/plain; charset=utf-8", text);
    }

    private void ignition(Call call) {
        String prompt = profiles.prompt(profile(call), "");
        call.answer(200, Json.object().put("starting_prompt", prompt).put("start_prompt", prompt));
    }

    private void sessions(Call call) {
        List<String> ids = profiles.sessions(profile(call)).stream().map(Session::id).toList();
        views.answerList(call, session -> ids.contains(session.id()));
    }

    private void bindings(Call call, Resource bindings) {
        profile(call);
        call.answerList(bindings, List.of());
    }

    private void home(Call call) {
        Project project = projects.project(call);
        ObjectNode answer = Json.object().put("project_id", project.id());
        ArrayNode agents = answer.putArray("agents");
        for (Documents.Document one : documents.list(Profiles.AGENT, project.id())) {
            ObjectNode row = agents.addObject().put("agent_id", one.id());
            row.put("agent_name", MessageView.text(one.fields(), "name"));
            Optional<Session> last = profiles.sessions(one).stream().findFirst();
            last.ifPresent(session -> row.put("session_phase", session.phase().word()));
            row.put("inbox_unread_count", profiles.unread(one).size());
            row.put("summary", MessageView.text(one.fields(), "description"));
        }
        call.answer(200, answer);
    }

    private static ObjectNode view(Resource messages, Documents.Document one, Call call) {
        String path = "/projects/" + call.part("id") + "/agents/" + call.part("agent") + "/inbox";
        return Documents.view(messages, one, path).put("agent_id", one.parent());
    }

    private void inbox(Call call, Resource messages) {
        List<ObjectNode> unreadFirst =
                documents.list(Profiles.INBOX, profile(call).id()).stream()
                        .sorted(
                                Comparator.comparing(
                                        one -> one.fields().path("read").asBoolean(false)))
                        .map(one -> view(messages, one, call))
                        .toList();
        call.answerList(messages, unreadFirst);
    }

    private void post(Call call, Resource messages) throws IOException {
        Documents.Document profile = profile(call);
        ObjectNode fields = messages.create(call.body());
        fields.remove("agent_id");
        fields.put("read", false);
        Documents.Document made =
                documents.create(Profiles.INBOX, profile.id(), fields).orElseThrow();
        call.answer(201, view(messages, made, call));
    }

    private Documents.Document message(Call call) {
        return documents.required(Profiles.INBOX, profile(call).id(), call.part("message"));
    }

    private void read(Call call, Resource messages) throws IOException {
        ObjectNode body = call.body();
        Documents.Document after =
                documents.update(message(call), fields -> messages.patch(fields, body));
        call.answer(200, view(messages, after, call));
    }

    private void remove(Call call) {
        documents.delete(message(call));
        call.done();
    }
}
