package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The commands about one session: talk to it, watch it, end it. */
final class SessionCommands {
    static final Flag SESSION =
            Flag.value("session", "its name or the end of its id; else the one used last");
    private static final Flag TEXT =
            new Flag("text", "text", Flag.Shape.LIST, "what to say; - reads standard input")
                    .orPiped();
    private static final Flag NAME = Flag.value("name", "what it is called");
    private static final Flag AGENT = Flag.value("agent", "which agent; tandem agents lists them");
    private static final Flag MODE = Flag.value("mode", "ask (default) | act | read-only");
    private static final Flag PROJECT = Flag.value("project", "which project (default)");
    private static final Flag FOLDER =
            Flag.value("folder", "where the agent works; its files become reachable");
    private static final Flag PROMPT =
            Flag.value("prompt", "a first message, which starts it; - reads standard input")
                    .orPiped();
    private static final Flag CONTINUE =
            Flag.value(
                    "continue",
                    "go on with one that the agent remembers: its id or title, or last");
    private static final Flag NEW = Flag.toggle("new", "in a new session");
    private static final Flag NO_WAIT = Flag.toggle("no-wait", "do not wait for the answer");
    private static final Flag FOLLOW = Flag.toggle("follow", "go on after the turn, until Ctrl+C");
    private static final Map<String, String> BUSY =
            Map.of(
                    "working", " (it is busy; this waits for its turn)",
                    "waiting_input", " (it waits for you first: tandem permissions)");
    private static final Flag MARKDOWN = Flag.toggle("markdown", "as a text to read");

    private SessionCommands() {}

    static List<Command> all() {
        return List.of(
                SessionList.command(),
                new Command(
                        "session new",
                        "make a session",
                        List.of(NAME, AGENT, MODE, PROJECT, FOLDER, PROMPT, CONTINUE),
                        List.of(NAME),
                        SessionCommands::create),
                new Command(
                        "session send",
                        "say something and see the answer",
                        List.of(TEXT, SESSION, NEW, AGENT, MODE, FOLDER, NO_WAIT),
                        List.of(TEXT),
                        SessionCommands::send),
                new Command(
                        "session watch",
                        "see what a session does, live",
                        List.of(SESSION, FOLLOW),
                        List.of(SESSION),
                        SessionCommands::watch),
                one("session start", "start a session again", SessionCommands::start),
                one("session stop", "end a session's agent; the log stays", SessionCommands::stop),
                one(
                        "session interrupt",
                        "stop the running turn, keep the session",
                        SessionCommands::interrupt),
                new Command(
                        "session rename",
                        "give a session another name",
                        List.of(SESSION, NAME),
                        List.of(SESSION, NAME),
                        SessionCommands::rename),
                new Command(
                        "session export",
                        "print a session with its whole log",
                        List.of(SESSION, MARKDOWN),
                        List.of(SESSION),
                        SessionCommands::export),
                new Command("projects", "list the projects", SessionCommands::projects));
    }

    private static Command one(String name, String about, Command.Action action) {
        return new Command(name, about, SESSION, action);
    }

    private static int create(Command.Context context) throws IOException {
        Optional<String> prompt =
                context.words().has(PROMPT.argument())
                        ? Optional.of(said(context, PROMPT))
                        : Optional.empty();
        Optional<String> earlier = context.words().value(CONTINUE.argument());
        ObjectNode made =
                earlier.isPresent()
                        ? goOn(context, earlier.get())
                        : make(context, context.words().value("name").orElse(""), Optional.empty());
        if (prompt.isPresent()) {
            return talk(context, made, prompt.get());
        }
        return context.printer()
                .answer(
                        (earlier.isPresent() ? "Here is \"" : "Made \"")
                                + SessionChoice.name(made)
                                + "\" ("
                                + SessionChoice.shortId(made)
                                + "). Talk to it: tandem session send \"…\"",
                        made);
    }

    /** The conversation as a session; it may be one already. */
    private static ObjectNode goOn(Command.Context context, String word) {
        Words words = context.words();
        String agent =
                words.value(AGENT.argument())
                        .orElseThrow(() ->
                                new UsageException(
                                        "Missing --agent: whose conversation shall go on?"));
        context.printer().remark("Asking " + agent + " what it remembers …");
        ObjectNode one = Earlier.named(context.port().agents().earlier(agent), word, agent);
        if (!one.path("imported").asBoolean(true)) {
            return SessionChoice.named(
                    context.port().sessions().sessions(""), one.path("sessionId").asString(""));
        }
        boolean elsewhere = words.value(FOLDER.argument()).isPresent();
        return make(
                context,
                words.value("name").orElse(one.path("title").asString("")),
                Optional.of(
                        new SessionPort.Conversation(
                                one.path("agentSessionId").asString(""),
                                elsewhere ? "" : Earlier.folder(one))));
    }

    private static ObjectNode make(
            Command.Context context, String name, Optional<SessionPort.Conversation> earlier) {
        Words words = context.words();
        String mode = words.value(MODE.argument()).orElse("");
        if (!List.of("", "ask", "act", "read-only").contains(mode)) {
            throw new UsageException("Invalid --mode: " + mode + ". One of ask, act, read-only.");
        }
        Optional<Path> folder =
                words.value(FOLDER.argument())
                        .map(text -> context.invocation().folder().resolve(text).normalize());
        return context.port()
                .sessions()
                .create(
                        new SessionPort.Wish(
                                name,
                                words.value(PROJECT.argument()).orElse(""),
                                words.value(AGENT.argument()).orElse(""),
                                mode,
                                folder,
                                earlier));
    }

    private static int send(Command.Context context) throws IOException {
        String text = said(context, TEXT);
        List<ObjectNode> all = context.port().sessions().sessions("");
        boolean fresh =
                context.words().isOn(NEW.argument())
                        || (all.isEmpty() && !context.words().has(SESSION.argument()));
        if (fresh) {
            return talk(context, make(context, "", Optional.empty()), text);
        }
        for (Flag flag : List.of(AGENT, MODE, FOLDER)) {
            if (context.words().has(flag.argument())) {
                throw new UsageException(
                        "--" + flag.argument() + " is for a new session: add --new.");
            }
        }
        return talk(context, SessionChoice.of(context), text);
    }

    private static String said(Command.Context context, Flag flag) throws IOException {
        List<String> words = context.words().all(flag.argument());
        // between other words it is a dash
        String text =
                words.equals(List.of(Words.STDIN))
                        ? context.invocation().stdin().readAll().stripTrailing()
                        : String.join(" ", words).replace(Words.STDIN, "-");
        if (text.isBlank()) {
            throw new UsageException(
                    "Missing " + flag.dashed() + ": say something, for example \"Hello\"");
        }
        return text;
    }

    private static int talk(Command.Context context, ObjectNode session, String text) {
        String id = SessionChoice.id(session);
        String status = session.path("status").asString("");
        long seq = context.port().sessions().send(id, text);
        ObjectNode data = Json.object().put("sessionId", id).put("seq", seq);
        data.put("name", SessionChoice.name(session));
        if (context.words().isOn(NO_WAIT.argument())) {
            return context.printer()
                    .answer(
                            BUSY.containsKey(status)
                                    ? "Waits in \"%s\" until its turn."
                                            .formatted(SessionChoice.name(session))
                                    : "Sent to \"%s\".".formatted(SessionChoice.name(session)),
                            data);
        }
        context.printer()
                .remark("→ " + SessionChoice.name(session) + BUSY.getOrDefault(status, ""));
        return finish(
                context, new Talk(context, id, false, -1).until(one -> one == seq, seq), data);
    }

    private static int finish(Command.Context context, Talk.End end, ObjectNode data) {
        data.put("stopReason", end.stopReason()).put("text", end.said());
        if (end.body().path("usage").isObject()) {
            data.set("usage", end.body().path("usage"));
        }
        if (!end.good()) {
            String error = end.body().path("error").asString("");
            throw new TandemException(
                    end.stopReason().equals("cancelled")
                            ? ErrorCode.CANCELLED
                            : ErrorCode.AGENT_FAILED,
                    error.isEmpty() ? "The turn ended: " + end.stopReason() + "." : error);
        }
        return context.printer().text() || context.printer().streaming()
                ? 0
                : context.printer().answer(end.said(), data);
    }

    private static int watch(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        String id = SessionChoice.id(session);
        boolean follow = context.words().isOn(FOLLOW.argument());
        boolean runs = session.path("status").asString("").matches("working|waiting_input");
        boolean comes = !runs && session.path("queued").asInt(0) > 0 && starts(session);
        SessionPort.LastTurn last = context.port().sessions().lastTurn(id);
        long turn = last.prompt();
        ObjectNode data = Json.object().put("sessionId", id);
        context.printer().remark("— " + SessionChoice.name(session) + " —");
        if (turn == 0 && !follow && !comes) {
            return context.printer()
                    .answer("Nothing was said yet. Begin: tandem session send \"…\"", data);
        }
        Talk.End end =
                new Talk(
                                context,
                                id,
                                true,
                                starts(session)
                                        ? session.path("lastSeq").asLong(-1)
                                        : last.started())
                        .until(
                                one -> !follow && (comes ? one > turn : one == turn),
                                comes ? turn : Math.max(0, turn - 1));
        if (comes) {
            return finish(context, end, data);
        }
        if (!runs && !follow) {
            Json.text(end.body(), "error").ifPresent(why -> context.printer().remark("! " + why));
            context.printer().remark("Nothing runs there now; --follow waits for more.");
            data.put("stopReason", end.stopReason()).put("text", end.said());
            return context.printer().text() || context.printer().streaming()
                    ? 0
                    : context.printer().answer(end.said(), data);
        }
        return finish(context, end, data);
    }

    /** What waits there will be said soon. */
    private static boolean starts(ObjectNode session) {
        return session.path("phase").asString("").matches("Pending|Creating|Running");
    }

    private static int start(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        context.port().sessions().start(SessionChoice.id(session));
        return said(context, session, "Started");
    }

    private static int stop(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        context.port().sessions().stop(SessionChoice.id(session));
        return said(context, session, "Stopped");
    }

    private static int interrupt(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        boolean ran = context.port().sessions().interrupt(SessionChoice.id(session));
        String kept = ran ? kept(session.path("queued").asInt(0)) : "";
        return said(context, session, ran ? "Interrupted" : "Nothing ran in", kept);
    }

    private static String kept(int queued) {
        return switch (queued) {
            case 0 -> "";
            case 1 -> " One message waits there, until you send another.";
            default -> " " + queued + " messages wait there, until you send another.";
        };
    }

    private static int rename(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        String name = context.word("name");
        context.port().sessions().rename(SessionChoice.id(session), name);
        session.put("name", name);
        return said(context, session, "Renamed to");
    }

    private static int said(Command.Context context, ObjectNode session, String what) {
        return said(context, session, what, "");
    }

    private static int said(Command.Context context, ObjectNode session, String what, String more) {
        return context.printer()
                .answer(
                        what + " \"" + SessionChoice.name(session) + "\"." + more,
                        Json.object()
                                .put("sessionId", SessionChoice.id(session))
                                .put("name", SessionChoice.name(session)));
    }

    private static int export(Command.Context context) {
        ObjectNode session = SessionChoice.of(context);
        ObjectNode export = context.port().sessions().export(SessionChoice.id(session));
        return context.words().isOn(MARKDOWN.argument())
                ? context.printer().answer(Transcript.markdown(export), export)
                : context.printer().document(export);
    }

    private static int projects(Command.Context context) {
        Table table = new Table(context.columns());
        var list = Json.array();
        for (ObjectNode project : context.port().sessions().projects()) {
            list.add(project);
            StringBuilder folders = new StringBuilder();
            project.path("folders")
                    .forEach(one ->
                            folders.append(folders.isEmpty() ? "" : ", ").append(one.asString("")));
            int sessions = project.path("sessions").asInt(0);
            table.row(
                    project.path("projectId").asString(""),
                    project.path("name").asString(""),
                    sessions + (sessions == 1 ? " session" : " sessions"),
                    folders.toString());
        }
        return context.printer().answer(table.isEmpty() ? "No projects." : table.toString(), list);
    }
}
