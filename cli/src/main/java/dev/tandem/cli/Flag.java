package dev.tandem.cli;

import java.util.List;

/**
 * One thing that a command line may say.
 *
 * @param name without dashes
 * @param argument the key under which its value is kept
 * @param shape how many words it takes
 * @param about for the help
 * @param values the words it may be followed by, where they are few
 * @param piped whether a lone dash means what stands on standard input
 */
record Flag(
        String name,
        String argument,
        Shape shape,
        String about,
        List<String> values,
        boolean piped) {
    Flag(String name, String argument, Shape shape, String about) {
        this(name, argument, shape, about, List.of(), false);
    }

    enum Shape {
        SWITCH,
        VALUE,
        LIST,
        /** A list whose flag takes several values between commas. */
        COMMAS;

        boolean isMany() {
            return this == LIST || this == COMMAS;
        }
    }

    static Flag value(String name, String about) {
        return new Flag(name, name, Shape.VALUE, about);
    }

    /** With a choice between few words; {@code about} says more than the words do. */
    static Flag choice(String name, String about, String... values) {
        return new Flag(name, name, Shape.VALUE, about, List.of(values), false);
    }

    /** The same, of which a lone dash means standard input. */
    Flag orPiped() {
        return new Flag(name, argument, shape, about, values, true);
    }

    static Flag toggle(String name, String about) {
        return new Flag(name, name, Shape.SWITCH, about);
    }

    String dashed() {
        return "--" + name;
    }

    /** What every command takes. */
    static final List<Flag> GLOBAL =
            List.of(
                    choice(
                            "output-format",
                            "text (default), json or stream-json",
                            "text",
                            "json",
                            "stream-json"),
                    toggle("json", "the same as --output-format json"),
                    toggle("quiet", "print nothing but errors"),
                    toggle("no-interactive", "never ask"),
                    toggle("no-prompt", "the same as --no-interactive"),
                    value("transport", "relay"),
                    toggle("help", "show this help"));
}
