package dev.tandem.hub.cli;

import dev.tandem.cli.Following;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Carries what happens to the thread that prints it; those who tell never wait for it. */
final class News implements Following, SessionFeed.Viewer, PermissionDesk.Watcher {
    private static final int MOST = 200_000;
    private static final String END = "end";

    private final BlockingQueue<ObjectNode> pieces = new LinkedBlockingQueue<>();
    private final Predicate<Card> wanted;
    private volatile boolean over;
    private volatile boolean tooSlow;
    private volatile @Nullable AutoCloseable source;

    private News(Predicate<Card> wanted) {
        this.wanted = wanted;
    }

    /** For one command line: what it may read, until its launcher is gone. */
    static News to(LauncherInput reader, Rights rights) {
        reader.watch();
        News news = new News(card -> rights.mayRead(card.key()));
        var _ = reader.gone().thenRun(news::end);
        return news;
    }

    News from(AutoCloseable whereFrom) {
        this.source = whereFrom;
        return this;
    }

    /** Nobody reads any more. */
    void end() {
        pieces.add(Json.object().put("type", END));
    }

    @Override
    public Optional<ObjectNode> next(Duration atMost) {
        if (tooSlow) {
            throw new TandemException(
                    ErrorCode.EXECUTION_FAILED,
                    "The output could not be printed as fast as it came. Watch again to go on.");
        }
        try {
            ObjectNode piece = pieces.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
            if (piece != null && piece.path("type").asString("").equals(END)) {
                over = true;
                return Optional.empty();
            }
            return Optional.ofNullable(piece);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            over = true;
            return Optional.empty();
        }
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public void close() {
        AutoCloseable watch = source;
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(ObjectNode piece) {
        if (pieces.size() >= MOST) {
            tooSlow = true;
        } else {
            pieces.add(piece);
        }
    }

    @Override
    public void onEntry(Entry entry) {
        ObjectNode piece = Json.object().put("type", "entry").put("seq", entry.seq());
        piece.put("kind", entry.kind().word()).put("at", entry.createdAt());
        add(piece.set("body", entry.body()));
    }

    @Override
    public void onDelta(SessionFeed.Delta delta) {
        ObjectNode piece = Json.object().put("type", "delta").put("block", delta.block());
        add(piece.set("update", delta.update()));
    }

    @Override
    public void onEnd() {
        end();
    }

    @Override
    public void onCard(Card card) {
        if (wanted.test(card)) {
            add(Json.object().put("type", "card").set("card", card.toJson()));
        }
    }

    @Override
    public void onResolved(Card card, Outcome outcome) {
        if (wanted.test(card)) {
            ObjectNode piece = Json.object().put("type", "resolved");
            piece.put("requestId", card.requestId()).put("outcome", outcome.kind().word());
            add(piece.put("optionId", outcome.optionId()).put("by", outcome.by()));
        }
    }
}
