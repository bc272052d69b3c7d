package dev.tandem.hub.permission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The answers of our own cards. Their ids are the decision words; deny is reject's other name. */
final class Options {
    static final String SESSION = "allow_session";
    static final String SITE = "allow_site";
    static final String ALWAYS = "allow_always";
    static final String DOMAIN = "allow_domain";
    static final String NEVER = "reject_always";

    private static final Map<String, String> NAMES =
            Map.of(
                    "allow_once",
                    "Allow once",
                    ALWAYS,
                    "Always allow",
                    "reject_once",
                    "Reject",
                    NEVER,
                    "Always reject");

    private Options() {}

    static List<Ask.Option> of(Collection<String> names, String origin) {
        List<Ask.Option> options = new ArrayList<>();
        options.add(new Ask.Option("allow_once", "allow_once", "Allow once"));
        if (!Names.sensitive(names)) {
            options.add(new Ask.Option(SESSION, ALWAYS, "Allow for this session"));
            if (!origin.isEmpty()) {
                options.add(new Ask.Option(SITE, ALWAYS, "Allow on this site in this session"));
            }
            options.add(new Ask.Option(ALWAYS, ALWAYS, "Always allow"));
            Patterns.domainOf(origin)
                    .ifPresent(domain ->
                            options.add(
                                    new Ask.Option(DOMAIN, ALWAYS, "Always allow on " + domain)));
        }
        options.add(new Ask.Option("reject_once", "reject_once", "Reject"));
        options.add(new Ask.Option(NEVER, NEVER, "Always reject"));
        return options;
    }

    /** What a button says: by its kind where the call is ours, else the agent's cleaned words. */
    static String label(String kind, String agentsWords, boolean ours) {
        String fixed = NAMES.getOrDefault(kind, "");
        String quoted = Quote.of(agentsWords);
        return fixed.isEmpty() ? quoted : ours || quoted.isEmpty() ? fixed : quoted;
    }

    static String canonical(String optionId) {
        return optionId.startsWith("deny_") ? "reject_" + optionId.substring(5) : optionId;
    }
}
