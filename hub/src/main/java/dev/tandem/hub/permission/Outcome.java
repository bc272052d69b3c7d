package dev.tandem.hub.permission;

import java.util.Locale;

/**
 * How an ask ended.
 *
 * @param optionId the chosen option; empty when nobody chose
 * @param by who decided: a person's surface, "rule", "mode", "grant", "cancel", "timeout"
 * @param reason for refusals: words for the one who asked
 */
public record Outcome(Kind kind, String optionId, String by, String reason) {

    /** A timeout is not a refusal, and a cancelled turn is neither. */
    public enum Kind {
        ALLOWED,
        REFUSED,
        TIMED_OUT,
        CANCELLED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public boolean allowed() {
        return kind == Kind.ALLOWED;
    }

    static Outcome allowed(String by) {
        return new Outcome(Kind.ALLOWED, "", by, "");
    }

    static Outcome refused(String by, String reason) {
        return new Outcome(Kind.REFUSED, "", by, reason);
    }

    static Outcome cancelled(String by) {
        return new Outcome(Kind.CANCELLED, "", by, "The request was cancelled.");
    }
}
