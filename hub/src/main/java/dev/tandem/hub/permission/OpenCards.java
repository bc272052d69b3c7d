package dev.tandem.hub.permission;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests that a person looks at now, and which were answered lately. Not thread-safe: its
 * desk's lock guards it.
 */
final class OpenCards {
    private static final int RESOLVED_KEPT = 1_000;

    private final Map<String, Shown> shown = new LinkedHashMap<>();
    private final Map<String, Outcome> resolved =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Outcome> eldest) {
                    return size() > RESOLVED_KEPT;
                }
            };

    private record Shown(Pending pending, Card card) {}

    void show(Pending pending, Card card) {
        shown.put(pending.requestId, new Shown(pending, card));
    }

    Optional<Card> remove(String requestId) {
        return Optional.ofNullable(shown.remove(requestId)).map(Shown::card);
    }

    Optional<Card> card(String requestId) {
        return Optional.ofNullable(shown.get(requestId)).map(Shown::card);
    }

    Optional<Pending> find(String requestId) {
        return Optional.ofNullable(shown.get(requestId)).map(Shown::pending);
    }

    /** The request that is to be answered; says whether somebody was faster. */
    Pending required(String requestId) {
        return find(requestId)
                .orElseThrow(() ->
                        resolved.containsKey(requestId)
                                ? new TandemException(
                                        ErrorCode.CONFLICT,
                                        "This request was answered already.",
                                        "already_resolved")
                                : new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no such permission request."));
    }

    /** Those of one requester, oldest first. */
    List<Pending> of(String key) {
        return shown.values().stream()
                .map(Shown::pending)
                .filter(one -> one.key().equals(key))
                .toList();
    }

    /** Forms are drawn by those who asked them. */
    List<Card> cards() {
        return shown.values().stream()
                .map(Shown::card)
                .filter(card -> card.ask().what().source() != Ask.Source.FORM)
                .toList();
    }

    void resolved(String requestId, Outcome outcome) {
        resolved.put(requestId, outcome);
    }
}
