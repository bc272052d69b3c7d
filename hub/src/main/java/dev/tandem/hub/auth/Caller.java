package dev.tandem.hub.auth;

import java.util.Optional;

/**
 * Who stands behind a request, proven by a credential.
 *
 * @param kind what the credential is
 * @param id stable, not secret: the same credential has the same id at every connection
 * @param name what people call this caller
 * @param profile the tools it may list and call
 * @param mode whether its browser tools run, ask first, or only read
 * @param session the agent session it is bound to, if any
 */
public record Caller(
        TokenKind kind,
        String id,
        String name,
        String profile,
        Mode mode,
        Optional<String> session) {

    /** How much a caller may do without asking. */
    public enum Mode {
        READ_ONLY,
        ASK,
        ACT;

        public String word() {
            return this == READ_ONLY ? "read-only" : name().toLowerCase(java.util.Locale.ROOT);
        }

        public static Optional<Mode> of(String word) {
            return switch (word) {
                case "read-only" -> Optional.of(READ_ONLY);
                case "ask" -> Optional.of(ASK);
                case "act" -> Optional.of(ACT);
                default -> Optional.empty();
            };
        }
    }

    /** Someone who proved nothing. */
    public static final Caller NOBODY =
            new Caller(
                    TokenKind.NONE, "nobody", "nobody", "none", Mode.READ_ONLY, Optional.empty());

    /** The person who owns this hub, by the token in the state dir. */
    public static final Caller USER =
            new Caller(TokenKind.HUB, "user", "you", "all", Mode.ACT, Optional.empty());

    public static Caller extension(String sessionId, String deviceName) {
        return new Caller(
                TokenKind.EXTENSION, sessionId, deviceName, "all", Mode.ACT, Optional.empty());
    }

    /**
     * A web page on some device: it chats and answers, and reaches no browser, tool or terminal.
     */
    public static Caller device(String sessionId, String deviceName) {
        return new Caller(
                TokenKind.DEVICE, sessionId, deviceName, "none", Mode.READ_ONLY, Optional.empty());
    }

    public boolean proven() {
        return kind != TokenKind.NONE;
    }
}
