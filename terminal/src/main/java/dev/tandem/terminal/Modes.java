package dev.tandem.terminal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a terminal's output has switched on so far, and the sequences that switch it on again in a
 * fresh emulator. Not thread-safe.
 */
final class Modes implements VtScanner.Sink {
    private static final int MOST_MODES = 64;
    private static final int MOST_KEYBOARDS = 16;
    private static final int LONGEST_TITLE = 256;
    private static final int BRACKETED_PASTE = 2004;

    private final VtScanner scanner = new VtScanner(this);
    private final Map<Integer, Boolean> dec = new TreeMap<>();
    private final Map<Character, Character> charsets = new TreeMap<>();
    private final Deque<String> keyboards = new ArrayDeque<>();
    private final Graphics graphics = new Graphics();
    private boolean insert;
    private boolean keypad;
    private boolean shifted;
    private String region = "";
    private String cursorStyle = "";
    private String otherKeys = "";
    private String title = "";

    /** True when there was nothing but text, which changes nothing. */
    boolean scan(byte[] bytes, int from, int to) {
        return scanner.scan(bytes, from, to);
    }

    boolean atBoundary() {
        return scanner.atBoundary();
    }

    String title() {
        return title;
    }

    boolean bracketedPaste() {
        return dec.getOrDefault(BRACKETED_PASTE, false);
    }

    boolean alternateScreen() {
        return dec.getOrDefault(1049, false)
                || dec.getOrDefault(1047, false)
                || dec.getOrDefault(47, false);
    }

    /** Brings a freshly reset emulator into this state; draws nothing. */
    String prelude() {
        StringBuilder out = new StringBuilder("\u001b[!p");
        if (!title.isEmpty()) {
            out.append("\u001b]2;").append(title).append("\u001b\\");
        }
        if (alternateScreen()) {
            out.append("\u001b[?1049h");
        }
        dec.forEach((mode, on) -> restore(out, mode, on));
        charsets.forEach((slot, set) -> out.append('\u001b').append(slot).append(set));
        keyboards.descendingIterator().forEachRemaining(k -> csi(out, ">" + k + "u"));
        csi(out, region);
        csi(out, cursorStyle);
        csi(out, otherKeys);
        csi(out, insert ? "4h" : "");
        csi(out, graphics.sgr());
        if (keypad) {
            out.append("\u001b=");
        }
        if (shifted) {
            out.append('\u000e');
        }
        return out.toString();
    }

    private static void restore(StringBuilder out, int mode, boolean on) {
        boolean screen = mode == 47 || mode == 1047 || mode == 1048 || mode == 1049;
        boolean normallyOn = mode == 7 || mode == 25;
        if (!screen && on != normallyOn) {
            csi(out, "?" + mode + (on ? "h" : "l"));
        }
    }

    private static void csi(StringBuilder out, String body) {
        if (!body.isEmpty()) {
            out.append("\u001b[").append(body);
        }
    }

    @Override
    public void csi(String body, char last) {
        switch (last) {
            case 'h', 'l' -> mode(body, last == 'h');
            case 'r' -> {
                if (body.isEmpty() || Character.isDigit(body.charAt(0)) || body.startsWith(";")) {
                    region = body.isEmpty() ? "" : body + "r";
                }
            }
            case 'm' -> {
                if (body.startsWith(">")) {
                    otherKeys = body + "m";
                } else if (!body.startsWith("?")) {
                    graphics.apply(body);
                }
            }
            case 'q' -> cursorStyle = body.endsWith(" ") ? body + "q" : cursorStyle;
            case 'p' -> {
                if (body.equals("!")) {
                    softReset();
                }
            }
            case 'u' -> keyboard(body);
            default -> {}
        }
    }

    private void mode(String body, boolean on) {
        if (!body.startsWith("?")) {
            insert = body.equals("4") ? on : insert;
            return;
        }
        for (String number : body.substring(1).split(";", -1)) {
            if (!number.isEmpty()
                    && number.length() < 6
                    && number.chars().allMatch(Character::isDigit)) {
                int mode = Integer.parseInt(number);
                if (dec.containsKey(mode) || dec.size() < MOST_MODES) {
                    dec.put(mode, on);
                }
            }
        }
    }

    private void keyboard(String body) {
        if (body.startsWith(">") && keyboards.size() < MOST_KEYBOARDS) {
            keyboards.push(body.substring(1));
        } else if (body.startsWith("<")) {
            keyboards.poll();
        }
    }

    @Override
    public void escape(String body, char last) {
        if (body.length() == 1 && "()*+".indexOf(body.charAt(0)) >= 0) {
            charsets.put(body.charAt(0), last);
        } else if (body.isEmpty() && (last == '=' || last == '>')) {
            keypad = last == '=';
        } else if (body.isEmpty() && last == 'c') {
            softReset();
            dec.clear();
            keyboards.clear();
            title = "";
        }
    }

    private void softReset() {
        insert = false;
        keypad = false;
        shifted = false;
        region = "";
        cursorStyle = "";
        otherKeys = "";
        charsets.clear();
        graphics.apply("");
        dec.remove(1);
        dec.remove(6);
        dec.remove(7);
        dec.remove(25);
    }

    @Override
    public void osc(String text) {
        if (text.startsWith("0;") || text.startsWith("2;")) {
            StringBuilder clean = new StringBuilder();
            text.substring(2)
                    .codePoints()
                    .filter(c ->
                            !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
                    .limit(LONGEST_TITLE)
                    .forEach(clean::appendCodePoint);
            title = clean.toString();
        }
    }

    @Override
    public void shift(boolean out) {
        shifted = out;
    }
}
