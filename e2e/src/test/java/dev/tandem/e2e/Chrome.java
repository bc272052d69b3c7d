package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** A Chromium that no hub started: the user's own browser, with the test as the user. */
final class Chrome implements AutoCloseable {
    private static final String ID = Json.resource("identity.json").get("extensionId").asString();

    private final Path profile;
    private final Process process;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();

    Chrome(String... more) throws IOException {
        profile = Files.createTempDirectory("tandem-own-");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "bash",
                                "-c",
                                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null",
                                "chromium",
                                System.getenv().getOrDefault("TANDEM_CHROMIUM", "chromium"),
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--disable-dev-shm-usage",
                                "--remote-debugging-pipe",
                                "--enable-unsafe-extension-debugging",
                                "--user-data-dir=" + profile));
        command.addAll(List.of(more));
        command.add("about:blank");
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        Thread.ofPlatform().daemon().start(this::read);
    }

    /** The debugging port of one that was started with {@code --remote-debugging-port=0}. */
    int debuggingPort() {
        Path file = profile.resolve("DevToolsActivePort");
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> Integer.parseInt(Files.readAllLines(file).getFirst()), n -> n > 0);
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Loads the extension as a person does with "Load unpacked". */
    void load(Path extension) {
        JsonNode answer =
                send(
                        "",
                        "Extensions.loadUnpacked",
                        Json.object().put("path", extension.toString()));
        if (!answer.path("id").asString("").equals(ID)) {
            throw new AssertionError("not our extension: " + answer);
        }
    }

    /** Writes settings, as the options of the popup do. */
    void store(String area, ObjectNode values) {
        ObjectNode params = Json.object().put("id", ID).put("storageArea", area);
        params.set("values", values);
        String worker = attach(awaitTarget("service_worker", "chrome-extension://" + ID + "/"));
        evaluateWhen(worker, "typeof chrome === 'object'", "true");
        send(worker, "Extensions.setStorageItems", params);
        send("", "Target.detachFromTarget", Json.object().put("sessionId", worker));
    }

    /** Until the extension has looked at the tabs that were open when it was loaded. */
    void awaitInstalled() {
        String worker = attach(awaitTarget("service_worker", "chrome-extension://" + ID + "/"));
        // Its menu is made just before it asks for the tabs, and Chrome answers in order.
        evaluateWhen(
                worker,
                "chrome.contextMenus.update('tandem:connection', {}).then(() => true, () => false)",
                "chrome.tabs.query({}).then(() => true)");
        send("", "Target.detachFromTarget", Json.object().put("sessionId", worker));
    }

    /** Runs the second script as soon as the first says true. */
    void evaluateWhen(String session, String condition, String script) {
        // Between two documents a page has nothing that could evaluate.
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(evaluate(session, condition).asBoolean(false)).isTrue());
        evaluate(session, script);
    }

    /** Opens a tab and answers its target. */
    String open(String url) {
        return send("", "Target.createTarget", Json.object().put("url", url))
                .path("targetId")
                .asString();
    }

    /** The first target of that type whose address starts so. */
    String awaitTarget(String type, String urlPrefix) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> target(type, urlPrefix), found -> !found.isEmpty());
    }

    /** A session with the page of that address which shows what the script finds. */
    String awaitPage(String urlPrefix, String finder) {
        // An extension that is loaded again may leave an empty page of its former self for a while.
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> pageThatShows(urlPrefix, finder), found -> !found.isEmpty());
    }

    private String pageThatShows(String urlPrefix, String finder) {
        return targets("page", urlPrefix).stream()
                .map(page -> sessionIfShown(page, finder))
                .filter(session -> !session.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String sessionIfShown(String targetId, String finder) {
        try {
            String session = attach(targetId);
            if (evaluate(session, "(" + finder + ") != null").asBoolean(false)) {
                return session;
            }
            send("", "Target.detachFromTarget", Json.object().put("sessionId", session));
        } catch (AssertionError gone) {
            // looked for again
        }
        return "";
    }

    private String target(String type, String urlPrefix) {
        return targets(type, urlPrefix).stream().findFirst().orElse("");
    }

    private List<String> targets(String type, String urlPrefix) {
        List<String> found = new ArrayList<>();
        for (JsonNode info : send("", "Target.getTargets", Json.object()).path("targetInfos")) {
            if (info.path("type").asString("").equals(type)
                    && info.path("url").asString("").startsWith(urlPrefix)) {
                found.add(info.path("targetId").asString());
            }
        }
        return found;
    }

    String attach(String targetId) {
        ObjectNode params = Json.object().put("targetId", targetId).put("flatten", true);
        return send("", "Target.attachToTarget", params).path("sessionId").asString();
    }

    JsonNode evaluate(String session, String script) {
        ObjectNode params = Json.object().put("expression", script);
        params.put("awaitPromise", true).put("returnByValue", true);
        return send(session, "Runtime.evaluate", params).path("result").path("value");
    }

    /** Ends the extension's worker as Chrome does when it needs the memory; a new tab wakes it. */
    void restartWorker() {
        String worker = awaitTarget("service_worker", "chrome-extension://" + ID + "/");
        String page = open("chrome-extension://" + ID + "/manifest.json");
        String session = attach(page);
        send(session, "ServiceWorker.enable", Json.object());
        send(session, "ServiceWorker.stopAllWorkers", Json.object());
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> !target("service_worker", "chrome-extension://").equals(worker));
        send("", "Target.closeTarget", Json.object().put("targetId", page));
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    close(open("about:blank"));
                    return !target("service_worker", "chrome-extension://").isEmpty();
                });
    }

    /** Closes a tab, as a person does. */
    void close(String targetId) {
        send("", "Target.closeTarget", Json.object().put("targetId", targetId));
    }

    /** Presses the mouse at the middle of what the script finds, like a person. */
    void click(String session, String finder) {
        JsonNode at = middle(session, finder);
        for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
            ObjectNode params = Json.object().put("type", type);
            params.put("x", at.get(0).asDouble()).put("y", at.get(1).asDouble());
            params.put("button", "left").put("clickCount", 1);
            send(session, "Input.dispatchMouseEvent", params);
        }
    }

    /**
     * Where it stands still. Chrome drops what is pressed before a page is painted, and what comes
     * into the page later moves what is there.
     */
    private JsonNode middle(String session, String finder) {
        String box =
                "(() => { const e = "
                        + finder
                        + "; const seen = document.hidden ||"
                        + " performance.getEntriesByType('paint').length; if (!e || !seen) return"
                        + " null; e.scrollIntoView(); const b = e.getBoundingClientRect(); return"
                        + " [b.x + b.width / 2, b.y + b.height / 2]; })()";
        AtomicReference<JsonNode> before = new AtomicReference<>(MissingNode.getInstance());
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> evaluate(session, box),
                        now -> now.isArray() && now.equals(before.getAndSet(now)));
    }

    JsonNode send(String session, String method, ObjectNode params) {
        int id = ids.incrementAndGet();
        ObjectNode message = Json.object().put("id", id).put("method", method);
        message.set("params", params);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        try {
            synchronized (this) {
                process.getOutputStream().write(Json.bytes(message));
                process.getOutputStream().write(0);
                process.getOutputStream().flush();
            }
            JsonNode reply = answer.get(30, TimeUnit.SECONDS);
            if (reply.has("error")) {
                throw new AssertionError(method + ": " + reply.get("error"));
            }
            return reply.path("result");
        } catch (IOException
                | InterruptedException
                | java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(method, e);
        }
    }

    private void read() {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        byte[] buffer = new byte[65_536];
        try (InputStream in = process.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    if (buffer[i] != 0) {
                        message.write(buffer[i]);
                        continue;
                    }
                    JsonNode reply = Json.parse(message.toByteArray());
                    message.reset();
                    CompletableFuture<JsonNode> waiting = pending.remove(reply.path("id").asInt());
                    if (waiting != null) {
                        waiting.complete(reply);
                    }
                }
            }
        } catch (IOException e) {
            pending.values().forEach(waiting -> waiting.completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
