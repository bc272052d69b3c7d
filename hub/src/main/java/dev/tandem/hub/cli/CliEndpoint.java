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
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** POST /cli: one command line of the launcher. */
public final class CliEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(CliEndpoint.class);

    private final HubServices services;
    private final Lineage lineage;

    public CliEndpoint(HubServices services, Lineage lineage, WebServer web) {
        this.services = services;
        this.lineage = lineage;
        web.http("cli", this::handle);
    }

    private void handle(Exchange exchange) throws IOException {
        // who calls is found out while the words are read
        FutureTask<Caller> proof = new FutureTask<>(() -> caller(exchange));
        Thread.startVirtualThread(proof);
        InputStream in = new BufferedInputStream(exchange.bodyStream(), 1024);
        CommandRequest request = CommandRequest.read(in);
        Caller caller = proven(proof);
        exchange.patient();
        try (OutputStream stream = exchange.stream(200, "application/octet-stream")) {
            Frames frames = new Frames(stream);
            LauncherInput input = new LauncherInput(in, frames);
            Invocation invocation =
                    new Invocation(
                            request.words(), request.folder(), request.terminal(), input, frames);
            HubPort port = new HubPort(services, caller, input, request.terminal().tty());
            try {
                frames.exit(request.whole() ? run(invocation, port) : Cli.tooManyWords(invocation));
            } finally {
                input.gone().complete(null);
            }
        } catch (UncheckedIOException e) {
            // the launcher is gone: nobody is left to tell
        }
    }

    /** The exit code of a command; one that nobody foresaw is in the log, as the launcher says. */
    private static int run(Invocation invocation, HubPort port) {
        try {
            return Cli.run(invocation, port);
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException e) {
            String command = invocation.arguments().stream().findFirst().orElse("");
            LOG.error("The command {} failed", command, e);
            ErrorCode internal = ErrorCode.INTERNAL;
            invocation.sink().err("[" + internal.code() + "] " + internal.message() + "\n");
            invocation.sink().err("  " + internal.hint() + "\n");
            return internal.exit();
        }
    }

    private static Caller proven(FutureTask<Caller> proof) {
        try {
            return proof.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof TandemException refused
                    ? refused
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused("The hub is stopping.");
        }
    }

    /** The user, or the session that the calling process descends from. */
    private Caller caller(Exchange exchange) {
        if (!Processes.visible()) {
            return exchange.caller();
        }
        long pid =
                CommandRequest.digits(exchange.header("Tandem-Pid").orElse(""), 10)
                        .orElseThrow(
                                () -> refused("The launcher did not say which process it is."));
        if (!Processes.holds(pid, exchange.ends())) {
            throw refused("The connection does not belong to process " + pid + ".");
        }
        Optional<Caller> session = lineage.sessionOf(pid);
        return session.orElseGet(exchange::caller);
    }

    private static TandemException refused(String why) {
        return new TandemException(ErrorCode.FORBIDDEN, why);
    }
}
