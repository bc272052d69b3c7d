package dev.tandem.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The text of a JSON file with comments and commas too many: where its members stand. */
final class JsonText {
    private final String text;

    JsonText(String text) {
        this.text = text;
    }

    /** The file is not what it should be; nothing was changed. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    record Member(String name, int keyStart, int valueStart, int valueEnd) {}

    record Body(int open, int close, List<Member> members) {
        Optional<Member> member(String name) {
            return members.stream().filter(one -> one.name.equals(name)).findFirst();
        }
    }

    Body root() {
        Body root = object(blanks(text.startsWith("\ufeff") ? 1 : 0));
        int rest = blanks(root.close + 1);
        if (rest < text.length()) {
            throw malformed(rest, "something follows where it should end");
        }
        return root;
    }

    Body object(int open) {
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
                throw malformed(at, "a comma is missing");
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
                throw malformed(start, "a value is missing");
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
    int blanks(int from) {
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
            throw malformed(position, "there is no " + wanted + " where one belongs");
        }
    }

    private char at(int position) {
        if (position >= text.length()) {
            throw malformed(text.length(), "it ends too early");
        }
        return text.charAt(position);
    }

    private Malformed malformed(int position, String what) {
        long line = text.substring(0, position).chars().filter(c -> c == '\n').count() + 1;
        return new Malformed("In line " + line + " " + what + ".");
    }

    /** How many spaces stand right before a position. */
    int spacesBefore(int position) {
        int start = position;
        while (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t') {
            start--;
        }
        return position - start;
    }

    int pastSpaces(int from) {
        int at = from;
        while (at(at) == ' ' || at(at) == '\t') {
            at++;
        }
        return at;
    }

    boolean isLineEnd(int position) {
        return at(position) == '\n' || text.startsWith("\r\n", position);
    }
}
