package dev.tandem.agent;

import java.util.Locale;
import java.util.regex.Pattern;

/** What the guide can do, recognised by plain words in English and French. */
enum Skill {
    COMPARE("\\b(compare|difference|differences|versus|comparer?|différences?)\\b"),
    SCREENSHOT("\\b(screenshot|screen shot|picture|photo|capture)\\b"),
    FILL("\\b(fill|form|fill in|remplis|remplir|formulaire)\\b"),
    TABS("\\b(tabs|which tabs|open tabs|onglets)\\b"),
    FIND("\\b(find|search|where|look for|locate|cherche|trouve|où)\\b"),
    READ(
            "\\b(read|outline|summar\\w*|headings|contents?|overview|this page|the page|lis|résum\\w*"
                    + "|plan|cette page|la page)\\b"),
    EXPLAIN(
            "\\b(tandem|help|hello|hi|who are you|what can you|how do|permission|model|agent|aide"
                    + "|bonjour|qui es-tu)\\b"),
    NONE("(?!)");

    private final Pattern words;

    Skill(String words) {
        this.words = Pattern.compile(words, Pattern.UNICODE_CHARACTER_CLASS);
    }

    /** The first that fits, in the order above: the more particular ones come first. */
    static Skill of(String prompt) {
        String text = prompt.toLowerCase(Locale.ROOT);
        for (Skill skill : values()) {
            if (skill.words.matcher(text).find()) {
                return skill;
            }
        }
        return NONE;
    }
}
