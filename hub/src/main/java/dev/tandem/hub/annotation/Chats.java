package dev.tandem.hub.annotation;

import java.util.Optional;

/** Where a sent annotation can go: the chat that was named, else the one that is open. */
@FunctionalInterface
public interface Chats {
    /**
     * Hands text to a chat, as its user's message.
     *
     * @param chat the session the person named, or empty for the only one that is open
     */
    Offer offer(String text, Optional<String> chat);

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
