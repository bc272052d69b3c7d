package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code tandem permissions}: what agents ask for, answered where no panel is open. */
final class PermissionCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Flag WATCH = Flag.toggle("watch", "wait for the next ones, until Ctrl+C");
    private static final Flag ID = Flag.value("id", "the request, or the beginning of its id");
    private static final Flag FOR = Flag.value("for", "once (default) | session | site | always");
    private static final int SHORT = 8;
    private static final Flag ALWAYS = Flag.toggle("always", "and never ask this again");

    private static final Flag RULE = Flag.value("rule", "its id, or the beginning of it");

    private PermissionCommands() {}

    static List<Command> all() {
        List<Command> all = new ArrayList<>(FormCommands.all());
        all.addAll(ofCards());
        return all;
    }

    private static List<Command> ofCards() {
        return List.of(
                new Command(
                        "permissions",
                        "answer what agents ask for, by the panel's keys",
                        List.of(WATCH),
                        List.of(),
                        PermissionCommands::run),
                new Command(
                        "permissions allow",
                        "say yes to a request",
                        List.of(ID, FOR),
                        List.of(ID),
                        PermissionCommands::allow),
                new Command(
                        "permissions reject",
                        "say no to a request",
                        List.of(ID, ALWAYS),
                        List.of(ID),
                        PermissionCommands::reject),
                new Command(
                        "permissions rules",
                        "list what you decided for good",
                        PermissionCommands::rules),
                new Command(
                        "permissions forget",
                        "take such a decision back",
                        List.of(RULE),
                        List.of(RULE),
                        PermissionCommands::forget),
                new Command(
                        "permissions accept",
                        "let a rule act that came from another device",
                        List.of(RULE),
                        List.of(RULE),
                        PermissionCommands::accept));
    }

    private static int run(Command.Context context) {
        boolean watch = context.words().isOn(WATCH.argument());
        if (watch) {
            return watch(context);
        }
        List<ObjectNode> cards = context.port().cards().cards();
        Cards desk = new Cards(context);
        if (cards.isEmpty() || !desk.interactive()) {
            return list(context, cards);
        }
        for (ObjectNode card : cards) {
            if (desk.ask(card, () -> !waits(context, card)) == Cards.End.LEFT) {
                return list(context, context.port().cards().cards());
            }
        }
        boolean forms = !context.port().cards().questions().isEmpty();
        return forms ? list(context, context.port().cards().cards()) : 0;
    }

    private static int list(Command.Context context, List<ObjectNode> cards) {
        ArrayNode list = Json.array();
        StringBuilder text = new StringBuilder();
        for (ObjectNode one : cards) {
            list.add(one);
            CardText card = new CardText(one);
            text.append(text.isEmpty() ? "" : "\n");
            text.append(card.shortId()).append("  ").append(card.ask(context.columns()));
        }
        if (!cards.isEmpty()) {
            text.append("\nAnswer: tandem permissions allow ID, or reject ID\n");
        }
        List<ObjectNode> forms = context.port().cards().questions();
        for (ObjectNode one : forms) {
            list.add(one);
            Form form = new Form(one);
            text.append(text.isEmpty() ? "" : "\n");
            text.append(form.shortId()).append("  ").append(form.text(context.columns()));
        }
        if (!forms.isEmpty()) {
            text.append("\nAnswer: tandem permissions answer ID name=value …, or decline ID\n");
        }
        return context.printer().answer(list.isEmpty() ? "Nobody asks." : text.toString(), list);
    }

    private static int watch(Command.Context context) {
        Cards desk = new Cards(context);
        context.printer().remark("Waiting for requests (Ctrl+C ends) …");
        try (Following news = context.port().cards().follow()) {
            while (!news.over()) {
                Optional<ObjectNode> event = news.next(PATIENCE);
                if (event.isPresent() && !show(context, desk, event.get())) {
                    return 0;
                }
            }
        }
        return 0;
    }

    /** False when the person wants no more. */
    private static boolean show(Command.Context context, Cards desk, ObjectNode event) {
        context.printer().event(event);
        JsonNode card = event.path("card");
        if (!event.path("type").asString("").equals("card") || !waits(context, card)) {
            return true;
        }
        if (desk.interactive()) {
            return desk.ask(card, () -> !waits(context, card)) != Cards.End.LEFT;
        }
        CardText text = new CardText(card);
        context.printer().piece(text.shortId() + "  " + text.ask(context.columns()));
        return true;
    }

    private static boolean waits(Command.Context context, JsonNode card) {
        return context.port().cards().cards().stream().anyMatch(one -> id(one).equals(id(card)));
    }

    private static String id(JsonNode card) {
        return card.path("requestId").asString("");
    }

    private static int allow(Command.Context context) {
        String how = context.words().value(FOR.argument()).orElse("once");
        if (!List.of("once", "session", "site", "always").contains(how)) {
            throw new UsageException(
                    "Invalid --for: " + how + ". One of once, session, site, always.");
        }
        return answer(context, "allow_" + how, "Allowed");
    }

    private static int reject(Command.Context context) {
        boolean always = context.words().isOn(ALWAYS.argument());
        return answer(context, always ? "reject_always" : "reject_once", "Refused");
    }

    private static int answer(Command.Context context, String wanted, String done) {
        ObjectNode card = find(context);
        JsonNode option = option(card, wanted);
        context.port().cards().answer(id(card), option.path("optionId").asString(""));
        ObjectNode data = Json.object().put("requestId", id(card));
        data.put("optionId", option.path("optionId").asString(""));
        return context.printer().answer(done + ": " + new CardText(card).title(), data);
    }

    private static int rules(Command.Context context) {
        ArrayNode list = Json.array();
        Table table = new Table(context.columns());
        for (ObjectNode rule : context.port().rules()) {
            list.add(rule);
            String id = word(rule, "id");
            table.row(
                    id.startsWith("act:") || id.length() <= SHORT ? id : id.substring(0, SHORT),
                    word(rule, "decision"),
                    word(rule, "who"),
                    word(rule, "what"),
                    word(rule, "where"));
        }
        return context.printer()
                .answer(table.isEmpty() ? "There are no rules." : table.toString(), list);
    }

    private static int forget(Command.Context context) {
        return change(context, "Forgotten", context.port()::forgetRule);
    }

    private static int accept(Command.Context context) {
        return change(context, "Accepted", context.port()::acceptRule);
    }

    private static int change(Command.Context context, String done, Predicate<String> action) {
        String wanted = context.word(RULE.argument());
        List<String> found =
                context.port().rules().stream()
                        .map(rule -> word(rule, "id"))
                        .filter(id ->
                                id.equals(wanted)
                                        || (wanted.length() >= 4 && id.startsWith(wanted)))
                        .toList();
        String id = found.contains(wanted) ? wanted : found.size() == 1 ? found.getFirst() : "";
        if (id.isEmpty() || !action.test(id)) {
            throw new UsageException(
                    "No one rule is \"" + wanted + "\"; tandem permissions rules lists them.");
        }
        return context.printer().answer(done + ": " + id, Json.object().put("id", id));
    }

    private static String word(ObjectNode rule, String field) {
        return rule.path(field).asString("");
    }

    private static ObjectNode find(Command.Context context) {
        String word = context.word(ID.argument());
        List<ObjectNode> found =
                context.port().cards().cards().stream()
                        .filter(one -> id(one).startsWith(word))
                        .toList();
        if (found.size() != 1 || word.length() < 4) {
            throw new UsageException(
                    found.isEmpty()
                            ? "No request \"" + word + "\" waits; tandem permissions lists them."
                            : "\"" + word + "\" is too short to name one request.");
        }
        return found.getFirst();
    }

    /** By its id on our own cards, by its kind on an agent's own. */
    private static JsonNode option(ObjectNode card, String wanted) {
        for (String field : List.of("optionId", "kind")) {
            for (JsonNode option : card.path("options")) {
                if (option.path(field).asString("").equals(wanted)) {
                    return option;
                }
            }
        }
        StringBuilder known = new StringBuilder();
        card.path("options")
                .forEach(one ->
                        known.append(known.isEmpty() ? "" : ", ")
                                .append(one.path("kind").asString("?")));
        throw new UsageException("This request has no such answer. It has: " + known);
    }
}
