package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Catalogue;
import java.util.Optional;
import java.util.Set;

/**
 * Decides without a person where rules, grants and the mode are enough. Order: deny rules, refused
 * before, sensitive names, single grants, allow rules, mode.
 */
final class Policy {
    /** A dialog sends too: what is answered to a page's prompt is the page's. */
    private static final Set<String> SENDS =
            Set.of("tab_nav:goto", "tab_action:input", "tab_action:upload", "tab_action:dialog");

    /** Titles and addresses of all tabs tell about every site at once. */
    private static final String ALL_TABS = "tab_list:all";

    private final PermissionRules rules;

    Policy(PermissionRules rules) {
        this.rules = rules;
    }

    /** The decision, and the rule that made it. */
    record Verdict(Optional<Outcome> outcome, String ruleId) {
        static final Verdict ASK = new Verdict(Optional.empty(), "");

        static Verdict allow(String by) {
            return new Verdict(Optional.of(Outcome.allowed(by)), "");
        }

        static Verdict refuse(String by, String reason) {
            return new Verdict(Optional.of(Outcome.refused(by, reason)), "");
        }

        Verdict because(Rule rule) {
            return new Verdict(outcome, rule.id());
        }
    }

    Verdict decide(Ask ask, Memory memory, long now) {
        Ask.What what = ask.what();
        String origin = ask.where().origin();
        for (String name : what.names()) {
            Optional<Rule> rule = rules.deciding(ask.who(), name, origin);
            if (rule.isPresent() && !rule.get().allow()) {
                return Verdict.refuse("rule", refusal(ask)).because(rule.get());
            }
        }
        if (memory.paused) {
            return Verdict.refuse("paused", memory.whyPaused(now));
        }
        if (memory.refusedBefore(what.hash(), now)) {
            return Verdict.refuse("refused_before", refusal(ask));
        }
        if (what.source() == Ask.Source.FORM) {
            return Verdict.ASK;
        }
        if (Names.sensitive(what.names())) {
            return granted(ask, memory, now) ? Verdict.allow("grant") : Verdict.ASK;
        }
        if (granted(ask, memory, now)) {
            return Verdict.allow("grant");
        }
        return byRulesAndMode(ask, memory);
    }

    /** Only a yes that a person gave to exactly this call, here, and only once. */
    private static boolean granted(Ask ask, Memory memory, long now) {
        return memory.granted(grantKey(ask), now);
    }

    /** A yes to go somewhere, asked before there was a tab, fits the blank one opened for it. */
    static String grantKey(Ask ask) {
        String document = ask.where().document();
        boolean fresh =
                ask.what().names().contains("tab_nav:goto")
                        && (document.isEmpty() || document.equals("about:blank"));
        String sensitive = Names.sensitive(ask.what().names()) ? "|" + ask.what().names() : "";
        return ask.what().hash()
                + sensitive
                + (fresh ? "" : "|" + ask.where().tab() + "|" + document);
    }

    private Verdict byRulesAndMode(Ask ask, Memory memory) {
        Verdict last = Verdict.allow("mode");
        for (String name : ask.what().names()) {
            Verdict one = byRuleOrMode(ask, name, memory);
            if (one.outcome().isEmpty() || !one.outcome().get().allowed()) {
                return one;
            }
            last = one;
        }
        return last;
    }

    private Verdict byRuleOrMode(Ask ask, String name, Memory memory) {
        String origin = ask.where().origin();
        Optional<Rule> rule = rules.deciding(ask.who(), name, origin);
        boolean readOnly = ask.who().mode() == Caller.Mode.READ_ONLY && !Names.reads(name);
        if (readOnly) {
            return Verdict.refuse("mode", "The session is read-only: " + refusal(ask));
        }
        if (rule.isPresent()) {
            return Verdict.allow("rule").because(rule.get());
        }
        boolean known = memory.sites.contains(origin) && Names.ofPages(name) && !origin.isEmpty();
        if (known || memory.forSession.contains(name + " at " + origin)) {
            return Verdict.allow("session");
        }
        return byMode(ask, name, memory);
    }

    private static Verdict byMode(Ask ask, String name, Memory memory) {
        if (name.equals("file:read")) {
            return Verdict.allow("mode");
        }
        boolean blank =
                (name.equals("tab_nav:open") && ask.where().origin().isEmpty())
                        || (Names.ofPages(name) && ask.where().url().equals("about:blank"));
        if (ask.who().mode() == Caller.Mode.ACT && !blank) {
            return act(ask, name, memory);
        }
        boolean free = Names.reads(name) && memory.readable.contains(readKey(ask, name));
        return blank || free ? Verdict.allow("mode") : Verdict.ASK;
    }

    private static Verdict act(Ask ask, String name, Memory memory) {
        String origin = ask.where().origin();
        if (origin.isEmpty() && !meansAPage(ask, name)) {
            return Verdict.allow("mode");
        }
        if (!memory.fence.contains(origin)) {
            return Verdict.ASK;
        }
        boolean leaks =
                SENDS.contains(name)
                        && memory.read.stream()
                                .anyMatch(from ->
                                        !from.equals(origin)
                                                && !memory.pairs.contains(from + " → " + origin));
        return leaks ? Verdict.ASK : Verdict.allow("mode");
    }

    /**
     * What goes to a page, or happens on one that only a chat's client knows, has no fence to be
     * inside. Of our own tools the browser tells the page itself when they get there.
     */
    private static boolean meansAPage(Ask ask, String name) {
        return name.equals("tab_nav:goto")
                || (Names.ofPages(name) && Catalogue.load().byName(ask.what().tool()).isEmpty());
    }

    /** Without an origin a yes to read covers only reads of that name. */
    static String readKey(Ask ask, String name) {
        return ask.where().origin().isEmpty() ? name : ask.where().origin();
    }

    /** What an allowed ask means for later ones. */
    static void remember(Ask ask, Memory memory) {
        String origin = ask.where().origin();
        for (String name : ask.what().names()) {
            if (name.equals(ALL_TABS)) {
                memory.read.add(name);
            } else if (Names.ofPages(name) && Names.reads(name) && !origin.isEmpty()) {
                memory.read.add(origin);
            }
        }
    }

    /** A person's yes to sending something to a place, knowing what was read until now. */
    static void agree(Ask ask, Memory memory) {
        String origin = ask.where().origin();
        if (!origin.isEmpty() && ask.what().names().stream().anyMatch(SENDS::contains)) {
            memory.read.forEach(from -> memory.pairs.add(from + " → " + origin));
        }
    }

    private static String refusal(Ask ask) {
        String where = ask.where().origin().isEmpty() ? "" : " on " + ask.where().origin();
        String what = ask.what().tool().isEmpty() ? "this" : ask.what().tool();
        return "Permission denied for " + what + where + ".";
    }
}
