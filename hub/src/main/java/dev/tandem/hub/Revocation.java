package dev.tandem.hub;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.web.WebServer;
import java.util.Optional;
import java.util.function.Predicate;

/** A program whose token ended has nothing left: no card, no rule, no tab, no socket. */
record Revocation(PermissionDesk desk, ToolRunner tools, WebServer web) {
    void of(String tokenId) {
        String key = "client:" + tokenId;
        desk.forget(key);
        desk.rules().removeFor(key);
        Caller gone =
                new Caller(
                        TokenKind.CLIENT,
                        tokenId,
                        "a revoked token",
                        "none",
                        Caller.Mode.READ_ONLY,
                        Optional.empty());
        Thread.startVirtualThread(() -> {
            web.dismiss(TokenKind.CLIENT, tokenId, "Token revoked");
            tools.endSessions(gone);
        });
    }

    /** Browsers and devices share the ids of their pairings. */
    static Predicate<Caller> paired(String id) {
        return caller ->
                (caller.kind() == TokenKind.EXTENSION || caller.kind() == TokenKind.DEVICE)
                        && caller.id().equals(id);
    }
}
