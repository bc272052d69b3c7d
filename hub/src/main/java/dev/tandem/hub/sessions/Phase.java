package dev.tandem.hub.sessions;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Where a session is in its life. */
public enum Phase {
    NONE(""),
    PENDING("Pending"),
    CREATING("Creating"),
    RUNNING("Running"),
    STOPPING("Stopping"),
    STOPPED("Stopped"),
    COMPLETED("Completed"),
    FAILED("Failed");

    private static final Set<Phase> STARTABLE = EnumSet.of(NONE, STOPPED, FAILED, COMPLETED);
    private static final Set<Phase> STOPPABLE = EnumSet.of(PENDING, CREATING, RUNNING);

    private final String word;

    Phase(String word) {
        this.word = word;
    }

    /** The word on the wire; empty for a session that was never started. */
    public String word() {
        return word;
    }

    public boolean canStart() {
        return STARTABLE.contains(this);
    }

    public boolean canStop() {
        return STOPPABLE.contains(this);
    }

    /** True while a process belongs to the session or is about to. */
    public boolean live() {
        return canStop() || this == STOPPING;
    }

    /** Whether the session may go from here to there; everything else is refused. */
    public boolean leadsTo(Phase next) {
        return switch (this) {
            case NONE, STOPPED, FAILED, COMPLETED -> next == PENDING;
            case PENDING -> next == CREATING || next == STOPPING || next == FAILED;
            case CREATING -> next == RUNNING || next == STOPPING || next == FAILED;
            case RUNNING -> next == STOPPING || next == COMPLETED || next == FAILED;
            case STOPPING -> next == STOPPED;
        };
    }

    public static Optional<Phase> of(String word) {
        for (Phase phase : values()) {
            if (phase.word.equals(word)) {
                return Optional.of(phase);
            }
        }
        return Optional.empty();
    }
}
