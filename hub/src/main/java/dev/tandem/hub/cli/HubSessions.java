package dev.tandem.hub.cli;

import dev.tandem.cli.SessionPort;
import dev.tandem.hub.agent.AgentCapabilities;
import dev.tandem.hub.agent.AgentCheck;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentListing;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.sessions.AgentMemory;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionSummary;
import dev.tandem.hub.sessions.StartFailed;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Sessions for one command line. An agent's process sees its own session and changes nothing. */
final class HubSessions implements SessionPort {
    private static final long END_SECONDS = 30;

    private static final String DEFAULT_PROJECT = "default";
    private static final int LOOK_BACK = 500;
    private static final int EARLIER = 200;
    private static final Duration TEST_LIMIT = Duration.ofSeconds(60);

    private final SessionServices hub;
    private final Caller caller;
    private final LauncherInput input;
    private final BiConsumer<Caller, String> refused;

    HubSessions(
            SessionServices hub,
            Caller caller,
            LauncherInput input,
            BiConsumer<Caller, String> refused) {
        this.refused = refused;
        this.hub = hub;
        this.caller = caller;
        this.input = input;
    }

    @Override
    public List<ObjectNode> sessions(String search) {
        List<Session> found =
                search.isBlank() ? hub.store().sessions() : hub.engine().search(search);
        return found.stream().filter(this::mayRead).map(this::described).toList();
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
        userOnly("make a session");
        String project = wish.project().isEmpty() ? DEFAULT_PROJECT : wish.project();
        if (hub.store().project(project).isEmpty()) {
            throw new TandemException(
                    ErrorCode.NOT_FOUND,
                    "There is no project \"" + project + "\".",
                    Json.object().put("hint", "tandem projects lists them."));
        }
        ObjectNode annotations = Json.object();
        if (!wish.agent().isEmpty()) {
            checkAgent(wish.agent());
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
            throw new TandemException(ErrorCode.AGENT_FAILED, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public List<ObjectNode> earlier(String agentId) {
        userOnly("see what an agent remembers");
        checkAgent(agentId);
        input.watch();
        List<ObjectNode> all = new ArrayList<>();
        try {
            String cursor = "";
            do {
                AgentMemory.Page page = hub.memory().page(agentId, "", cursor);
                all.addAll(page.sessions());
                cursor = page.nextCursor();
            } while (!cursor.isEmpty() && all.size() < EARLIER);
        } catch (AgentException e) {
            throw new TandemException(ErrorCode.AGENT_FAILED, String.valueOf(e.getMessage()));
        }
        return all;
    }

    @Override
    public void signOut(String agentId) {
        userOnly("sign out of an agent");
        checkAgent(agentId);
        input.watch();
        try {
            hub.engine().processes().signOut(agentId);
        } catch (AgentException e) {
            throw new TandemException(ErrorCode.AGENT_FAILED, String.valueOf(e.getMessage()));
        }
    }

    private void checkAgent(String agentId) {
        AgentListing agent =
                hub.agents()
                        .find(agentId)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent \"" + agentId + "\" here.",
                                        Json.object().put("hint", "tandem agents lists them.")));
        if (!agent.available()) {
            throw new TandemException(
                    ErrorCode.NOT_FOUND,
                    agent.reason(),
                    Json.object().put("hint", "tandem agents lists those that can be used."));
        }
    }

    @Override
    public void start(String sessionId) {
        userOnly("start a session");
        // What is just ending is started when it has ended.
        if (hub.store().required(sessionId).phase() == Phase.STOPPING) {
            awaitEnd(hub.engine().ended(sessionId));
        }
        hub.engine().start(sessionId);
    }

    @Override
    public void stop(String sessionId) {
        userOnly("stop a session");
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
        userOnly("interrupt a session");
        return hub.engine().interrupt(sessionId);
    }

    @Override
    public void rename(String sessionId, String name) {
        userOnly("rename a session");
        hub.engine().rename(sessionId, name);
    }

    @Override
    public ObjectNode export(String sessionId) {
        return hub.engine().export(readable(sessionId).id());
    }

    @Override
    public long send(String sessionId, String text) {
        userOnly("talk to a session");
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
        News news = news();
        return news.from(hub.log().feed(readable(sessionId).id()).follow(afterSeq, 0, news));
    }

    @Override
    public Following followCards() {
        News news = news();
        cards(news);
        return news.from(hub.desk().watch(news));
    }

    /** What waits already comes first; a card that comes meanwhile may be told twice. */
    private void cards(News news) {
        hub.desk().open().stream().filter(this::mayRead).forEach(news::onCard);
    }

    private News news() {
        input.watch();
        News news = new News(this::mayRead);
        var _ = input.gone().thenRun(news::end);
        return news;
    }

    @Override
    public List<ObjectNode> projects() {
        return hub.store().projects().stream()
                .map(project -> {
                    ObjectNode row = Json.object().put("projectId", project.id());
                    row.put("name", Json.text(project.fields(), "displayName").orElse(""));
                    row.put(
                            "sessions",
                            hub.store().sessions().stream()
                                    .filter(one -> one.projectId().equals(project.id()))
                                    .count());
                    ArrayNode folders = row.putArray("folders");
                    hub.engine()
                            .folders()
                            .of(project.id())
                            .forEach(folder -> folders.add(folder.toString()));
                    return row;
                })
                .toList();
    }

    @Override
    public List<ObjectNode> agents() {
        return hub.agents().list().stream().map(HubSessions::described).toList();
    }

    private static ObjectNode described(AgentListing one) {
        ObjectNode agent = Json.object().put("agentId", one.entry().agentId());
        agent.put("name", one.entry().name()).put("command", one.entry().argv().getFirst());
        ArrayNode args = agent.putArray("args");
        one.entry().argv().stream().skip(1).forEach(args::add);
        agent.put("available", one.available()).put("builtIn", one.builtIn());
        agent.put("path", one.path()).put("reason", one.reason());
        return agent.put("login", one.login().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public ObjectNode check(String agentId, boolean testTurn) {
        userOnly("try an agent");
        AgentListing agent =
                hub.agents()
                        .find(agentId)
                        .orElseThrow(() -> TandemException.of(ErrorCode.NOT_FOUND));
        ObjectNode report = Json.object().put("agentId", agentId);
        if (!agent.available()) {
            return report.put("problem", agent.reason());
        }
        input.watch();
        AgentCheck.Report found =
                testTurn
                        ? hub.check().testTurn(agent.entry(), hub.trial().get(), TEST_LIMIT)
                        : hub.check().greet(agent.entry(), hub.trial().get());
        report.put("version", found.version()).put("answer", found.answer());
        report.put("tookMs", found.took().toMillis()).put("problem", found.problem());
        report.put("code", found.code());
        report.put("signsOut", AgentCapabilities.saidIn(found.greeting()).logout());
        report.set("capabilities", found.greeting().path("agentCapabilities"));
        return report.set("authMethods", found.greeting().path("authMethods"));
    }

    @Override
    public List<ObjectNode> cards() {
        return hub.desk().open().stream().filter(this::mayRead).map(Card::toJson).toList();
    }

    @Override
    public void answer(String requestId, String optionId) {
        userOnly("answer a permission request");
        hub.desk().answer(requestId, optionId, caller);
    }

    @Override
    public List<ObjectNode> questions() {
        List<ObjectNode> open = new ArrayList<>();
        for (Session session : hub.store().sessions()) {
            if (mayRead(session)) {
                hub.engine()
                        .openQuestions(session.id())
                        .forEach(one ->
                                open.add(
                                        Json.object()
                                                .put("requestId", one.requestId())
                                                .put("sessionId", session.id())
                                                .put("sessionName", session.name())
                                                .set("params", one.params())));
            }
        }
        return open;
    }

    @Override
    public void answerQuestion(String requestId, String action, ObjectNode content) {
        userOnly("answer a form");
        String session =
                questions().stream()
                        .filter(one -> one.path("requestId").asString("").equals(requestId))
                        .map(one -> one.path("sessionId").asString(""))
                        .findFirst()
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND, "There is no such question."));
        hub.engine()
                .answerQuestion(
                        session,
                        requestId,
                        action.equals("accept")
                                ? new ElicitationAnswer.Accept(content)
                                : new ElicitationAnswer.Decline(),
                        caller);
    }

    private Session readable(String sessionId) {
        Session session = hub.store().required(sessionId);
        if (!mayRead(session)) {
            userOnly("read another session");
        }
        return session;
    }

    private boolean mayRead(Session session) {
        return mayRead(session.id());
    }

    private boolean mayRead(Card card) {
        return mayRead(card.key());
    }

    private boolean mayRead(String key) {
        return caller.kind() == TokenKind.HUB || caller.session().filter(key::equals).isPresent();
    }

    private void userOnly(String what) {
        HubPort.userOnly(refused, caller, what);
    }
}
