package dev.tandem.hub.browser;

import dev.tandem.cli.ChromiumPrograms;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One Chromium process of ours, spoken to over a pipe that nobody else can reach. */
final class ManagedBrowser {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedBrowser.class);
    private static final long COMMAND_MS = 20_000;
    private static final long MOMENT_MS = 500;

    /** Puts the pipe on the numbers Chromium expects; Java can only give a child its 0, 1 and 2. */
    private static final List<String> PIPE_ON_3_AND_4 =
            List.of("bash", "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "chromium");

    private final Path program;
    private final Process process;
    private final BrowserLog log;
    private final BrowserLog.Words words;
    private final CdpCalls cdp;
    private final ExtensionLoader loader;
    private final String extensionId;

    private ManagedBrowser(Path program, Process process, String extensionId, BrowserLog log) {
        this.program = program;
        this.process = process;
        this.log = log;
        this.words = log.follow(process.getErrorStream());
        this.extensionId = extensionId;
        this.loader = new ExtensionLoader(extensionId);
        this.cdp =
                new CdpPipe(process.getInputStream(), process.getOutputStream(), loader::event)
                        .calls();
    }

    /** Starts the program; the browser has no extension yet. */
    static ManagedBrowser start(
            Path program, List<String> flags, String extensionId, BrowserLog log)
            throws IOException {
        List<String> command = new ArrayList<>(PIPE_ON_3_AND_4);
        command.add(program.toString());
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("TANDEM_"));
        return new ManagedBrowser(program, builder.start(), extensionId, log);
    }

    /** Loads the extension and gives it what pairing would: three items of its storage. */
    void load(Path extension, Pairing.Items items) throws IOException {
        try {
            loader.load(cdp, extension, items);
        } catch (IOException e) {
            throw new IOException(why(e), e);
        }
    }

    private String why(IOException e) {
        StringBuilder why = new StringBuilder();
        if (endsSoon()) {
            why.append(
                    "%s ended at its start (exit code %d)."
                            .formatted(program, process.exitValue()));
        } else {
            why.append(e.getMessage());
        }
        why.append(lastWords());
        if (ChromiumPrograms.isSnap(program)) {
            why.append(
                            " It is a snap, which may not read hidden folders of your home; Tandem's"
                                    + " profiles lie in one. ")
                    .append(ChromiumPrograms.BESIDE_SNAPS);
        }
        return why.toString();
    }

    /** A pipe may be over a moment before its process. */
    private boolean endsSoon() {
        try {
            return process.waitFor(MOMENT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A sentence with what it said last, and where the rest is; empty where it said nothing. */
    String lastWords() {
        String last = words.last();
        return last.isEmpty() ? "" : " It said: " + last + " (All of it: " + log.file() + ")";
    }

    /** Opens the docked panel, as a click on the toolbar icon would. */
    void openPanel() throws IOException {
        ObjectNode filter = Json.object();
        filter.putArray("filter").addObject().put("type", "tab");
        JsonNode tabs = cdp.send("Target.getTargets", filter, COMMAND_MS).path("targetInfos");
        if (tabs.isEmpty()) {
            return;
        }
        cdp.send(
                "Extensions.triggerAction",
                Json.object()
                        .put("id", extensionId)
                        .put("targetId", tabs.get(0).path("targetId").asString("")),
                COMMAND_MS);
    }

    boolean alive() {
        return process.isAlive();
    }

    /**
     * Completes when the program itself is gone. {@link Process#onExit} may be held up by whoever
     * reads the pipe while a child of the dead program still holds it open.
     */
    CompletableFuture<Void> exited() {
        CompletableFuture<Void> exited = new CompletableFuture<>();
        Thread.ofVirtual()
                .name("browser-exit-" + process.pid())
                .start(() -> {
                    try {
                        int _ = process.waitFor();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    exited.complete(null);
                });
        return exited;
    }

    /** Ends the browser and everything it started, politely first. */
    void end(long politeMs) {
        List<ProcessHandle> family = process.descendants().toList();
        try {
            cdp.send("Browser.close", Json.object(), politeMs);
            process.waitFor(politeMs, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            LOG.debug("The browser did not close by itself: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
