package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One Chromium process of ours, spoken to over a pipe that nobody else can reach. */
final class ManagedBrowser {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedBrowser.class);
    private static final long COMMAND_MS = 20_000;
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    /** Puts the pipe on the numbers Chromium expects; Java can only give a child its 0, 1 and 2. */
    private static final List<String> PIPE_ON_3_AND_4 =
            List.of("bash", "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "chromium");

    private final Process process;
    private final CdpPipe pipe;
    private final CompletableFuture<String> worker = new CompletableFuture<>();
    private final String extensionId;

    private ManagedBrowser(Process process, String extensionId) {
        this.process = process;
        this.extensionId = extensionId;
        this.pipe = new CdpPipe(process.getInputStream(), process.getOutputStream(), this::event);
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
    void load(Path extension, ObjectNode local, ObjectNode session) throws IOException {
        pipe.send("Target.setDiscoverTargets", Json.object().put("discover", true), COMMAND_MS);
        JsonNode loaded =
                pipe.send(
                        "Extensions.loadUnpacked",
                        Json.object().put("path", extension.toString()),
                        COMMAND_MS);
        String id = loaded.path("id").asString("");
        if (!id.equals(extensionId)) {
            throw new IOException(
                    "The extension in "
                            + extension
                            + " has the id "
                            + id
                            + ", not the pinned one. Build it again.");
        }
        String target = waitForWorker();
        ObjectNode attach = Json.object().put("targetId", target).put("flatten", true);
        String attached =
                pipe.send("Target.attachToTarget", attach, COMMAND_MS)
                        .path("sessionId")
                        .asString("");
        awaitRunning(attached);
        store("session", session, attached);
        store("local", local, attached);
        // An attached debugger would keep the worker from ever being suspended.
        pipe.send("Target.detachFromTarget", Json.object().put("sessionId", attached), COMMAND_MS);
    }

    /** A worker that a debugger leaves before its script began never begins. */
    private void awaitRunning(String attached) throws IOException {
        ObjectNode look = Json.object().put("expression", "typeof chrome");
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMMAND_MS);
        while (!pipe.send("Runtime.evaluate", look, attached, COMMAND_MS)
                .path("result")
                .path("value")
                .asString("")
                .equals("object")) {
            if (System.nanoTime() > end) {
                throw new IOException("The extension's worker did not run.");
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** Opens the docked panel, as a click on the toolbar icon would. */
    void openPanel() throws IOException {
        ObjectNode filter = Json.object();
        filter.putArray("filter").addObject().put("type", "tab");
        JsonNode tabs = pipe.send("Target.getTargets", filter, COMMAND_MS).path("targetInfos");
        if (tabs.isEmpty()) {
            return;
        }
        pipe.send(
                "Extensions.triggerAction",
                Json.object()
                        .put("id", extensionId)
                        .put("targetId", tabs.get(0).path("targetId").asString("")),
                COMMAND_MS);
    }

    boolean alive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> exited() {
        return process.onExit();
    }

    /** Ends the browser and everything it started, politely first. */
    void end(long politeMs) {
        List<ProcessHandle> family = process.descendants().toList();
        try {
            pipe.send("Browser.close", Json.object(), politeMs);
            process.waitFor(politeMs, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            LOG.debug("The browser did not close by itself: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }

    private void store(String area, ObjectNode values, String attached) throws IOException {
        ObjectNode params = Json.object().put("id", extensionId).put("storageArea", area);
        params.set("values", values);
        pipe.send("Extensions.setStorageItems", params, attached, COMMAND_MS);
    }

    private String waitForWorker() throws IOException {
        try {
            return worker.get(COMMAND_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("The extension's worker did not start.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the extension started.", e);
        }
    }

    private void event(String method, JsonNode params) {
        JsonNode info = params.path("targetInfo");
        if (method.equals("Target.targetCreated")
                && info.path("type").asString("").equals("service_worker")
                && info.path("url")
                        .asString("")
                        .startsWith("chrome-extension://" + extensionId + "/")) {
            worker.complete(info.path("targetId").asString(""));
        }
    }
}
