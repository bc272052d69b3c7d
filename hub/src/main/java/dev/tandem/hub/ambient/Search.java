package dev.tandem.hub.ambient;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a search text, which looks like the condition of an SQL query, into a test of items. */
final class Search {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\s*(?:('(?:[^']|'')*')|([A-Za-z_][A-Za-z0-9_.]*)|(-?\\d+(?:\\.\\d+)?)"
                            + "|(<=|>=|<>|!=|=|<|>|\\(|\\)|,))");
    private static final int MAX_DEPTH = 50;

    private final List<String> tokens;
    private final Set<String> names;
    private int at;
    private int depth;

    private Search(List<String> tokens, Set<String> names) {
        this.tokens = tokens;
        this.names = names;
    }

    static Predicate<ObjectNode> parse(String text, Set<String> names) {
        Search search = new Search(tokens(text), names);
        Predicate<ObjectNode> all = search.either();
        if (search.at < search.tokens.size()) {
            throw Problems.badSearch("unexpected '" + search.tokens.get(search.at) + "'");
        }
        return all;
    }

    private static List<String> tokens(String text) {
        String rest = text.stripTrailing();
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(rest);
        int end = 0;
        while (end < rest.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw Problems.badSearch("cannot read it from character " + (end + 1));
            }
            tokens.add(matcher.group().strip());
            end = matcher.end();
        }
        return tokens;
    }

    private Predicate<ObjectNode> either() {
        if (++depth > MAX_DEPTH) {
            throw Problems.badSearch("too many parentheses");
        }
        Predicate<ObjectNode> left = both();
        while (take("or")) {
            left = left.or(both());
        }
        depth--;
        return left;
    }

    private Predicate<ObjectNode> both() {
        Predicate<ObjectNode> left = one();
        while (take("and")) {
            left = left.and(one());
        }
        return left;
    }

    private Predicate<ObjectNode> one() {
        boolean negated = false;
        while (take("not")) {
            negated = !negated;
        }
        Predicate<ObjectNode> found;
        if (take("(")) {
            found = either();
            need(")");
        } else {
            found = condition();
        }
        return negated ? found.negate() : found;
    }

    private Predicate<ObjectNode> condition() {
        String name = next("a field name");
        if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
            throw Problems.badSearch("a field name was expected, not '" + name + "'");
        }
        if (!names.contains(name)) {
            throw Problems.badQuery(name + " is not a valid field name");
        }
        if (take("is")) {
            boolean negated = take("not");
            need("null");
            return item -> item.has(name) == negated;
        }
        boolean negated = take("not");
        Predicate<JsonNode> test = test(next("an operator").toLowerCase(Locale.ROOT));
        return item -> item.has(name) && test.test(item.get(name)) != negated;
    }

    private Predicate<JsonNode> test(String operator) {
        return switch (operator) {
            case "=" -> compared(order -> order == 0);
            case "!=", "<>" -> compared(order -> order != 0);
            case "<" -> compared(order -> order < 0);
            case "<=" -> compared(order -> order <= 0);
            case ">" -> compared(order -> order > 0);
            case ">=" -> compared(order -> order >= 0);
            case "like" -> like(value(), 0);
            case "ilike" -> like(value(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
            case "in" -> in();
            case "between" -> between();
            default -> throw Problems.badSearch("unknown operator '" + operator + "'");
        };
    }

    private Predicate<JsonNode> compared(IntPredicate wanted) {
        String value = value();
        return node -> wanted.test(compare(node, value));
    }

    private Predicate<JsonNode> in() {
        need("(");
        List<String> values = new ArrayList<>(List.of(value()));
        while (take(",")) {
            values.add(value());
        }
        need(")");
        return node -> values.stream().anyMatch(value -> compare(node, value) == 0);
    }

    private Predicate<JsonNode> between() {
        String low = value();
        need("and");
        String high = value();
        return node -> compare(node, low) >= 0 && compare(node, high) <= 0;
    }

    private static Predicate<JsonNode> like(String pattern, int flags) {
        StringBuilder regex = new StringBuilder();
        pattern.codePoints()
                .forEach(c ->
                        regex.append(
                                c == '%'
                                        ? ".*"
                                        : c == '_' ? "." : Pattern.quote(Character.toString(c))));
        Pattern compiled = Pattern.compile(regex.toString(), flags | Pattern.DOTALL);
        return node -> compiled.matcher(node.asString("")).matches();
    }

    private static int compare(JsonNode node, String value) {
        if (node.isNumber()) {
            try {
                return Double.compare(node.doubleValue(), Double.parseDouble(value));
            } catch (NumberFormatException e) {
                return node.asString("").compareTo(value);
            }
        }
        return node.asString("").compareTo(value);
    }

    private String value() {
        String token = next("a value");
        if (token.startsWith("'")) {
            return token.substring(1, token.length() - 1).replace("''", "'");
        }
        if (token.matches("-?\\d+(\\.\\d+)?|true|false")) {
            return token;
        }
        throw Problems.badSearch("a value was expected, not '" + token + "'");
    }

    private boolean take(String word) {
        if (at < tokens.size() && tokens.get(at).equalsIgnoreCase(word)) {
            at++;
            return true;
        }
        return false;
    }

    private void need(String word) {
        if (!take(word)) {
            throw Problems.badSearch(
                    "'"
                            + word
                            + "' was expected"
                            + (at < tokens.size()
                                    ? ", not '" + tokens.get(at) + "'"
                                    : " at the end"));
        }
    }

    private String next(String what) {
        if (at == tokens.size()) {
            throw Problems.badSearch(what + " was expected at the end");
        }
        return tokens.get(at++);
    }
}
