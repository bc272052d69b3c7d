package dev.tandem.hub.browser;

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

    /** Puts the pipe on the numbers Chromium expects; Java can only give a child its 0, 1 and 2. */
    private static final List<String> PIPE_ON_3_AND_4 =
            List.of("bash", "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "chromium");

    private final Process process;
    private final CdpCalls cdp;
    private final ExtensionLoader loader;
    private final String extensionId;

    private ManagedBrowser(Process process, String extensionId) {
        this.process = process;
        this.extensionId = extensionId;
        this.loader = new ExtensionLoader(extensionId);
        this.cdp =
                new CdpPipe(process.getInputStream(), process.getOutputStream(), loader::event)
                        .calls();
    }

    /** Starts the program; the browser has no extension yet. */
    static ManagedBrowser start(Path program, List<String> flags, String extensionId)
            throws IOException {
        List<String> command = new ArrayList<>(PIPE_ON_3_AND_4);
        command.add(program.toString());
        command.addAll(flags);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> name.startsWith("TANDEM_"));
        return new ManagedBrowser(builder.start(), extensionId);
    }

    /** Loads the extension and gives it what pairing would: three items of its storage. */
    void load(Path extension, Pairing.Items items) throws IOException {
        loader.load(cdp, extension, items);
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
