package dev.tandem.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers without any model, by a few fixed skills on the pages that are open. */
final class GuideBrain implements Brain {
    private static final int MOST_LINES = 12;

    /** Ops sessions by tab, kept so that a second question about a tab asks nothing again. */
    private final Map<Long, String> held = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "Tandem guide";
    }

    @Override
    public boolean takesImages() {
        return false;
    }

    @Override
    public String answer(Turn turn) {
        String prompt = turn.text();
        switch (Skill.of(prompt)) {
            case READ -> read(turn);
            case FIND -> find(turn, prompt);
            case FILL -> fill(turn, prompt);
            case COMPARE -> compare(turn);
            case SCREENSHOT -> screenshot(turn);
            case TABS -> listTabs(turn);
            case EXPLAIN -> turn.say(GuideTexts.about(prompt));
            case NONE -> turn.say(GuideTexts.UNSURE);
        }
        return "end_turn";
    }

    private static ToolResult use(Turn turn, String tool, ObjectNode arguments) {
        return turn.use(tool, arguments).unmarked();
    }

    private record Tab(long id, String title, String url, boolean active) {
        String shown() {
            return "**" + (title.isBlank() ? url : title) + "** (" + url + ")";
        }

        /** Its whole title, or its address, stands in the words. */
        boolean isMeant(String prompt) {
            String name = title.strip().toLowerCase(Locale.ROOT);
            return (name.length() > 3 && prompt.contains(name))
                    || (url.length() > 8 && prompt.contains(url.toLowerCase(Locale.ROOT)));
        }
    }

    private List<Tab> tabs(Turn turn) {
        ToolResult result = use(turn, "browser_tabs", Json.object());
        if (result.failed()) {
            turn.say(GuideTexts.failed("look at your tabs", result.text()));
            return List.of();
        }
        List<Tab> tabs = new ArrayList<>();
        for (JsonNode tab : result.data().path("tabs")) {
            tabs.add(
                    new Tab(
                            tab.path("id").asLong(-1),
                            Json.text(tab, "title"),
                            Json.text(tab, "url"),
                            tab.path("active").asBoolean(false)));
        }
        if (tabs.isEmpty()) {
            turn.say("I see no open tab that I may look at. Open a page and ask again.");
        }
        return tabs;
    }

    /** The page the user attached or named, else the one in front. */
    private Optional<Tab> current(Turn turn) {
        return current(turn, tabs(turn));
    }

    private static Optional<Tab> current(Turn turn, List<Tab> tabs) {
        String prompt = turn.text().toLowerCase(Locale.ROOT);
        return tabs.stream()
                .filter(tab -> turn.links().contains(tab.url()))
                .findFirst()
                .or(() -> tabs.stream().filter(tab -> tab.isMeant(prompt)).findFirst())
                .or(() -> tabs.stream().filter(Tab::active).findFirst())
                .or(() -> tabs.stream().findFirst());
    }

    private Optional<PageText> textOf(Turn turn, Tab tab) {
        ToolResult result = use(turn, "browser_read", Json.object().put("tabId", tab.id()));
        if (result.failed()) {
            turn.say(GuideTexts.failed("read " + tab.shown(), result.text()));
            return Optional.empty();
        }
        return Optional.of(new PageText(result.field("dom")));
    }

    private void read(Turn turn) {
        List<Tab> tabs = tabs(turn);
        Optional<Tab> tab = current(turn, tabs);
        if (tab.isEmpty()) {
            return;
        }
        textOf(turn, tab.get())
                .ifPresent(page -> {
                    if (page.words() == 0) {
                        turn.say(tab.get().shown() + " is empty. Name another page to read it.\n");
                        list(
                                turn,
                                "Open tabs",
                                tabs.stream()
                                        .filter(one -> !one.equals(tab.get()))
                                        .map(one -> "- " + one.shown())
                                        .toList());
                        return;
                    }
                    turn.say(tab.get().shown() + ", about " + page.words() + " words.\n");
                    list(turn, "Its outline", page.headings());
                    list(turn, "It begins", bullets(page.opening(3)));
                });
    }

    private void find(Turn turn, String prompt) {
        String wanted = GuideTexts.searchWords(prompt);
        Optional<Tab> tab = wanted.isEmpty() ? Optional.empty() : current(turn);
        if (wanted.isEmpty()) {
            turn.say("What shall I look for? Write, for example: find opening hours");
        } else if (tab.isPresent()) {
            textOf(turn, tab.get())
                    .ifPresent(page -> {
                        List<String> found = page.find(wanted);
                        List<String> some = found.isEmpty() ? page.findSome(wanted) : List.of();
                        turn.say(GuideTexts.found(wanted, found.size(), some, tab.get().shown()));
                        list(turn, "Where", bullets(found));
                        list(turn, "Some of it", bullets(some));
                    });
        }
    }

    private void compare(Turn turn) {
        List<Tab> tabs = tabs(turn);
        List<Tab> chosen = new ArrayList<>(tabs.stream().filter(Tab::active).limit(1).toList());
        String prompt = turn.text().toLowerCase(Locale.ROOT);
        tabs.stream()
                .filter(tab -> !chosen.contains(tab))
                .sorted((a, b) -> Boolean.compare(isNamed(b, prompt), isNamed(a, prompt)))
                .limit(2L - chosen.size())
                .forEach(chosen::add);
        if (chosen.size() < 2) {
            turn.say("To compare I need two open tabs.");
            return;
        }
        Optional<PageText> first = textOf(turn, chosen.get(0));
        Optional<PageText> second = first.flatMap(page -> textOf(turn, chosen.get(1)));
        if (first.isPresent() && second.isPresent()) {
            PageText a = first.get();
            PageText b = second.get();
            turn.say("A is " + chosen.get(0).shown() + ", about " + a.words() + " words.\n\n");
            turn.say("B is " + chosen.get(1).shown() + ", about " + b.words() + " words.\n\n");
            turn.say("They share " + a.sharedWith(b) + " lines.\n");
            list(turn, "Only in A", bullets(a.notIn(b)));
            list(turn, "Only in B", bullets(b.notIn(a)));
        }
    }

    private static boolean isNamed(Tab tab, String prompt) {
        return List.of(tab.title().toLowerCase(Locale.ROOT).split("\\W+")).stream()
                .anyMatch(word -> word.length() > 3 && prompt.contains(word));
    }

    private void screenshot(Turn turn) {
        hold(turn)
                .ifPresent(session -> {
                    ToolResult result =
                            use(turn, "screenshot", Json.object().put("sessionId", session));
                    turn.say(
                            result.failed()
                                    ? GuideTexts.failed("take the picture", result.text())
                                    : "Here is the page as it looks now.");
                });
    }

    private void fill(Turn turn, String prompt) {
        Optional<String> session = hold(turn);
        if (session.isEmpty()) {
            return;
        }
        ObjectNode look =
                Json.object().put("sessionId", session.get()).put("format", "actionables");
        ToolResult snapshot = use(turn, "snapshot", look);
        List<FormFields.Field> fields = FormFields.in(snapshot.field("content"));
        if (snapshot.failed() || fields.isEmpty()) {
            turn.say(
                    snapshot.failed()
                            ? GuideTexts.failed("look at the form", snapshot.text())
                            : "I see no field to fill on this page.");
            return;
        }
        Map<String, String> values = FormFields.values(prompt);
        if (values.isEmpty()) {
            turn.say("This page has these fields:\n");
            list(turn, "Fields", fields.stream().map(GuideBrain::described).toList());
            turn.say(
                    "\nTell me what to write, for example: fill "
                            + fields.getFirst().label()
                            + ": …");
            return;
        }
        List<String> done = new ArrayList<>();
        for (Map.Entry<String, String> value : values.entrySet()) {
            done.add(fillOne(turn, session.get(), value, fields));
        }
        list(turn, "What I did", done);
        turn.say("\nI have sent nothing. Check it and press the button yourself.");
    }

    private static String fillOne(
            Turn turn,
            String session,
            Map.Entry<String, String> value,
            List<FormFields.Field> fields) {
        Optional<FormFields.Field> field = FormFields.named(value.getKey(), fields);
        if (field.isEmpty()) {
            return "- I found no single field called “" + value.getKey() + "”.";
        }
        ObjectNode arguments =
                Json.object().put("sessionId", session).put("ref", field.get().ref());
        ToolResult result;
        if (field.get().isChoice()) {
            arguments.putArray("values").add(value.getValue());
            result = use(turn, "select", arguments);
        } else {
            result = use(turn, "type", arguments.put("text", value.getValue()).put("clear", true));
        }
        return result.failed()
                ? "- “" + field.get().label() + "” was not filled: " + result.text()
                : "- “" + field.get().label() + "” is filled.";
    }

    private static String described(FormFields.Field field) {
        String label = field.label().isEmpty() ? field.role() : field.label();
        return "- " + label + (field.required() ? " (required)" : "");
    }

    /** An ops session on the current tab; the user is asked by the browser's own gate. */
    private Optional<String> hold(Turn turn) {
        Optional<Tab> tab = current(turn);
        if (tab.isEmpty()) {
            return Optional.empty();
        }
        String known = held.get(tab.get().id());
        if (known != null && !use(turn, "status", Json.object().put("sessionId", known)).failed()) {
            return Optional.of(known);
        }
        ToolResult launched = use(turn, "launch", Json.object().put("tabId", tab.get().id()));
        String session = Json.text(launched.data(), "sessionId");
        if (launched.failed() || session.isEmpty()) {
            turn.say(GuideTexts.failed("use " + tab.get().shown(), launched.text()));
            return Optional.empty();
        }
        held.put(tab.get().id(), session);
        return Optional.of(session);
    }

    private void listTabs(Turn turn) {
        List<Tab> tabs = tabs(turn);
        list(
                turn,
                "Open tabs",
                tabs.stream()
                        .map(tab -> "- " + tab.shown() + (tab.active() ? ", in front" : ""))
                        .toList());
    }

    private static List<String> bullets(List<String> lines) {
        return lines.stream().map(line -> "- " + line).toList();
    }

    private static void list(Turn turn, String title, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        List<String> shown = lines.subList(0, Math.min(MOST_LINES, lines.size()));
        String more =
                lines.size() > shown.size()
                        ? "\n- … and " + (lines.size() - shown.size()) + " more"
                        : "";
        turn.say("\n" + title + ":\n\n" + String.join("\n", shown) + more + "\n");
    }
}
