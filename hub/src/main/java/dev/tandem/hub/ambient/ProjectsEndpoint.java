package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Project;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Projects: list, make, change, forget. */
final class ProjectsEndpoint {
    /** Which folders agents may work in is the user's to say, and not over this API. */
    private static final List<String> FOLDERS = List.of("tandem/cwd", "tandem/roots");

    private final SessionEngine engine;
    private final SessionStore store;
    private final Documents documents;

    ProjectsEndpoint(SessionEngine engine, SessionStore store, Documents documents) {
        this.engine = engine;
        this.store = store;
        this.documents = documents;
    }

    void register(Operations operations) {
        Resource resource = operations.resource("Project");
        operations
                .on(
                        "listProjects",
                        call ->
                                call.answerList(
                                        resource,
                                        store.projects().stream()
                                                .map(project -> view(resource, project))
                                                .toList()))
                .on("createProject", call -> create(call, resource))
                .on("getProject", call -> call.answer(200, view(resource, project(call))))
                .on("patchProject", call -> patch(call, resource))
                .on("deleteProject", this::delete);
    }

    Project project(Call call) {
        String id = call.part("id");
        return store.project(id).orElseThrow(() -> Problems.missing("Project", id));
    }

    private static ObjectNode view(Resource resource, Project project) {
        ObjectNode view = resource.view(project.fields());
        view.put("id", project.id()).put("kind", "Project").put("name", project.id());
        view.put("href", Problems.BASE + "/projects/" + project.id());
        view.put("created_at", Resource.time(project.createdAt()));
        return view.put("updated_at", Resource.time(project.updatedAt()));
    }

    private void create(Call call, Resource resource) throws IOException {
        ObjectNode fields = resource.create(call.body());
        String name = MessageView.text(fields, "name");
        if (name.length() < 2 || name.length() > 63) {
            throw Problems.invalid("project name must be between 2 and 63 characters");
        }
        if (!name.matches("[a-z][a-z0-9-]*[a-z0-9]")) {
            throw Problems.invalid(
                    "project name must match DNS-1123 label format: lowercase alphanumeric and"
                            + " hyphens, must start with a letter and end with an alphanumeric"
                            + " character");
        }
        keepFolders(Json.object(), fields);
        fields.remove("name");
        if (!store.createProject(name, fields)) {
            throw Problems.taken("This Project already exists");
        }
        call.answer(201, view(resource, store.project(name).orElseThrow()));
    }

    private void patch(Call call, Resource resource) throws IOException {
        Project before = project(call);
        ObjectNode body = call.body();
        if (body.has("name") && !MessageView.text(body, "name").equals(before.id())) {
            throw Problems.invalid("name cannot be changed; displayName can");
        }
        ObjectNode after = resource.patch(before.fields(), body);
        keepFolders(before.fields(), after);
        store.updateProject(before.id(), after);
        call.answer(200, view(resource, project(call)));
    }

    private static void keepFolders(ObjectNode before, ObjectNode after) {
        for (String name : FOLDERS) {
            if (!annotation(before, name).equals(annotation(after, name))) {
                throw new TandemException(
                        ErrorCode.FORBIDDEN,
                        "the folders of a project are registered on the command line, not here");
            }
        }
    }

    private static String annotation(ObjectNode fields, String name) {
        return Json.text(fields, "annotations")
                .filter(text -> !text.isBlank())
                .map(Json::parse)
                .flatMap(all -> Json.text(all, name))
                .orElse("");
    }

    private void delete(Call call) {
        String id = project(call).id();
        documents.deleteOf(id);
        if (!engine.deleteProject(id)) {
            throw Problems.missing("Project", call.part("id"));
        }
        call.done();
    }
}
