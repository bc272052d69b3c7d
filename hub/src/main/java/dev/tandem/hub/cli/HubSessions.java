package dev.tandem.hub.cli;

import dev.tandem.cli.Following;
import dev.tandem.cli.SessionPort;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Project;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionSummary;
import dev.tandem.hub.sessions.StartFailed;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sessions for one command line. An agent's process sees its own session and changes nothing. */
final class HubSessions implements SessionPort {
    private static final long END_SECONDS = 30;

    private static final String DEFAULT_PROJECT = "default";
    private static final int LOOK_BACK = 500;

    private final SessionServices hub;
    private final Rights rights;
    private final LauncherInput input;
    private final HubAgents agents;

    HubSessions(SessionServices hub, Rights rights, LauncherInput input, HubAgents agents) {
        this.hub = hub;
        this.rights = rights;
        this.input = input;
        this.agents = agents;
    }

    @Override
    public List<ObjectNode> sessions(String search) {
        List<Session> found =
                search.isBlank() ? hub.store().sessions() : hub.engine().search(search);
        return found.stream()
                .filter(session -> rights.mayRead(session.id()))
                .map(this::described)
                .toList();
    }

    private ObjectNode described(Session session) {
        SessionSummary summary = hub.engine().summary(session);
        ObjectNode row = Json.object().put("sessionId", session.id());
        row.put("name", session.name()).put("projectId", session.projectId());
        row.put("phase", session.phase().word()).put("status", summary.status().word());
        row.put("agent", session.agent().orElse(""));
        row.put("mode", session.mode().word()).put("preview", summary.preview());
        row.put("question", question(session, summary));
        row.put("locked", !summary.locked().isEmpty());
        row.put("unread", summary.unread()).put("queued", summary.queued());
        return row.put("lastSeq", session.lastSeq()).put("updatedAt", session.updatedAt());
    }

    private String question(Session session, SessionSummary summary) {
        return hub.desk().open(session.id()).stream()
                .findFirst()
                .map(card -> "Allow? " + card.ask().what().title())
                .or(() ->
                        hub.engine().openQuestions(session.id()).stream()
                                .findFirst()
                                .flatMap(form -> Json.text(form.params(), "message")))
                .orElse(
                        summary.locked().isEmpty()
                                ? ""
                                : "Sign in to its agent first: " + summary.locked());
    }

    @Override
    public ObjectNode create(Wish wish) {
        rights.userOnly("make a session");
        String project = wish.project().isEmpty() ? DEFAULT_PROJECT : wish.project();
        if (hub.store().project(project).isEmpty()) {
            throw new TandemException(
                    ErrorCode.NOT_FOUND,
                    "There is no project \"" + project + "\".",
                    Json.object().put("hint", "tandem projects lists them."));
        }
        ObjectNode annotations = Json.object();
        if (!wish.agent().isEmpty()) {
            agents.requireUsable(wish.agent());
            annotations.put("tandem/agent", wish.agent());
        }
        if (!wish.mode().isEmpty()) {
            annotations.put("tandem/mode", wish.mode());
        }
        wish.earlier()
                .map(Conversation::cwd)
                .filter(cwd -> !cwd.isEmpty())
                .ifPresent(cwd -> annotations.put("tandem/cwd", cwd));
        wish.folder()
                .ifPresent(folder -> {
                    hub.engine().folders().register(project, folder);
                    annotations.put("tandem/cwd", folder.toString());
                });
        String name = wish.name().isBlank() ? "New session" : wish.name();
        ObjectNode fields = Json.object().put("name", name);
        if (!annotations.isEmpty()) {
            fields.put("annotations", Json.write(annotations));
        }
        return described(
                wish.earlier()
                        .map(one -> adopted(project, fields, wish.agent(), one.agentSessionId()))
                        .orElseGet(() -> hub.engine().create(project, fields)));
    }

    private Session adopted(String project, ObjectNode fields, String agent, String agentsId) {
        try {
            return hub.memory().adopt(project, fields, agent, agentsId);
        } catch (StartFailed | AgentException e) {
            throw HubAgents.failed(e);
        }
    }

    @Override
    public void start(String sessionId) {
        rights.userOnly("start a session");
        // What is just ending is started when it has ended.
        if (hub.store().required(sessionId).phase() == Phase.STOPPING) {
            awaitEnd(hub.engine().ended(sessionId));
        }
        hub.engine().start(sessionId);
    }

    @Override
    public void stop(String sessionId) {
        rights.userOnly("stop a session");
        CompletableFuture<Phase> end = hub.engine().ended(sessionId);
        hub.engine().stop(sessionId);
        awaitEnd(end);
    }

    private static void awaitEnd(CompletableFuture<Phase> end) {
        try {
            end.get(END_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException late) {
            // It goes on ending; what is asked next says so.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean interrupt(String sessionId) {
        rights.userOnly("interrupt a session");
        return hub.engine().interrupt(sessionId);
    }

    @Override
    public void rename(String sessionId, String name) {
        rights.userOnly("rename a session");
        hub.engine().rename(sessionId, name);
    }

    @Override
    public ObjectNode export(String sessionId) {
        return hub.engine().export(readable(sessionId).id());
    }

    @Override
    public long send(String sessionId, String text) {
        rights.userOnly("talk to a session");
        long seq = hub.engine().send(sessionId, Prompt.of(text)).entry().seq();
        if (hub.store().required(sessionId).phase().canStart()) {
            try {
                hub.engine().start(sessionId);
            } catch (TandemException e) {
                // somebody else was faster: then it starts, which is all that was wanted
                if (hub.store().required(sessionId).phase().canStart()) {
                    throw e;
                }
            }
        }
        return seq;
    }

    @Override
    public LastTurn lastTurn(String sessionId) {
        return hub
                .log()
                .before(readable(sessionId).id(), Long.MAX_VALUE, LOOK_BACK)
                .reversed()
                .stream()
                .filter(entry -> entry.kind() == Entry.Kind.LIFECYCLE)
                .filter(entry -> entry.text("event").orElse("").equals("run_started"))
                .findFirst()
                .map(entry -> new LastTurn(entry.body().path("prompt").asLong(0), entry.seq()))
                .orElse(LastTurn.NONE);
    }

    @Override
    public Following follow(String sessionId, long afterSeq) {
        News news = News.to(input, rights);
        return news.from(hub.log().feed(readable(sessionId).id()).follow(afterSeq, 0, news));
    }

    @Override
    public List<ObjectNode> projects() {
        return hub.store().projects().stream()
                .filter(project -> rights.isUser() || sessionsOf(project.id()) > 0)
                .map(this::described)
                .toList();
    }

    private ObjectNode described(Project project) {
        ObjectNode row = Json.object().put("projectId", project.id());
        row.put("name", Json.text(project.fields(), "displayName").orElse(""));
        row.put("sessions", sessionsOf(project.id()));
        ArrayNode folders = row.putArray("folders");
        hub.engine().folders().of(project.id()).forEach(folder -> folders.add(folder.toString()));
        return row;
    }

    /** How many there are that the caller may read. */
    private long sessionsOf(String projectId) {
        return hub.store().sessions().stream()
                .filter(one -> one.projectId().equals(projectId))
                .filter(one -> rights.mayRead(one.id()))
                .count();
    }

    private Session readable(String sessionId) {
        Session session = hub.store().required(sessionId);
        if (!rights.mayRead(session.id())) {
            rights.userOnly("read another session");
        }
        return session;
    }
}
