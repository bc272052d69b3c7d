package dev.tandem.cli;

import java.util.List;

/**
 * One thing that a command line may say.
 *
 * @param name without dashes
 * @param argument the key under which its value is kept
 * @param shape how many words it takes
 * @param about for the help
 */
record Flag(String name, String argument, Shape shape, String about) {
    enum Shape {
        SWITCH,
        VALUE,
        LIST
    }

    static Flag value(String name, String about) {
        return new Flag(name, name, Shape.VALUE, about);
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
                    value("output-format", "text (default), json or stream-json"),
                    toggle("json", "the same as --output-format json"),
                    toggle("quiet", "print nothing but errors"),
                    toggle("no-interactive", "never ask"),
                    toggle("no-prompt", "the same as --no-interactive"),
                    value("transport", "relay"),
                    toggle("help", "show this help"));
}
