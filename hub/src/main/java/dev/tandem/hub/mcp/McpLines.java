package dev.tandem.hub.mcp;

import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.LineReader;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A client that speaks as on standard input and output: a line is a message, and one request
 * carries all of them, both ways, for as long as the client lives. Calls run side by side.
 */
final class McpLines {
    private static final String TYPE = "application/x-ndjson";
    private static final Duration ALIVE = Duration.ofSeconds(5);

    private final McpMessages messages;
    private final McpPace pace;
    private final AtomicLong clients = new AtomicLong();

    McpLines(McpMessages messages, McpPace pace) {
        this.messages = messages;
        this.pace = pace;
    }

    static boolean wanted(Exchange exchange) {
        return exchange.method().equals("POST")
                && exchange.header("Content-Type")
                        .map(type -> type.strip().toLowerCase(Locale.ROOT))
                        .filter(type -> type.startsWith(TYPE))
                        .isPresent();
    }

    /** Serves until the client has said its last and has all its answers. */
    void serve(Exchange exchange) throws IOException {
        exchange.patient();
        try (OutputStream out = exchange.stream(200, TYPE)) {
            // the client says nothing before it knows that the door is open
            out.flush();
            new Client(exchange, out)
                    .serve(new LineReader(exchange.bodyStream(), McpBody.MAX_BYTES));
        }
    }

    private final class Client {
        private final Exchange exchange;
        private final McpMessages.From first;
        private final OutputStream out;
        private final ReentrantLock writing = new ReentrantLock();
        private final Phaser calls = new Phaser(1);
        private final Set<Watch> running = ConcurrentHashMap.newKeySet();
        private String version = "";
        private volatile boolean over;

        Client(Exchange exchange, OutputStream out) {
            this.exchange = exchange;
            this.first =
                    new McpMessages.From(
                            exchange.caller(),
                            exchange.ends(),
                            "lines-" + clients.incrementAndGet(),
                            Optional.empty());
            this.out = out;
        }

        void serve(LineReader lines) throws IOException {
            try {
                while (lines.next()) {
                    if (!lines.isBlank()) {
                        take(Arrays.copyOf(lines.bytes(), lines.length()));
                    }
                }
                calls.arriveAndAwaitAdvance();
            } catch (LineReader.LineTooLong e) {
                say(McpBody.tooLarge().body(Optional.empty()));
            } catch (IOException | UncheckedIOException e) {
                // whoever asked is gone, and nobody else waits
            } finally {
                end();
            }
        }

        /** From here on nothing can be said, so nothing needs to be done. */
        private void end() {
            writing.lock();
            try {
                over = true;
            } finally {
                writing.unlock();
            }
            running.forEach(Watch::cancel);
        }

        private void take(byte[] line) {
            JsonNode message;
            try {
                message = Json.parse(line);
            } catch (TandemException e) {
                say(McpBody.noJson("line").body(McpBody.idBeforeFault(line)));
                return;
            }
            try {
                if (message instanceof ArrayNode batch) {
                    batch(batch);
                } else {
                    McpBody.checkShape(message);
                    one(message);
                }
            } catch (McpException e) {
                say(e.body(McpSessions.id(message)));
            }
        }

        private void one(JsonNode message) {
            if (!message.has("method")) {
                return;
            }
            if (!message.has("id")) {
                messages.notified(first, message);
                return;
            }
            JsonNode id = McpMessages.idOf(message);
            try {
                Era era = Era.of(message);
                McpMessages.From from = first.now(exchange);
                McpPace.Turn turn = pace.enter(from.caller(), message);
                if (McpMessages.isCall(message)) {
                    call(from, era, message, turn);
                } else {
                    answer(from, era, message, turn);
                }
            } catch (McpException e) {
                say(e.body(Optional.of(id)));
            }
        }

        private void answer(McpMessages.From from, Era era, JsonNode message, McpPace.Turn turn) {
            try (turn) {
                ObjectNode answer = messages.answer(from, era, message);
                version = answer.path("result").path("protocolVersion").asString(version);
                say(answer);
            }
        }

        private void call(McpMessages.From from, Era era, JsonNode message, McpPace.Turn turn) {
            McpProgress progress = new McpProgress(message, this::say);
            Watch watch = progress.watch();
            // The next line may cancel it.
            McpMessages.Running begun = messages.begin(from, message, watch);
            Thread caller =
                    beside(
                            turn,
                            McpSessions.id(message),
                            () -> {
                                try (begun) {
                                    McpMessages.checkCall(message);
                                    say(ended(from, era, message, watch).body());
                                }
                            });
            if (progress.wanted()) {
                Thread.startVirtualThread(() -> keepAlive(caller, progress));
            }
        }

        /** Runs a call to its end, which comes no later than that of this stream. */
        private McpMessages.Reply ended(
                McpMessages.From from, Era era, JsonNode message, Watch watch) {
            running.add(watch);
            try {
                if (over) {
                    watch.cancel();
                }
                return messages.call(from, era, message, watch);
            } finally {
                running.remove(watch);
            }
        }

        /** Lets the next lines be read while something takes its time. */
        private Thread beside(McpPace.Turn turn, Optional<JsonNode> id, Runnable work) {
            calls.register();
            return Thread.startVirtualThread(() -> {
                try (turn) {
                    work.run();
                } catch (McpException e) {
                    say(e.body(id));
                } catch (UncheckedIOException e) {
                    // nobody is left to tell; the reader notices it, too
                } finally {
                    calls.arriveAndDeregister();
                }
            });
        }

        /** Whoever counts on progress must see some. */
        private void keepAlive(Thread caller, McpProgress progress) {
            try {
                while (!caller.join(ALIVE)) {
                    progress.waiting("Working");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (UncheckedIOException e) {
                // the client is gone
            }
        }

        private void batch(ArrayNode batch) {
            if (!version.equals(Era.BATCH_VERSION) || batch.isEmpty()) {
                throw Era.noBatches();
            }
            McpPace.Turn turn = pace.enter(first.now(exchange).caller(), batch);
            Supplier<McpMessages.From> sender = pace.each(first, exchange);
            beside(
                    turn,
                    Optional.empty(),
                    () -> {
                        ArrayNode answers = messages.batch(sender, this::batched, batch);
                        if (!answers.isEmpty()) {
                            say(answers);
                        }
                    });
        }

        private McpMessages.Reply batched(McpMessages.From from, JsonNode message) {
            return ended(from, Era.LEGACY, message, Watch.nobody());
        }

        private void say(JsonNode message) {
            byte[] json = Json.bytes(message);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            writing.lock();
            try {
                if (!over) {
                    out.write(line);
                    out.flush();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                writing.unlock();
            }
        }
    }
}
