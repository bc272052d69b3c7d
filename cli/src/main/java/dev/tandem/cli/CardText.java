package dev.tandem.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A permission card in a terminal, with the keys that the panel's card has: ours keep theirs, an
 * agent's own answers are counted in its order.
 */
final class CardText {
    private static final String FREE = "45678";

    private final JsonNode card;
    private final Map<Character, JsonNode> keys = new LinkedHashMap<>();

    CardText(JsonNode card) {
        this.card = card;
        if (fromAgent()) {
            card.path("options").forEach(this::nextKey);
            return;
        }
        List<JsonNode> without = new ArrayList<>();
        for (JsonNode option : card.path("options")) {
            Optional<Character> key = usual(option).filter(one -> !keys.containsKey(one));
            key.ifPresentOrElse(one -> keys.put(one, option), () -> without.add(option));
        }
        for (JsonNode option : without) {
            FREE.chars()
                    .mapToObj(c -> (char) c)
                    .filter(c -> !keys.containsKey(c))
                    .findFirst()
                    .ifPresent(c -> keys.put(c, option));
        }
    }

    private void nextKey(JsonNode option) {
        if (keys.size() < 9) {
            keys.put((char) ('1' + keys.size()), option);
        }
    }

    private boolean fromAgent() {
        return card.path("source").asString("").equals("agent");
    }

    String requestId() {
        return card.path("requestId").asString("");
    }

    /** Enough of the id to name the card in a command. */
    String shortId() {
        String id = requestId();
        return id.substring(0, Math.min(8, id.length()));
    }

    Optional<JsonNode> option(String key) {
        return key.length() == 1 ? Optional.ofNullable(keys.get(key.charAt(0))) : Optional.empty();
    }

    /** Lasting answers, and any yes to something sensitive, are said twice. */
    boolean twice(JsonNode option) {
        String kind = option.path("kind").asString("");
        boolean allows = kind.startsWith("allow");
        String id = option.path("optionId").asString("");
        boolean lasting =
                fromAgent()
                        ? kind.equals("allow_always")
                        : id.equals("allow_always") || id.equals("allow_domain");
        return allows && (lasting || card.path("risk").asString("").equals("sensitive"));
    }

    String ask(int columns) {
        Table facts = new Table(columns);
        fact(facts, "on", element());
        fact(facts, "asked by", card.path("requester").path("name").asString(""));
        fact(facts, "at", card.path("origin").asString(""));
        String leadsTo = card.path("leadsTo").asString("");
        fact(facts, "leads to", leadsTo);
        fact(facts, "page", leadsTo.isEmpty() ? card.path("tabUrl").asString("") : "");
        fact(facts, "with", card.path("argsPreview").asString(""));
        return "Allow? " + Visible.line(title()) + "\n" + facts + buttons(columns);
    }

    String title() {
        String summary = card.path("summary").asString("");
        return summary.isEmpty() ? card.path("toolName").asString("an action") : summary;
    }

    /** In the page's own words, so they stand in quotation marks. */
    private String element() {
        JsonNode element = card.path("element");
        String name = inMarks(element.path("name").asString(""));
        String role = element.path("role").asString("");
        return name.isEmpty() ? role : role + " “" + name + "” (the page's words)";
    }

    private String buttons(int columns) {
        int width = columns > 20 ? columns : 80;
        StringBuilder out = new StringBuilder();
        StringBuilder line = new StringBuilder(" ");
        for (Map.Entry<Character, JsonNode> one : keys.entrySet()) {
            String button = " [" + one.getKey() + "] " + Visible.line(label(one.getValue())) + " ";
            if (line.length() + button.length() > width) {
                out.append(line).append('\n');
                line = new StringBuilder(" ");
            }
            line.append(button);
        }
        return out.append(line).append('\n').toString();
    }

    private static void fact(Table table, String name, String value) {
        if (!value.isEmpty()) {
            table.row("  " + name, value);
        }
    }

    /** What a key does follows from its kind; an agent's own words stand beside it, quoted. */
    private String label(JsonNode option) {
        if (fromAgent()) {
            return agentsLabel(option);
        }
        return switch (option.path("optionId").asString("")) {
            case "allow_once" -> "Once";
            case "allow_session" -> "This session";
            case "allow_site" -> "This site, this session";
            case "allow_domain" -> "Always, subdomains too";
            case "allow_always" -> "Always";
            case "reject_once" -> "Not now";
            case "reject_always" -> "Never";
            default -> option.path("name").asString("?");
        };
    }

    private static String agentsLabel(JsonNode option) {
        String meant =
                switch (option.path("kind").asString("")) {
                    case "allow_once" -> "Allow once";
                    case "allow_always" -> "Always allow";
                    case "reject_once" -> "Reject";
                    case "reject_always" -> "Always reject";
                    default -> "Other answer";
                };
        String words = inMarks(option.path("name").asString(""));
        return words.isEmpty() || words.equalsIgnoreCase(meant)
                ? meant
                : meant + " “" + words + "”";
    }

    /** Foreign words cannot end their own quotation. */
    private static String inMarks(String words) {
        return words.replaceAll("[\"“”„‟«»]", "’");
    }

    private static Optional<Character> usual(JsonNode option) {
        if (option.path("optionId").asString("").equals("allow_session")) {
            return Optional.of('2');
        }
        if (option.path("optionId").asString("").equals("allow_site")) {
            return Optional.of('4');
        }
        if (option.path("optionId").asString("").equals("allow_domain")) {
            return Optional.of('5');
        }
        return switch (option.path("kind").asString("")) {
            case "allow_once" -> Optional.of('1');
            case "allow_always" -> Optional.of('3');
            case "reject_once" -> Optional.of('0');
            case "reject_always" -> Optional.of('9');
            default -> Optional.empty();
        };
    }
}
