package dev.tandem.terminal;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The colours and attributes that new text would get. Not thread-safe. */
final class Graphics {
    private static final int FOREGROUND = 38;
    private static final int BACKGROUND = 48;
    private static final int UNDERLINE_COLOUR = 58;

    // Keyed by what an attribute replaces, so the map stays as small as the number of attributes.
    private final Map<Integer, String> set = new TreeMap<>();

    void apply(String parameters) {
        List<String> parts = List.of(parameters.split(";", -1));
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            int code = number(part);
            if ((code == FOREGROUND || code == BACKGROUND || code == UNDERLINE_COLOUR)
                    && part.indexOf(':') < 0) {
                int length = i + 1 < parts.size() && parts.get(i + 1).equals("2") ? 5 : 3;
                int end = Math.min(parts.size(), i + length);
                set.put(code, String.join(";", parts.subList(i, end)));
                i = end - 1;
            } else {
                one(code, part);
            }
        }
    }

    /** The parameters that set all of it, as a sequence body, or empty when nothing is set. */
    String sgr() {
        return set.isEmpty() ? "" : String.join(";", set.values()) + "m";
    }

    private void one(int code, String part) {
        switch (code) {
            case 0 -> set.clear();
            case 1, 2, 3, 4, 5, 7, 8, 9, 53, FOREGROUND, BACKGROUND, UNDERLINE_COLOUR ->
                    set.put(code, part);
            case 21 -> set.put(4, part);
            case 22 -> {
                set.remove(1);
                set.remove(2);
            }
            case 23, 24, 25, 27, 28, 29 -> set.remove(code - 20);
            case 39, 49, 59 -> set.remove(code - 1);
            case 55 -> set.remove(53);
            default -> {
                if (within(code, 30) || within(code, 90)) {
                    set.put(FOREGROUND, part);
                } else if (within(code, 40) || within(code, 100)) {
                    set.put(BACKGROUND, part);
                }
            }
        }
    }

    private static boolean within(int code, int first) {
        return code >= first && code < first + 8;
    }

    private static int number(String part) {
        int end = 0;
        while (end < part.length() && end < 4 && Character.isDigit(part.charAt(end))) {
            end++;
        }
        return end == 0 ? 0 : Integer.parseInt(part.substring(0, end));
    }
}
