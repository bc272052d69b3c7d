package dev.tandem.hub.auth;

/** What a credential is; routes.json says which kinds open which door. */
public enum TokenKind {
    NONE,
    HUB,
    EXTENSION,
    DEVICE,
    CLIENT,
    SESSION,
    VIEW,
    PICKER;

    /** The word used in routes.json. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
