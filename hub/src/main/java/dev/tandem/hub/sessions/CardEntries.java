package dev.tandem.hub.sessions;

import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** Writes the cards of a session and their answers into its log. */
final class CardEntries implements PermissionDesk.Watcher {
    private static final String NEWS = "permission";

    private final SessionStore store;
    private final SessionLog log;
    private final Consumer<String> interrupt;

    CardEntries(SessionStore store, SessionLog log, Consumer<String> interrupt) {
        this.store = store;
        this.log = log;
        this.interrupt = interrupt;
    }

    @Override
    public void onCard(Card card) {
        ObjectNode body = Json.object().put("requestId", card.requestId());
        body.put("state", "requested").set("card", card.toJson());
        append(card.key(), Entry.Kind.PERMISSION, body);
    }

    @Override
    public void onResolved(Card card, Outcome outcome) {
        ObjectNode body = Json.object().put("requestId", card.requestId());
        body.put("state", "resolved").put("outcome", outcome.kind().word());
        body.put("optionId", outcome.optionId()).put("by", outcome.by());
        append(card.key(), Entry.Kind.PERMISSION, body);
    }

    @Override
    public void onPause(String key) {
        ObjectNode body = Json.object().put("event", "paused");
        body.putObject("value")
                .put("message", "Paused after three refusals. Send a message to go on.");
        append(key, Entry.Kind.SYSTEM, body);
        if (store.session(key).isPresent()) {
            interrupt.accept(key);
        }
    }

    /** Cards of clients without a session have no log. */
    private void append(String key, Entry.Kind kind, ObjectNode body) {
        if (store.session(key).isEmpty()) {
            return;
        }
        try {
            log.append(key, kind, body);
        } catch (TandemException e) {
            if (e.code() != ErrorCode.STORE_FULL || kind != Entry.Kind.PERMISSION) {
                throw e;
            }
            // A person can answer although nothing can be stored: those who look are told at once.
            log.feed(key).publish(body.put("sessionUpdate", NEWS));
        }
    }
}
