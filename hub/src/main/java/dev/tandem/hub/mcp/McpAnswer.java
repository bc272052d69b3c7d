package dev.tandem.hub.mcp;

import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to one call: plain JSON when it is quick and silent, a stream of events when it takes
 * longer or reports progress.
 */
final class McpAnswer {
    private static final long QUICK_MS = 2000;
    private static final long NOTICE_MS = 1000;
    private static final long ALIVE_MS = 5000;

    private final Exchange exchange;
    private final Era era;
    private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();
    private final McpProgress progress;
    private final Watch watch;

    /** One message on its way; the last one has the status it would have alone. */
    private record Message(int status, ObjectNode body, boolean last) {}

    McpAnswer(Exchange exchange, Era era, JsonNode message) {
        this.exchange = exchange;
        this.era = era;
        this.progress =
                new McpProgress(message, note -> messages.add(new Message(200, note, false)));
        this.watch = progress.watch();
    }

    Watch watch() {
        return watch;
    }

    /** Runs the work on a thread of its own and writes what it says until it ends. */
    void write(Function<Watch, McpMessages.Reply> work) throws IOException {
        Thread.startVirtualThread(() -> {
            McpMessages.Reply reply = work.apply(watch);
            messages.add(new Message(reply.status(), reply.body(), true));
        });
        Message first = next(QUICK_MS);
        if (first != null && first.last()) {
            exchange.respond(first.status(), first.body());
            return;
        }
        try (EventStream stream = exchange.events()) {
            Message message = first;
            long told = System.nanoTime();
            while (message == null || !message.last()) {
                if (message != null) {
                    stream.send("", "message", Json.write(message.body()));
                    told = System.nanoTime();
                } else if (progress.wanted() && since(told) >= ALIVE_MS) {
                    progress.waiting("Working");
                } else {
                    stream.comment("working");
                }
                message = next(pause());
            }
            stream.send("", "message", Json.write(message.body()));
        } catch (IOException e) {
            // In the stateless era a client that hangs up wants the call to stop.
            if (era == Era.MODERN) {
                watch.cancel();
            }
            throw e;
        }
    }

    /** In the stateless era a hang-up must be noticed; whoever counts on progress must see some. */
    private long pause() {
        long comment = Limits.of("mcpCommentMs");
        return era == Era.MODERN
                ? NOTICE_MS
                : progress.wanted() ? Math.min(ALIVE_MS, comment) : comment;
    }

    private static long since(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    private @Nullable Message next(long millis) {
        try {
            return messages.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            watch.cancel();
            return null;
        }
    }
}
