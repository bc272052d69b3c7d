package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Brings the extension into a browser over its debugger, and gives it what pairing would. */
final class ExtensionLoader {
    private static final long COMMAND_MS = 20_000;
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private final String extensionId;
    private final CompletableFuture<String> worker = new CompletableFuture<>();

    ExtensionLoader(String extensionId) {
        this.extensionId = extensionId;
    }

    /** The browser has another extension under our name, or does not take ours. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String message, IOException cause) {
            super(message, cause);
        }
    }

    void load(CdpCalls cdp, Path extension, Pairing.Items items) throws IOException {
        cdp.send("Target.setDiscoverTargets", Json.object().put("discover", true), COMMAND_MS);
        String id = loadUnpacked(cdp, extension);
        if (!id.equals(extensionId)) {
            throw new IOException(
                    "The extension in "
                            + extension
                            + " has the id "
                            + id
                            + ", not the pinned one. Build it again.");
        }
        ObjectNode attach = Json.object().put("targetId", waitForWorker()).put("flatten", true);
        String attached =
                cdp.send("Target.attachToTarget", attach, COMMAND_MS)
                        .path("sessionId")
                        .asString("");
        awaitRunning(cdp, attached);
        store(cdp, "session", items.session(), attached);
        store(cdp, "local", items.local(), attached);
        // An attached debugger would keep the worker from ever being suspended.
        cdp.send("Target.detachFromTarget", Json.object().put("sessionId", attached), COMMAND_MS);
    }

    /** Hears of the extension's worker. */
    void event(String method, JsonNode params) {
        JsonNode info = params.path("targetInfo");
        if (method.equals("Target.targetCreated")
                && info.path("type").asString("").equals("service_worker")
                && info.path("url")
                        .asString("")
                        .startsWith("chrome-extension://" + extensionId + "/")) {
            worker.complete(info.path("targetId").asString(""));
        }
    }

    private static String loadUnpacked(CdpCalls cdp, Path extension) throws IOException {
        try {
            return cdp.send(
                            "Extensions.loadUnpacked",
                            Json.object().put("path", extension.toString()),
                            COMMAND_MS)
                    .path("id")
                    .asString("");
        } catch (IOException e) {
            throw new Refused(String.valueOf(e.getMessage()), e);
        }
    }

    /** A worker that a debugger leaves before its script began never begins. */
    private static void awaitRunning(CdpCalls cdp, String attached) throws IOException {
        ObjectNode look = Json.object().put("expression", "typeof chrome");
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COMMAND_MS);
        while (!cdp.send("Runtime.evaluate", look, attached, COMMAND_MS)
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

    private void store(CdpCalls cdp, String area, ObjectNode values, String attached)
            throws IOException {
        ObjectNode params = Json.object().put("id", extensionId).put("storageArea", area);
        params.set("values", values);
        cdp.send("Extensions.setStorageItems", params, attached, COMMAND_MS);
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
}
