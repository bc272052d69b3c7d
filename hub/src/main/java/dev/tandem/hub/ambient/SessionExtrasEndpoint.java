package dev.tandem.hub.ambient;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What else can be done with a session: repositories, model, name, export, interrupt, feedback. */
final class SessionExtrasEndpoint {
    private final SessionEngine engine;
    private final SessionStore store;
    private final SessionLog log;
    private final SessionViews views;

    SessionExtrasEndpoint(
            SessionEngine engine, SessionStore store, SessionLog log, SessionViews views) {
        this.engine = engine;
        this.store = store;
        this.log = log;
        this.views = views;
    }

    void register(Operations operations) {
        operations
                .on("addRepo", this::addRepo)
                .on("removeRepo", this::removeRepo)
                .on("repoStatus", call -> empty(call, Json.array()))
                .on("setWorkflow", this::setWorkflow)
                .on("getWorkflow", this::getWorkflow)
                .on("setModel", this::setModel)
                .on("renameSession", this::rename)
                .on("exportSession", this::export)
                .on("interrupt", this::interrupt)
                .on("interruptRun", this::interrupt)
                .on("feedback", this::feedback)
                .on("runFeedback", this::feedback)
                .on("capabilities", this::capabilities)
                .on("runCapabilities", this::capabilities)
                .on("mcpStatus", this::mcpStatus)
                .on("gitStatus", this::gitStatus)
                .on("gitBranches", call -> empty(call, Json.array()))
                .on("podEvents", call -> empty(call, Json.array()));
    }

    private Session session(Call call) {
        return store.required(call.part("id"));
    }

    private void empty(Call call, JsonNode body) {
        session(call);
        call.answer(200, body);
    }

    private void addRepo(Call call) throws IOException {
        Session session = session(call);
        ObjectNode body = call.body();
        String url = required(body, "url");
        String name = url.replaceAll("/+$", "").replaceAll("^.*[/:]", "").replaceAll("\\.git$", "");
        ObjectNode repo = Json.object().put("url", url);
        repo.put("branch", Json.text(body, "branch").orElse("main")).put("name", name);
        if (body.path("auto_push").isBoolean()) {
            repo.put("auto_push", body.path("auto_push").booleanValue());
        }
        Session after =
                engine.update(
                        session.id(),
                        fields -> fields.put("repos", Json.write(repos(fields).add(repo))));
        call.answer(200, views.of(after));
    }

    private void removeRepo(Call call) {
        Session session = session(call);
        Session after =
                engine.update(
                        session.id(),
                        fields -> {
                            ArrayNode kept = Json.array();
                            repos(fields)
                                    .forEach(repo -> {
                                        if (!MessageView.text(repo, "name")
                                                .equals(call.part("repo"))) {
                                            kept.add(repo);
                                        }
                                    });
                            return fields.put("repos", Json.write(kept));
                        });
        call.answer(200, views.of(after));
    }

    private static ArrayNode repos(ObjectNode fields) {
        return Json.text(fields, "repos")
                                .filter(text -> !text.isBlank())
                                .map(Json::parse)
                                .orElseGet(Json::array)
                        instanceof ArrayNode array
                ? array
                : Json.array();
    }

    private static String required(ObjectNode body, String field) {
        return Json.text(body, field)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Problems.invalid(field + " is required"));
    }

    private void setWorkflow(Call call) throws IOException {
        Session session = session(call);
        ObjectNode body = call.body();
        ObjectNode workflow = Json.object().put("git_url", required(body, "git_url"));
        workflow.put("branch", Json.text(body, "branch").orElse("main"));
        Json.text(body, "path").ifPresent(path -> workflow.put("path", path));
        Session after =
                engine.update(
                        session.id(), fields -> fields.put("workflow_id", Json.write(workflow)));
        call.answer(200, views.of(after));
    }

    private void getWorkflow(Call call) {
        Optional<String> stored = session(call).field("workflow_id").filter(t -> !t.isBlank());
        ObjectNode answer = Json.object().putNull("workflow");
        if (stored.isPresent()) {
            try {
                answer.set("workflow", Json.parseObject(stored.get()));
            } catch (TandemException e) {
                answer.put("raw", stored.get());
            }
        }
        call.answer(200, answer);
    }

    private void setModel(Call call) throws IOException {
        Session session = session(call);
        String model = required(call.body(), "model");
        try {
            call.answer(200, views.of(engine.chooseModel(session.id(), model)));
        } catch (AgentException e) {
            throw Problems.unavailable("the agent refused the model: " + e.getMessage());
        }
    }

    private void system(String id, String event, ObjectNode value) {
        ObjectNode body = Json.object().put("event", event);
        log.append(id, Entry.Kind.SYSTEM, body.set("value", value));
    }

    private void rename(Call call) throws IOException {
        Session session = session(call);
        ObjectNode view = views.of(engine.rename(session.id(), required(call.body(), "name")));
        view.retain(Set.of("id", "kind", "href", "name", "created_at", "updated_at"));
        call.answer(200, view);
    }

    private void export(Call call) {
        Session session = session(call);
        ObjectNode all = engine.export(session.id());
        ObjectNode answer = Json.object();
        answer.set("session", views.of(session));
        answer.set("export_at", all.get("export_at"));
        answer.put("version", "1");
        answer.set("messages", all.path("messages"));
        call.answer(200, answer);
    }

    private void interrupt(Call call) throws IOException {
        Session session = session(call);
        call.body();
        if (session.phase() != Phase.RUNNING) {
            throw Problems.unavailable("session runner not available");
        }
        engine.interrupt(session.id());
        call.answer(200, Json.object().put("message", "Interrupt signal sent"));
    }

    private void feedback(Call call) throws IOException {
        Session session = session(call);
        ObjectNode body = call.body();
        String type = Json.text(body, "metaType").orElse("");
        if (!Set.of("thumbs_up", "thumbs_down").contains(type)) {
            throw Problems.invalid("metaType must be thumbs_up or thumbs_down");
        }
        ObjectNode value = Json.object().put("metaType", type);
        system(session.id(), "feedback", value.set("payload", body.path("payload")));
        call.answer(200, Json.object().put("message", "feedback recorded"));
    }

    private void capabilities(Call call) {
        Session session = session(call);
        ObjectNode answer = Json.object().put("session_id", session.id());
        Optional<AgentSession> agent = engine.agentSession(session.id());
        if (agent.isEmpty()) {
            call.answer(200, answer.put("framework", "unknown"));
            return;
        }
        ObjectNode greeting = agent.get().agent().greeting();
        answer.put(
                "framework",
                Json.text(greeting.path("agentInfo"), "name")
                        .orElse(agent.get().agent().entry().name()));
        ArrayNode features = answer.putArray("agent_features");
        greeting.path("agentCapabilities")
                .properties()
                .forEach(entry -> features.add(entry.getKey()));
        answer.putArray("platform_features").add("interrupt").add("queue").add("permissions");
        answer.put("file_system", true).put("mcp", true).put("tracing", false);
        answer.put("session_persistence", true);
        agent.get().models().ifPresent(models -> answer.put("model", models.currentId()));
        call.answer(200, answer);
    }

    private void mcpStatus(Call call) {
        ObjectNode answer = Json.object();
        ArrayNode servers = answer.putArray("servers");
        if (engine.agentSession(session(call).id()).isPresent()) {
            servers.addObject().put("name", "tandem").put("status", "connected");
        }
        call.answer(200, answer.put("totalCount", servers.size()));
    }

    private void gitStatus(Call call) {
        ObjectNode none = Json.object();
        none.putArray("modified");
        none.putArray("staged");
        none.putArray("untracked");
        empty(call, none);
    }
}
