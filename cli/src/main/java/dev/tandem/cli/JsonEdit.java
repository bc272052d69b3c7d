package dev.tandem.cli;

import java.util.Optional;

/**
 * Changes one member of a JSON file and leaves every other byte as it is: order, indentation,
 * comments, trailing commas.
 */
final class JsonEdit {
    private final String text;
    private final JsonText json;

    private JsonEdit(String text) {
        this.text = text;
        this.json = new JsonText(text);
    }

    /** The text of the value at {@code section.name}. */
    static Optional<String> get(String text, String section, String name) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        JsonEdit edit = new JsonEdit(text);
        return edit.json
                .root()
                .member(section)
                .flatMap(holder -> edit.json.object(holder.valueStart()).member(name))
                .map(found -> text.substring(found.valueStart(), found.valueEnd()));
    }

    /** Sets {@code section.name}; {@code value} is JSON indented by two spaces a level. */
    static String put(String text, String section, String name, String value) {
        if (text.isBlank()) {
            return "{\n  \"" + section + "\": {\n    " + entry(name, value, "    ") + "\n  }\n}\n";
        }
        JsonEdit edit = new JsonEdit(text);
        JsonText.Body root = edit.json.root();
        Optional<JsonText.Member> holder = root.member(section);
        if (holder.isEmpty()) {
            String inner = "{\n  " + entry(name, value, "  ") + "\n}";
            return edit.insert(root, section, inner);
        }
        JsonText.Body body = edit.json.object(holder.get().valueStart());
        Optional<JsonText.Member> old = body.member(name);
        if (old.isPresent()) {
            String indent = edit.indentOf(old.get().keyStart());
            return text.substring(0, old.get().valueStart())
                    + edit.own(indented(value, indent))
                    + text.substring(old.get().valueEnd());
        }
        return edit.insert(body, name, value);
    }

    /** Takes {@code section.name} out; the same text when it is not there. */
    static String remove(String text, String section, String name) {
        if (get(text, section, name).isEmpty()) {
            return text;
        }
        JsonEdit edit = new JsonEdit(text);
        return edit.cut(
                edit.json.object(edit.json.root().member(section).orElseThrow().valueStart()),
                name);
    }

    /** Takes out a member, with the line where it has one of its own and the comma it needed. */
    private String cut(JsonText.Body body, String name) {
        JsonText.Member gone = body.member(name).orElseThrow();
        StringBuilder rest = new StringBuilder(text);
        int end = gone.valueEnd();
        int comma = json.blanks(end);
        int index = body.members().indexOf(gone);
        if (text.charAt(comma) == ',' && text.substring(end, comma).isBlank()) {
            end = comma + 1;
        } else if (text.charAt(comma) == ',') {
            rest.deleteCharAt(comma);
        }
        int start = gone.keyStart();
        int before = start - json.spacesBefore(start);
        int after = json.pastSpaces(end);
        if (text.charAt(before - 1) == '\n' && json.isLineEnd(after)) {
            rest.delete(before, text.indexOf('\n', after) + 1);
        } else if (after == body.close()) {
            rest.delete(before, end);
        } else {
            rest.delete(start, after);
        }
        if (text.charAt(comma) != ',' && index > 0) {
            rest.deleteCharAt(json.blanks(body.members().get(index - 1).valueEnd()));
        }
        int close = body.close() - (text.length() - rest.length());
        boolean bare = rest.substring(body.open() + 1, close).isBlank();
        return (bare ? rest.delete(body.open() + 1, close) : rest).toString();
    }

    private String insert(JsonText.Body body, String name, String value) {
        if (body.members().isEmpty()) {
            String outer = indentOf(body.open());
            String inner = outer + unit();
            return text.substring(0, body.open() + 1)
                    + text.substring(body.open() + 1, body.close()).stripTrailing()
                    + own("\n" + inner + entry(name, value, inner) + "\n" + outer)
                    + text.substring(body.close());
        }
        JsonText.Member last = body.members().getLast();
        int comma = json.blanks(last.valueEnd());
        boolean trailing = text.charAt(comma) == ',';
        int at = trailing ? comma + 1 : last.valueEnd();
        int lineEnd = pastRemarks(at);
        boolean oneLine =
                lineEnd == at
                        && text.lastIndexOf('\n', body.members().getFirst().keyStart())
                                < body.open();
        String indent = indentOf(last.keyStart());
        String fresh =
                oneLine ? " " + entry(name, value, "") : "\n" + indent + entry(name, value, indent);
        return text.substring(0, at)
                + (trailing ? "" : ",")
                + text.substring(at, lineEnd)
                + own(fresh)
                + text.substring(lineEnd);
    }

    /** Lines end as the file's own do. */
    private String own(String fresh) {
        return text.contains("\r\n") ? fresh.replace("\n", "\r\n") : fresh;
    }

    /** The end of the line where nothing but a comment follows on it, else the position itself. */
    private int pastRemarks(int from) {
        int at = json.pastSpaces(from);
        while (text.startsWith("/*", at)) {
            at = json.pastSpaces(text.indexOf("*/", at) + 2);
        }
        if (text.startsWith("//", at)) {
            int end = text.indexOf('\n', at);
            at = text.charAt(end - 1) == '\r' ? end - 1 : end;
        }
        return json.isLineEnd(at) ? at : from;
    }

    private static String entry(String name, String value, String indent) {
        return "\"" + name + "\": " + indented(value, indent);
    }

    private static String indented(String value, String indent) {
        return value.replace("\n", "\n" + indent);
    }

    /** One step of indentation as this file has it. */
    private String unit() {
        JsonText.Body root = json.root();
        return root.members().isEmpty()
                ? "  "
                : or(indentOf(root.members().getFirst().keyStart()), "  ");
    }

    private static String or(String text, String other) {
        return text.isEmpty() ? other : text;
    }

    private String indentOf(int position) {
        int start = text.lastIndexOf('\n', position) + 1;
        int end = start;
        while (end < position && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(start, end);
    }
}
