package dev.tandem.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes one member of a JSON file and leaves every other byte as it is: order, indentation,
 * comments, trailing commas.
 */
final class JsonEdit {
    private final String text;

    private JsonEdit(String text) {
        this.text = text;
    }

    /** The file is not what it should be; nothing was changed. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    private record Member(String name, int keyStart, int valueStart, int valueEnd) {}

    private record Body(int open, int close, List<Member> members) {
        Optional<Member> member(String name) {
            return members.stream().filter(one -> one.name.equals(name)).findFirst();
        }
    }

    /** The text of the value at {@code section.name}. */
    static Optional<String> get(String text, String section, String name) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        JsonEdit edit = new JsonEdit(text);
        return edit.root()
                .member(section)
                .flatMap(holder -> edit.object(holder.valueStart).member(name))
                .map(found -> text.substring(found.valueStart, found.valueEnd));
    }

    /** Sets {@code section.name}; {@code value} is JSON indented by two spaces a level. */
    static String put(String text, String section, String name, String value) {
        if (text.isBlank()) {
            return "{\n  \"" + section + "\": {\n    " + entry(name, value, "    ") + "\n  }\n}\n";
        }
        JsonEdit edit = new JsonEdit(text);
        Body root = edit.root();
        Optional<Member> holder = root.member(section);
        if (holder.isEmpty()) {
            String inner = "{\n  " + entry(name, value, "  ") + "\n}";
            return edit.insert(root, section, inner);
        }
        Body body = edit.object(holder.get().valueStart);
        Optional<Member> old = body.member(name);
        if (old.isPresent()) {
            String indent = edit.indentOf(old.get().keyStart);
            return text.substring(0, old.get().valueStart)
                    + indented(value, indent)
                    + text.substring(old.get().valueEnd);
        }
        return edit.insert(body, name, value);
    }

    /** Takes {@code section.name} out; the same text when it is not there. */
    static String remove(String text, String section, String name) {
        if (get(text, section, name).isEmpty()) {
            return text;
        }
        JsonEdit edit = new JsonEdit(text);
        Body body = edit.object(edit.root().member(section).orElseThrow().valueStart);
        List<Member> members = body.members;
        Member gone = body.member(name).orElseThrow();
        int index = members.indexOf(gone);
        if (members.size() == 1) {
            return text.substring(0, body.open + 1) + text.substring(body.close);
        }
        if (index + 1 < members.size()) {
            return text.substring(0, gone.keyStart)
                    + text.substring(members.get(index + 1).keyStart);
        }
        return text.substring(0, members.get(index - 1).valueEnd) + text.substring(gone.valueEnd);
    }

    private String insert(Body body, String name, String value) {
        if (body.members.isEmpty()) {
            String outer = indentOf(body.open);
            String inner = outer + unit();
            return text.substring(0, body.open + 1)
                    + text.substring(body.open + 1, body.close).stripTrailing()
                    + "\n"
                    + inner
                    + entry(name, value, inner)
                    + "\n"
                    + outer
                    + text.substring(body.close);
        }
        Member last = body.members.getLast();
        int comma = blanks(last.valueEnd);
        boolean trailing = text.charAt(comma) == ',';
        int at = trailing ? comma + 1 : last.valueEnd;
        boolean oneLine = text.lastIndexOf('\n', body.members.getFirst().keyStart) < body.open;
        String indent = indentOf(last.keyStart);
        String gap = oneLine ? " " : "\n" + indent;
        return text.substring(0, at)
                + (trailing ? "" : ",")
                + gap
                + entry(name, value, oneLine ? "" : indent)
                + text.substring(at);
    }

    private static String entry(String name, String value, String indent) {
        return "\"" + name + "\": " + indented(value, indent);
    }

    private static String indented(String value, String indent) {
        return value.replace("\n", "\n" + indent);
    }

    /** One step of indentation as this file has it. */
    private String unit() {
        Body root = root();
        return root.members.isEmpty() ? "  " : or(indentOf(root.members.getFirst().keyStart), "  ");
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

    private Body root() {
        return object(blanks(text.startsWith("\ufeff") ? 1 : 0));
    }

    private Body object(int open) {
        expect(open, '{');
        List<Member> members = new ArrayList<>();
        int at = blanks(open + 1);
        while (at(at) != '}') {
            int keyEnd = string(at);
            int colon = blanks(keyEnd);
            expect(colon, ':');
            int valueStart = blanks(colon + 1);
            int valueEnd = value(valueStart);
            String key = text.substring(at + 1, keyEnd - 1);
            members.add(new Member(key, at, valueStart, valueEnd));
            at = blanks(valueEnd);
            if (at(at) == ',') {
                at = blanks(at + 1);
            } else if (at(at) != '}') {
                throw new Malformed("A comma is missing.");
            }
        }
        return new Body(open, at, members);
    }

    private int value(int start) {
        char c = at(start);
        if (c == '"') {
            return string(start);
        }
        if (c != '{' && c != '[') {
            int end = start;
            while (end < text.length() && ",]} \t\r\n/".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            if (end == start) {
                throw new Malformed("A value is missing.");
            }
            return end;
        }
        int depth = 0;
        int i = start;
        do {
            char next = at(i);
            if (next == '"') {
                i = string(i);
                continue;
            }
            if (next == '{' || next == '[') {
                depth++;
            } else if (next == '}' || next == ']') {
                depth--;
            }
            i = depth == 0 ? i + 1 : blanks(i + 1);
        } while (depth > 0);
        return i;
    }

    private int string(int start) {
        expect(start, '"');
        int i = start + 1;
        while (at(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return i + 1;
    }

    /** The next position that is neither a blank nor part of a comment. */
    private int blanks(int from) {
        int i = from;
        while (i < text.length()) {
            if (text.startsWith("//", i)) {
                int end = text.indexOf('\n', i);
                i = end < 0 ? text.length() : end;
            } else if (text.startsWith("/*", i)) {
                int end = text.indexOf("*/", i);
                i = end < 0 ? text.length() : end + 2;
            } else if (Character.isWhitespace(text.charAt(i))) {
                i++;
            } else {
                return i;
            }
        }
        return i;
    }

    private void expect(int position, char wanted) {
        if (at(position) != wanted) {
            throw new Malformed("There is no " + wanted + " where one belongs.");
        }
    }

    private char at(int position) {
        if (position >= text.length()) {
            throw new Malformed("It ends too early.");
        }
        return text.charAt(position);
    }
}
