package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem agents}: which programs can be talked to, and whether they answer. */
final class AgentCommands {
    private static final Flag AGENT = Flag.value("agent", "show this one: version and abilities");
    private static final Flag TEST = Flag.toggle("test", "let it answer one prompt");

    private static final Flag SESSIONS =
            Flag.toggle("sessions", "what it remembers, to go on with here");

    private static final Flag SIGN_OUT =
            Flag.toggle("sign-out", "sign out of it, where it can do that");

    private AgentCommands() {}

    static Command command() {
        return new Command(
                "agents",
                "list the agents, or look at one",
                List.of(AGENT, TEST, SESSIONS, SIGN_OUT),
                List.of(AGENT),
                AgentCommands::run);
    }

    private static int run(Command.Context context) {
        List<ObjectNode> agents = context.port().agents().list();
        boolean test = context.words().isOn(TEST.argument());
        var named = context.words().value(AGENT.argument());
        if (context.words().isOn(SESSIONS.argument())) {
            return remembered(context, agents);
        }
        if (context.words().isOn(SIGN_OUT.argument())) {
            return signOut(context, agents);
        }
        if (named.isEmpty() && !test) {
            return list(context, agents);
        }
        List<ObjectNode> chosen =
                named.map(name -> List.of(find(agents, name)))
                        .orElseGet(() ->
                                agents.stream()
                                        .filter(one -> one.path("available").asBoolean(false))
                                        .toList());
        ArrayNode reports = Json.array();
        StringBuilder text = new StringBuilder();
        boolean good = true;
        for (ObjectNode agent : chosen) {
            String id = agent.path("agentId").asString("");
            context.printer().remark("Starting " + id + " …");
            ObjectNode report = context.port().agents().check(id, test);
            good &= report.path("problem").asString("").isEmpty();
            reports.add(report);
            text.append(text.isEmpty() ? "" : "\n").append(about(context, agent, report));
        }
        if (!good && named.isPresent() && !context.printer().text()) {
            ObjectNode report = (ObjectNode) reports.get(0);
            return context.printer().failed(report.path("problem").asString(""), report);
        }
        context.printer().answer(text.toString(), named.isPresent() ? reports.get(0) : reports);
        return good ? 0 : Printer.FAILED;
    }

    private static int remembered(Command.Context context, List<ObjectNode> agents) {
        String id = find(agents, context.word(AGENT.argument())).path("agentId").asString("");
        context.printer().remark("Starting " + id + " …");
        List<ObjectNode> earlier = context.port().agents().earlier(id);
        ArrayNode list = Json.array();
        earlier.forEach(list::add);
        return context.printer().answer(Earlier.text(context, earlier, id), list);
    }

    private static int signOut(Command.Context context, List<ObjectNode> agents) {
        ObjectNode agent = find(agents, context.word(AGENT.argument()));
        String id = agent.path("agentId").asString("");
        context.printer().remark("Starting " + id + " …");
        context.port().agents().signOut(id);
        return context.printer()
                .answer(
                        "You are signed out of %s.\n".formatted(agent.path("name").asString(id)),
                        Json.object().put("agentId", id).put("signedOut", true));
    }

    private static ObjectNode find(List<ObjectNode> agents, String name) {
        return agents.stream()
                .filter(one ->
                        one.path("agentId").asString("").equals(name)
                                || one.path("name").asString("").equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() ->
                        new UsageException(
                                "There is no agent \"" + name + "\"; tandem agents lists them."));
    }

    private static int list(Command.Context context, List<ObjectNode> agents) {
        ArrayNode list = Json.array();
        Table table = Table.whole(context.columns());
        for (ObjectNode agent : agents) {
            list.add(agent);
            table.row(
                    agent.path("agentId").asString(""),
                    agent.path("name").asString(""),
                    state(agent),
                    agent.path("available").asBoolean(false)
                            ? agent.path("path").asString("")
                            : agent.path("reason").asString(""));
        }
        return context.printer().answer(table + "\nTry one: tandem agents NAME --test\n", list);
    }

    private static String state(ObjectNode agent) {
        if (!agent.path("available").asBoolean(false)) {
            return "missing";
        }
        if (agent.path("builtIn").asBoolean(false)) {
            return "built in";
        }
        return agent.path("login").asString("").equals("signed_out") ? "sign in first" : "ready";
    }

    private static String about(Command.Context context, ObjectNode agent, ObjectNode report) {
        Table table = Table.whole(context.columns());
        table.row("agent", agent.path("name").asString(""));
        table.row("command", command(agent));
        row(table, "version", report.path("version").asString(""));
        row(table, "abilities", String.join(", ", abilities(report.path("capabilities"), "")));
        List<String> ways = new ArrayList<>();
        report.path("authMethods").forEach(one -> ways.add(Json.text(one, "name").orElse("?")));
        row(table, "sign in by", String.join(", ", ways));
        if (report.path("signsOut").asBoolean(false)) {
            String id = agent.path("agentId").asString("");
            table.row("sign out by", "tandem agents %s --sign-out".formatted(id));
        }
        row(table, "answer", onOneLine(report.path("answer").asString("")));
        row(table, "took", report.path("tookMs").asLong(0) + " ms");
        row(table, "problem", onOneLine(report.path("problem").asString("")));
        if (report.path("code").asString("").equals("auth_required")) {
            table.row(
                    "to do",
                    "Begin a chat with it in the panel or at /app: it shows the ways to sign in.");
        }
        return table.toString();
    }

    private static String onOneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static String command(ObjectNode agent) {
        StringBuilder line = new StringBuilder(agent.path("command").asString(""));
        agent.path("args").forEach(word -> line.append(' ').append(word.asString("")));
        return line.toString();
    }

    private static void row(Table table, String name, String value) {
        if (!value.isEmpty()) {
            table.row(name, value);
        }
    }

    /** The names of everything that is on. */
    private static List<String> abilities(JsonNode node, String path) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, JsonNode> one : node.properties()) {
            String name = path.isEmpty() ? one.getKey() : path + "." + one.getKey();
            if (one.getValue().isObject() && !one.getValue().isEmpty()) {
                names.addAll(abilities(one.getValue(), name));
            } else if (one.getValue().isObject() || one.getValue().asBoolean(false)) {
                names.add(name.replace("promptCapabilities", "prompt").replace("Capabilities", ""));
            }
        }
        return names;
    }
}
