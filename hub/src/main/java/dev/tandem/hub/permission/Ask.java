package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.PageElement;
import java.util.List;
import java.util.Set;

/** Who wants what, where; and the answers a person can give, in the order they are shown. */
public record Ask(Who who, What what, Where where, List<Option> options) {
    public Ask {
        options = List.copyOf(options);
    }

    /** The same question, with what it is about. */
    Ask about(PageElement element) {
        What named =
                new What(
                        what.source(),
                        what.tool(),
                        what.names(),
                        what.title(),
                        what.preview(),
                        what.hash(),
                        element);
        return new Ask(who, named, where, options);
    }

    /** Which way a request came. */
    public enum Source {
        /** The agent's own question. */
        AGENT,
        /** A browser tool is about to run. */
        BROWSER,
        /** The agent wants the hub's hands: a file, a command. */
        ACCESS,
        /** The agent wants words of the user: a form or a link. Surfaces draw it their own way. */
        FORM
    }

    /**
     * Who asks.
     *
     * @param kind "acp", "mcp", "ops" or "chat"
     * @param key what the desk remembers by: an agent session's id or a client's key
     */
    public record Who(
            String kind,
            String key,
            String name,
            String project,
            Caller.Mode mode,
            String toolCallId) {}

    /**
     * What is asked for.
     *
     * @param tool the canonical name where it is a tool of ours
     * @param names permission names; all of them must be allowed
     * @param title what a card says, in our words or as a cleaned quotation
     * @param preview arguments for the card, without typed secrets
     * @param hash equal requests have equal hashes
     * @param element what it acts on, in the page's words, cleaned
     */
    public record What(
            Source source,
            String tool,
            Set<String> names,
            String title,
            String preview,
            String hash,
            PageElement element) {
        public What {
            names = Set.copyOf(names);
            element = new PageElement(Quote.of(element.role()), Quote.of(element.name()));
        }

        public What(
                Source source,
                String tool,
                Set<String> names,
                String title,
                String preview,
                String hash) {
            this(source, tool, names, title, preview, hash, PageElement.NONE);
        }
    }

    /** Where it would happen; empty strings where nothing is known or nothing applies. */
    public record Where(String origin, String url, String tab, String document) {
        public static final Where NOWHERE = new Where("", "", "", "");
    }

    /**
     * One answer.
     *
     * @param kind allow_once, allow_always, reject_once or reject_always; agents may have others
     */
    public record Option(String optionId, String kind, String name) {
        boolean allows() {
            return kind.startsWith("allow");
        }
    }
}
