package dev.tandem.hub.ambient;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Page, search, order and fields of a list. */
record ListQuery(
        String kind,
        int page,
        int size,
        Predicate<ObjectNode> search,
        List<Comparator<ObjectNode>> order,
        List<String> fields) {
    private static final int MAX_SIZE = 65_500;
    private static final int DEFAULT_SIZE = 100;

    static ListQuery of(Call call, Resource resource) {
        Set<String> names = resource.names();
        int size = call.query("size").map(text -> number(text, DEFAULT_SIZE)).orElse(DEFAULT_SIZE);
        return new ListQuery(
                resource.kind(),
                Math.max(1, call.query("page").map(text -> number(text, 1)).orElse(1)),
                size < 0 || size > MAX_SIZE ? MAX_SIZE : size,
                call.query("search")
                        .filter(text -> !text.isBlank())
                        .map(text -> Search.parse(text, names))
                        .orElse(item -> true),
                call.query("orderBy").map(text -> order(text, names)).orElse(List.of()),
                call.query("fields").map(text -> fields(text, names)).orElse(List.of()));
    }

    /** Gives items one by one. */
    interface Source {
        void each(Consumer<ObjectNode> take);
    }

    /** The list; what only the items of this page need is added by {@code complete}. */
    ObjectNode apply(Source items, Function<ObjectNode, ObjectNode> complete) {
        Shown shown = new Shown();
        items.each(item -> {
            if (search.test(item)) {
                shown.take(item);
            }
        });
        ObjectNode list = Json.object().put("kind", kind + "List").put("page", page);
        ArrayNode found = Json.array();
        shown.page().map(complete).map(this::cut).forEach(found::add);
        list.put("size", found.size()).put("total", shown.total);
        return list.set("items", found);
    }

    private record Ranked(long place, ObjectNode item) {}

    /** What matches, counted; kept is only what can be on the page: a log is longer than memory. */
    private final class Shown {
        private final long from = (long) (page - 1) * size;
        private final Comparator<Ranked> rank =
                order.stream()
                        .reduce(Comparator::thenComparing)
                        .map(by -> Comparator.comparing(Ranked::item, by))
                        .orElse((_, _) -> 0)
                        .thenComparingLong(Ranked::place);
        private final PriorityQueue<Ranked> first = new PriorityQueue<>(rank.reversed());
        private long total;

        void take(ObjectNode item) {
            long place = total++;
            if (order.isEmpty() && (place < from || place >= from + size)) {
                return;
            }
            first.add(new Ranked(place, item));
            if (first.size() > from + size) {
                first.remove();
            }
        }

        Stream<ObjectNode> page() {
            return first.stream()
                    .sorted(rank)
                    .skip(order.isEmpty() ? 0 : from)
                    .limit(size)
                    .map(Ranked::item);
        }
    }

    private ObjectNode cut(ObjectNode item) {
        if (fields.isEmpty()) {
            return item;
        }
        ObjectNode cut = Json.object();
        if (item.has("id")) {
            cut.set("id", item.get("id"));
        }
        for (String field : fields) {
            if (item.has(field)) {
                cut.set(field, item.get(field));
            }
        }
        return cut;
    }

    private static int number(String text, int otherwise) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private static List<String> fields(String text, Set<String> names) {
        List<String> fields = new ArrayList<>();
        for (String part : text.split(",")) {
            // Nested values are strings of JSON here, so a path ends at its first name.
            String name = part.strip().split("\\.", 2)[0];
            if (!names.contains(name)) {
                throw Problems.badQuery(name + " is not a valid field name");
            }
            fields.add(name);
        }
        return fields;
    }

    private static List<Comparator<ObjectNode>> order(String text, Set<String> names) {
        List<Comparator<ObjectNode>> order = new ArrayList<>();
        for (String part : text.split(",")) {
            String[] words = part.strip().split("\\s+");
            String direction = words.length > 1 ? words[1].toLowerCase(Locale.ROOT) : "asc";
            if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
                throw Problems.badQuery("bad order value '" + part.strip() + "'");
            }
            if (!names.contains(words[0])) {
                throw Problems.badQuery(words[0] + " is not a valid field name");
            }
            Comparator<ObjectNode> by = (a, b) -> compare(a.path(words[0]), b.path(words[0]));
            order.add(direction.equals("desc") ? by.reversed() : by);
        }
        return order;
    }

    static int compare(JsonNode a, JsonNode b) {
        return a.isNumber() && b.isNumber()
                ? Double.compare(a.doubleValue(), b.doubleValue())
                : a.asString("").compareTo(b.asString(""));
    }
}
