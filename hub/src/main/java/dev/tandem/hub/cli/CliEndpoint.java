package dev.tandem.hub.cli;

import dev.tandem.cli.Cli;
import dev.tandem.cli.Invocation;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Lineage;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** POST /cli: one command line of the launcher. */
public final class CliEndpoint {
    private final HubServices services;
    private final Lineage lineage;
    private final WebServer web;

    public CliEndpoint(HubServices services, Lineage lineage, WebServer web) {
        this.services = services;
        this.lineage = lineage;
        this.web = web;
        web.http("cli", this::handle);
    }

    private void handle(Exchange exchange) throws IOException {
        Caller caller = caller(exchange);
        exchange.patient();
        InputStream in = exchange.bodyStream();
        CommandRequest request = CommandRequest.read(in);
        CompletableFuture<Void> gone = new CompletableFuture<>();
        try (OutputStream stream = exchange.stream(200, "application/octet-stream")) {
            Frames frames = new Frames(stream);
            Invocation invocation =
                    new Invocation(
                            request.words(),
                            request.folder(),
                            request.terminal(),
                            () -> {
                                frames.askForInput();
                                return CommandRequest.readInput(in);
                            },
                            frames);
            HubPort port =
                    new HubPort(
                            services,
                            caller,
                            gone,
                            () -> watch(in, gone),
                            request.terminal().tty());
            frames.exit(Cli.run(invocation, port));
        } catch (UncheckedIOException e) {
            // the launcher is gone: nobody is left to tell
            gone.complete(null);
        }
    }

    /** The user, or the session that the calling process descends from. */
    private Caller caller(Exchange exchange) {
        if (!Processes.visible()) {
            return exchange.caller();
        }
        String named = exchange.header("Tandem-Pid").orElse("");
        if (!named.matches("\\d{1,10}")) {
            throw refused("The launcher did not say which process it is.");
        }
        long pid = Long.parseLong(named);
        if (!Processes.holds(pid, exchange.remotePort(), web.port())) {
            throw refused("The connection does not belong to process " + pid + ".");
        }
        Optional<Caller> session = lineage.sessionOf(pid);
        return session.orElseGet(exchange::caller);
    }

    /** The launcher sends nothing more; whatever the read ends with, it is gone. */
    private static void watch(InputStream in, CompletableFuture<Void> gone) {
        Thread.startVirtualThread(() -> {
            try {
                while (in.read() >= 0) {
                    // nothing that could matter
                }
            } catch (IOException | RuntimeException e) {
                // cut off: the same
            }
            gone.complete(null);
        });
    }

    private static TandemException refused(String why) {
        return new TandemException(ErrorCode.FORBIDDEN, why);
    }
}
