package dev.tandem.cli;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Tool;
import dev.tandem.protocol.ToolInput;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Our own sentences name tools and arguments as programs do; at the shell they are commands and
 * flags.
 */
final class Spoken {
    /** A name of several words, or one word that is marked as a name. */
    private static final Pattern NAME =
            Pattern.compile("\\b[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+\\b|(?<=`)[a-z]+(?=`)");

    private Spoken() {}

    static String atTheShell(String sentence) {
        return NAME.matcher(sentence).replaceAll(Spoken::word);
    }

    private static String word(MatchResult found) {
        String name = found.group();
        return Catalogue.load()
                .byName(name)
                .map(Tool::cli)
                .orElseGet(
                        () -> Arguments.ALL.contains(name) ? "--" + ToolInput.kebab(name) : name);
    }

    /** Collected at the first error that needs them. */
    private static final class Arguments {
        private static final Set<String> ALL =
                Catalogue.load().tools().stream()
                        .flatMap(tool -> tool.input().path("properties").propertyNames().stream())
                        .collect(Collectors.toUnmodifiableSet());
    }
}
