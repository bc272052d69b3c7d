package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.browser.Gate;
import dev.tandem.hub.browser.PageElement;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Draws up asks, so that a card says what a call is and not what an agent calls it. */
public final class Asks {
    private static final Pattern SHELL = Pattern.compile("[;&|<>`$\\n\\r(){}]");
    private static final Pattern OURS = Pattern.compile("^(?:mcp__)?browser(?:__|[./:]\\s*)(.+)$");
    private static final int PREVIEW = 600;
    private static final int NAME = 95;
    private static final String COMMAND = "bash:";

    private Asks() {}

    /** Where a call of ours would happen. */
    public interface Places {
        Ask.Where of(String key, Tool tool, ObjectNode arguments);

        /** What it would act on, in the page's words. */
        default PageElement element(String key, ObjectNode arguments) {
            return PageElement.NONE;
        }
    }

    /** A call that names one of our tools. */
    public record OurCall(Tool tool, ObjectNode arguments) {}

    /** An agent's own question about a tool call, as far as it is known. */
    public static Ask agent(Ask.Who who, ObjectNode call, ArrayNode given, Places places) {
        Optional<OurCall> ours = ours(call);
        List<Ask.Option> options = new ArrayList<>();
        for (JsonNode one : given) {
            String kind = text(one, "kind");
            options.add(
                    new Ask.Option(
                            text(one, "optionId"),
                            kind,
                            Options.label(kind, text(one, "name"), ours.isPresent())));
        }
        if (ours.isPresent()) {
            Tool tool = ours.get().tool();
            ObjectNode arguments = ours.get().arguments();
            Set<String> names = Catalogue.load().permissions(tool, arguments);
            String title = tool.title() + ", announced as “" + Quote.of(text(call, "title")) + "”";
            return new Ask(
                    who,
                    new Ask.What(
                            Ask.Source.AGENT,
                            tool.name(),
                            names,
                            title,
                            preview(arguments),
                            hash(tool.name(), arguments),
                            places.element(who.key(), arguments)),
                    where(places, who, ours.get()),
                    options);
        }
        JsonNode input = call.path("rawInput");
        String name = ownName(text(call, "kind"), input);
        Ask.What what =
                new Ask.What(
                        Ask.Source.AGENT,
                        "",
                        Set.of(name),
                        Quote.of(text(call, "title")),
                        preview(input),
                        hash(name + text(call, "title"), input));
        return new Ask(who, what, Ask.Where.NOWHERE, options);
    }

    /** Without a browser the question is asked all the same, and the yes fits no later call. */
    private static Ask.Where where(Places places, Ask.Who who, OurCall call) {
        try {
            return places.of(who.key(), call.tool(), call.arguments());
        } catch (TandemException noBrowser) {
            return Ask.Where.NOWHERE;
        }
    }

    /** The hub's own hands: a file or a command. */
    public static Ask access(Ask.Who who, String wanted, String target) {
        String permission = wanted.startsWith(COMMAND) ? command(wanted) : wanted;
        Ask.What what =
                new Ask.What(
                        Ask.Source.ACCESS,
                        permission,
                        Set.of(permission),
                        accessTitle(permission),
                        Quote.cut(Quote.clean(target), PREVIEW),
                        hash(permission, Json.object().stringNode(target)));
        return new Ask(who, what, Ask.Where.NOWHERE, Options.of(what.names(), ""));
    }

    private static String accessTitle(String permission) {
        if (permission.startsWith(COMMAND)) {
            return "Run a command";
        }
        return permission.equals("file:read") ? "Read a file" : "Write a file";
    }

    /** A form or a link of an agent's; equal ones ask the same, whatever ids they carry. */
    public static Ask form(Ask.Who who, ObjectNode params) {
        ObjectNode asked = params.deepCopy();
        asked.remove(List.of("elicitationId", "requestId", "sessionId", "toolCallId", "_meta"));
        Ask.What what =
                new Ask.What(
                        Ask.Source.FORM,
                        "elicitation",
                        Set.of(),
                        text(params, "mode").equals("url") ? "link" : "form",
                        "",
                        hash("elicitation", asked));
        return new Ask(who, what, Ask.Where.NOWHERE, List.of());
    }

    /** The older names and a step given without a list mean the same as the two tools. */
    private static Set<String> localNames(String tool, ObjectNode arguments) {
        Set<String> names = new TreeSet<>();
        switch (tool) {
            case "tab_read" -> names.add("tab_read:" + Json.text(arguments, "mode").orElse("info"));
            case "tab_info" -> names.add("tab_read:info");
            case "tab_read_dom" -> names.add("tab_read:dom");
            case "tab_screenshot" -> names.add("tab_read:screenshot");
            case "tab_click" -> names.add("tab_action:click");
            case "tab_type" -> names.add("tab_action:input");
            case "tab_scroll" -> names.add("tab_action:scroll");
            case "tab_action" -> {
                arguments.path("actions").forEach(step -> names.add(actionName(step)));
                if (names.isEmpty()) {
                    names.add(actionName(arguments));
                }
            }
            default -> names.add("local:" + tool.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static String actionName(JsonNode step) {
        String action = Json.text(step, "action").or(() -> Json.text(step, "type")).orElse("");
        return "tab_action:" + (action.equals("type") ? "input" : action);
    }

    /** A tool that a chat client runs itself. */
    static Ask local(Ask.Who who, String tool, ObjectNode arguments) {
        Set<String> names = localNames(tool, arguments);
        Ask.What what =
                new Ask.What(
                        Ask.Source.BROWSER,
                        tool,
                        names,
                        "Run " + tool,
                        preview(arguments),
                        hash(tool, arguments));
        return new Ask(who, what, Ask.Where.NOWHERE, Options.of(names, ""));
    }

    /** A browser tool that is about to run. */
    public static Ask browser(Ask.Who who, OurCall call, Set<String> names, Ask.Where where) {
        Ask.What what =
                new Ask.What(
                        Ask.Source.BROWSER,
                        call.tool().name(),
                        names,
                        call.tool().title(),
                        preview(shown(names, call.arguments())),
                        hash(call.tool().name(), call.arguments()));
        return new Ask(who, what, where, Options.of(names, where.origin()));
    }

    /** A secret is for its field; every surface that shows the card would be one more place. */
    private static ObjectNode shown(Set<String> names, ObjectNode arguments) {
        ObjectNode copy = arguments.deepCopy();
        if (names.contains("tab_action:secret")) {
            List.of("text", "key").forEach(name -> mask(copy, name));
        }
        return copy;
    }

    private static void mask(ObjectNode arguments, String name) {
        if (arguments.has(name)) {
            arguments.put(name, "••••");
        }
    }

    /** Whether what is asked is not the step itself but where it leads. */
    static boolean leads(Ask.What what) {
        return what.names().equals(Gate.GOING)
                && Catalogue.load()
                        .byName(what.tool())
                        .flatMap(tool -> tool.permission().name())
                        .filter(name -> !name.startsWith("tab_nav:"))
                        .isPresent();
    }

    /** The tool of ours that an agent's tool call stands for, by name and readable arguments. */
    static Optional<OurCall> ours(ObjectNode call) {
        String name = text(call, "name").isEmpty() ? text(call, "title") : text(call, "name");
        var prefixed = OURS.matcher(name.strip());
        String bare = prefixed.matches() ? prefixed.group(1).strip() : name.strip();
        Optional<Tool> tool = Catalogue.load().byName(bare);
        if (tool.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode input = call.path("rawInput");
            ObjectNode arguments =
                    tool.get().read(input instanceof ObjectNode given ? given : Json.object());
            return Optional.of(new OurCall(tool.get(), arguments));
        } catch (TandemException notItsArguments) {
            return Optional.empty();
        }
    }

    /** A command that a shell would read further is never covered by the name of its first word. */
    private static String ownName(String kind, JsonNode input) {
        if (kind.equals("execute")) {
            String line = text(input, "command");
            List<String> words = new ArrayList<>(Json.texts(input, "command"));
            if (words.isEmpty()) {
                words.addAll(List.of(line.strip().split("\\s+")));
                if (SHELL.matcher(line).find()) {
                    return COMMAND + "sh -c";
                }
            }
            Json.texts(input, "args").forEach(words::add);
            String name = String.join(" ", words.subList(0, Math.min(2, words.size())));
            if (!name.isBlank()) {
                return command(COMMAND + name);
            }
        }
        String word = kind.toLowerCase(Locale.ROOT);
        return "agent:" + (word.matches("[a-z_]{1,30}") ? word : "other");
    }

    /** A rule may be made of it: it must be no pattern, and stand for this one command alone. */
    private static String command(String words) {
        String plain = Quote.clean(words).replace("*", "?");
        return plain.equals(words) && words.length() <= NAME
                ? words
                : Quote.cut(plain, NAME - 18) + " #" + Secrets.sha256(words).substring(0, 16);
    }

    /** Equal arguments have equal hashes, whatever their order. */
    static String hash(String what, JsonNode arguments) {
        return Secrets.sha256(what + "\n" + canonical(arguments));
    }

    private static String canonical(JsonNode node) {
        if (node instanceof ObjectNode object) {
            Map<String, String> sorted = new TreeMap<>();
            object.properties().forEach(e -> sorted.put(e.getKey(), canonical(e.getValue())));
            sorted.remove("timeoutMs");
            return sorted.toString();
        }
        if (node instanceof ArrayNode array) {
            List<String> items = new ArrayList<>();
            array.forEach(item -> items.add(canonical(item)));
            return items.toString();
        }
        return node.isMissingNode() ? "" : Json.write(node);
    }

    private static String preview(JsonNode arguments) {
        return arguments.isEmpty() && !arguments.isString()
                ? ""
                : Quote.cut(Quote.clean(Json.write(arguments)), PREVIEW);
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}
