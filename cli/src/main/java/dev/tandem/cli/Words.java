package dev.tandem.cli;

import dev.tandem.protocol.Nearest;
import dev.tandem.protocol.ToolInput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The words of a command line, sorted by the flags they belong to. */
final class Words {
    /**
     * Stands for a lone dash behind a flag that may be piped: "read it from standard input". No
     * argument can contain it.
     */
    static final String STDIN = "\0";

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Set<String> placed = new HashSet<>();

    private Words() {}

    /**
     * Reads words by the flags that are known; words without a flag fill {@code positions} in
     * order, and a list takes all that are left.
     */
    static Words read(List<String> words, List<Flag> flags, List<Flag> positions) {
        Map<String, Flag> known = new HashMap<>();
        flags.forEach(flag -> known.put(flag.dashed(), flag));
        // a flag with a name of its own is known by its argument's, too
        flags.forEach(flag -> known.putIfAbsent("--" + ToolInput.kebab(flag.argument()), flag));
        Words result = new Words();
        Deque<Flag> places = new ArrayDeque<>(positions);
        Deque<String> rest = new ArrayDeque<>(words);
        boolean onlyPlain = false;
        while (!rest.isEmpty()) {
            String word = rest.pop();
            if (!onlyPlain && word.equals("--")) {
                onlyPlain = true;
            } else if (!onlyPlain && word.startsWith("--")) {
                result.flag(word, rest, known);
            } else if (!onlyPlain && word.equals("-h")) {
                result.add("help", "true");
            } else if (!onlyPlain && isShortFlag(word)) {
                throw unknown(word, known);
            } else {
                result.plain(word, !onlyPlain, places);
            }
        }
        return result;
    }

    private static boolean isShortFlag(String word) {
        if (word.length() < 2 || word.charAt(0) != '-') {
            return false;
        }
        char letter = word.charAt(1);
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    }

    Optional<String> value(String argument) {
        List<String> all = values.getOrDefault(argument, List.of());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    List<String> all(String argument) {
        return values.getOrDefault(argument, List.of());
    }

    boolean has(String argument) {
        return values.containsKey(argument);
    }

    boolean isOn(String argument) {
        return value(argument).map("true"::equals).orElse(false);
    }

    private void flag(String word, Deque<String> rest, Map<String, Flag> known) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Optional<String> joined =
                equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
        Flag flag = known.get(name);
        if (flag == null) {
            Flag positive = name.startsWith("--no-") ? known.get("--" + name.substring(5)) : null;
            if (positive == null || positive.shape() != Flag.Shape.SWITCH || joined.isPresent()) {
                throw unknown(name, known);
            }
            add(positive.argument(), "false");
        } else if (flag.shape() == Flag.Shape.SWITCH) {
            add(flag.argument(), toggle(flag, joined));
        } else {
            String value = joined.orElseGet(() -> next(flag, rest));
            if (placed.contains(flag.argument()) && !flag.shape().isMany()) {
                throw new UsageException(
                        flag.dashed()
                                + " was given already, as "
                                + value(flag.argument()).orElse("")
                                + ".");
            }
            boolean several = flag.shape() == Flag.Shape.COMMAS && !value.equals(STDIN);
            for (String one : several ? value.split(",", -1) : new String[] {value}) {
                add(flag.argument(), one);
            }
        }
    }

    private static String toggle(Flag flag, Optional<String> joined) {
        String value = joined.orElse("true");
        if (!value.equals("true") && !value.equals("false")) {
            throw new UsageException(
                    "Invalid " + flag.dashed() + ": " + value + ". It is true or false.");
        }
        return value;
    }

    private static String next(Flag flag, Deque<String> rest) {
        String value = rest.peek();
        String missing = "Missing value for " + flag.dashed();
        if (value == null) {
            throw new UsageException(missing);
        }
        if (value.startsWith("--")) {
            throw new UsageException(
                    missing
                            + ". A value that starts with dashes is written "
                            + flag.dashed()
                            + "="
                            + value);
        }
        rest.pop();
        return flag.piped() && value.equals("-") ? STDIN : value;
    }

    private void plain(String word, boolean mayBePiped, Deque<Flag> places) {
        while (!places.isEmpty()
                && !places.peek().shape().isMany()
                && has(places.peek().argument())) {
            places.pop();
        }
        Flag place = places.peek();
        if (place == null) {
            throw new UsageException("Unexpected argument: " + word);
        }
        boolean piped = mayBePiped && place.piped() && word.equals("-");
        add(place.argument(), piped ? STDIN : word);
        placed.add(place.argument());
    }

    private void add(String argument, String value) {
        values.computeIfAbsent(argument, key -> new ArrayList<>()).add(value);
    }

    private static UsageException unknown(String word, Map<String, Flag> known) {
        String meant =
                Nearest.to(word, known.keySet())
                        .map(near -> ". Did you mean " + near + "?")
                        .orElse("");
        return new UsageException("Unknown option: " + word + meant);
    }
}
