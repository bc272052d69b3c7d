package dev.tandem.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Changes one table of a TOML file and leaves every other line as it is. */
final class TomlEdit {
    private static final Pattern HEADER =
            Pattern.compile(
                    "\\s*\\[{1,2}(\"(\\\\.|[^\"\\\\])*\"|'[^']*'|[^\\[\\]\"'])+]{1,2}\\s*(#.*)?");

    private TomlEdit() {}

    /** The lines of the table {@code section.name}, its own tables included. */
    static Optional<String> get(String text, String section, String name) {
        return find(lines(text), section, name)
                .map(found -> String.join("", lines(text).subList(found[0], found[1])));
    }

    static String put(String text, String section, String name, String body) {
        refuseInline(text, section, name);
        String eol = text.contains("\r\n") ? "\r\n" : "\n";
        String table = ("[" + section + "." + name + "]\n" + body).replace("\n", eol);
        List<String> lines = lines(text);
        Optional<int[]> found = find(lines, section, name);
        if (found.isPresent()) {
            return String.join("", lines.subList(0, found.get()[0]))
                    + table
                    + String.join("", lines.subList(found.get()[1], lines.size()));
        }
        String end = text.isEmpty() || text.endsWith("\n") ? "" : eol;
        return text + end + (text.isBlank() ? "" : eol) + table;
    }

    static String remove(String text, String section, String name) {
        List<String> lines = lines(text);
        Optional<int[]> found = find(lines, section, name);
        if (found.isEmpty()) {
            return text;
        }
        int from = found.get()[0];
        boolean gap = from > 0 && lines.get(from - 1).isBlank();
        return String.join("", lines.subList(0, gap ? from - 1 : from))
                + String.join("", lines.subList(found.get()[1], lines.size()));
    }

    private static Optional<int[]> find(List<String> lines, String section, String name) {
        Pattern ours =
                Pattern.compile(
                        "\\s*\\[\\s*"
                                + Pattern.quote(section)
                                + "\\s*\\.\\s*[\"']?"
                                + Pattern.quote(name)
                                + "[\"']?\\s*(\\.[^\\]]+)?]\\s*(#.*)?");
        int start = -1;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).stripTrailing();
            boolean mine = ours.matcher(line).matches();
            if (start < 0 && mine) {
                start = i;
            } else if (start >= 0 && !mine && HEADER.matcher(line).matches()) {
                return Optional.of(new int[] {start, withoutGap(lines, start, i)});
            }
        }
        return start < 0
                ? Optional.empty()
                : Optional.of(new int[] {start, withoutGap(lines, start, lines.size())});
    }

    /** Blank lines and comments before the next table are that table's. */
    private static int withoutGap(List<String> lines, int start, int end) {
        int last = end;
        while (last > start + 1
                && (lines.get(last - 1).isBlank() || lines.get(last - 1).strip().startsWith("#"))) {
            last--;
        }
        return last;
    }

    private static void refuseInline(String text, String section, String name) {
        String inline =
                "(?m)^\\s*" + Pattern.quote(section) + "\\s*(=|\\.\\s*\"?" + name + "\"?\\s*[.=])";
        if (Pattern.compile(inline).matcher(text).find()) {
            throw new JsonText.Malformed(
                    "It holds " + section + " in a form that only you should change.");
        }
    }

    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end + 1));
            start = end + 1;
        }
        if (start < text.length()) {
            lines.add(text.substring(start));
        }
        return lines;
    }
}
