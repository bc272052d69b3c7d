package dev.tandem.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/** Asks the person in front of a terminal about one card. */
final class Cards {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Keys that were struck before anybody could read the card are not an answer to it. */
    private static final long READING_NANOS = Duration.ofMillis(700).toNanos();

    private final Command.Context context;

    Cards(Command.Context context) {
        this.context = context;
    }

    /** How asking ended. */
    enum End {
        ANSWERED,
        ELSEWHERE,
        LEFT
    }

    /** A person sits there: remarks and keys belong to a terminal, and nobody asked for silence. */
    boolean interactive() {
        Words words = context.words();
        return context.invocation().terminal().asks()
                && context.printer().text()
                && !words.isOn("no-interactive")
                && !words.isOn("no-prompt");
    }

    /** Shows the card and waits for a key, or until {@code gone} says that it was answered. */
    End ask(JsonNode data, BooleanSupplier gone) {
        CardText card = new CardText(data);
        Printer printer = context.printer();
        printer.remark(card.ask(context.columns()).stripTrailing());
        long shownAt = System.nanoTime();
        Optional<String> first = Optional.empty();
        while (!gone.getAsBoolean()) {
            String key = context.invocation().stdin().key(LOOK_AGAIN);
            if (key.equals("eof") || key.equals("q")) {
                return End.LEFT;
            }
            Optional<JsonNode> chosen = card.option(key);
            if (chosen.isEmpty() || System.nanoTime() - shownAt < READING_NANOS) {
                continue;
            }
            if (card.twice(chosen.get()) && !first.equals(Optional.of(key))) {
                first = Optional.of(key);
                printer.remark("  Press " + key + " again to confirm, or another key.");
                continue;
            }
            return answer(card, chosen.get());
        }
        printer.remark("  No longer asked: it was answered elsewhere or taken back.");
        return End.ELSEWHERE;
    }

    private End answer(CardText card, JsonNode option) {
        context.port().cards().answer(card.requestId(), option.path("optionId").asString(""));
        boolean yes = option.path("kind").asString("").startsWith("allow");
        context.printer().remark(yes ? "  Allowed." : "  Refused.");
        return End.ANSWERED;
    }
}
