package dev.tandem.hub.annotation;

import java.util.Optional;

/** Where a sent annotation can go: the chat that is open, if exactly one is. */
@FunctionalInterface
public interface Chats {
    /** Hands text to the open chat, as its user's message. */
    Offer offer(String text);

    /**
     * What came of it.
     *
     * @param state delivered, queued or stored_only
     */
    record Offer(String state, Optional<String> reason, Optional<String> chat) {
        public static Offer delivered(String chat, boolean waits) {
            return new Offer(waits ? "queued" : "delivered", Optional.empty(), Optional.of(chat));
        }

        public static Offer none() {
            return new Offer("stored_only", Optional.of("no_active_scope"), Optional.empty());
        }

        public static Offer ambiguous() {
            return new Offer("stored_only", Optional.of("ambiguous_scope"), Optional.empty());
        }
    }
}
