package dev.tandem.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of a page, read from a snapshot, and the values a person wrote for them. */
final class FormFields {
    private static final Pattern LINE =
            Pattern.compile(
                    "\\s*\\[(\\w+)] (\\w+)((?: \\[\\w+])*)(?: \"((?:[^\"\\\\]|\\\\.)*)\")?.*");
    private static final Pattern PAIR =
            Pattern.compile(
                    "([\\p{L}\\p{N}][\\p{L}\\p{N} _'-]*?)\\s*[:=]\\s*(\"[^\"]*\"|[^,;\\n]+)");
    private static final List<String> FILLABLE =
            List.of("textbox", "searchbox", "textarea", "combobox", "listbox", "spinbutton");

    /** One field that takes text or a choice. */
    record Field(String ref, String role, String label, boolean required, boolean isChoice) {}

    private FormFields() {}

    static List<Field> in(String snapshot) {
        List<Field> fields = new ArrayList<>();
        String[] lines = snapshot.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            Matcher match = LINE.matcher(lines[i]);
            if (match.matches()
                    && FILLABLE.contains(match.group(2))
                    && !match.group(3).matches(".*\\[(disabled|readonly)].*")) {
                String label = match.group(4) == null ? "" : match.group(4).replace("\\\"", "\"");
                fields.add(
                        new Field(
                                match.group(1),
                                match.group(2),
                                label,
                                match.group(3).contains("[required]"),
                                match.group(2).equals("listbox")
                                        || (i + 1 < lines.length && isOption(lines[i + 1]))));
            }
        }
        return fields;
    }

    /** A drop-down's choices follow it; a combobox to type into has none. */
    private static boolean isOption(String line) {
        Matcher match = LINE.matcher(line);
        return match.matches() && match.group(2).equals("option");
    }

    /** {@code name: Ada, email = ada@x.org} in the order it was written. */
    static Map<String, String> values(String prompt) {
        Map<String, String> values = new LinkedHashMap<>();
        Matcher pair = PAIR.matcher(prompt);
        while (pair.find()) {
            String name =
                    pair.group(1)
                            .replaceFirst(
                                    "(?iu)^.*\\b(with|avec|form|formulaire|fill|fill in|remplis|remplir)\\s+",
                                    "");
            values.put(name.strip(), pair.group(2).strip().replaceAll("^\"|\"$", ""));
        }
        return values;
    }

    /** The field a name means: the same label, else the only one that holds the word. */
    static Optional<Field> named(String name, List<Field> fields) {
        String wanted = plain(name);
        Optional<Field> same =
                fields.stream().filter(f -> plain(f.label()).equals(wanted)).findFirst();
        if (same.isPresent()) {
            return same;
        }
        List<Field> close =
                fields.stream().filter(field -> plain(field.label()).contains(wanted)).toList();
        return close.size() == 1 ? Optional.of(close.getFirst()) : Optional.empty();
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }
}
