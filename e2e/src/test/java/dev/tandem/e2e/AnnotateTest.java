package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Options;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** annotate from the call to the person's hand and back: real hub, real extension, real page. */
class AnnotateTest {
    private static final String EXTENSION =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();

    private static Hub hub;
    private static OwnBrowser own;
    private static Pages pages;
    private static McpClient client;
    private static String worker;
    private static Marker person;

    @BeforeAll
    static void start() throws IOException {
        hub = Hub.start(Options.BrowserChoice.NONE);
        pages = new Pages();
        own = OwnBrowser.connect(hub);
        client = hub.mcp();
        String url =
                pages.put(
                        "/shop",
                        "<!doctype html><title>Shop</title><h1>Shop</h1><button id=buy>Buy</button>"
                                + "<div style='height:900px'></div>");
        client.call("launch", Json.object().put("startUrl", url));
        String target = own.chrome().awaitTarget("page", url);
        person = new Marker(own.chrome(), own.chrome().attach(target));
        worker = own.chrome().attach(own.chrome().awaitTarget("service_worker", EXTENSION));
    }

    @AfterAll
    static void stop() throws IOException {
        own.close();
        pages.close();
        hub.close();
    }

    private static CompletableFuture<JsonNode> annotate(ObjectNode arguments) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return client.modern("tools/call", "annotate", arguments).json().path("result");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static JsonNode answer(CompletableFuture<JsonNode> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        return call.get(40, TimeUnit.SECONDS);
    }

    @Test
    void twoMarksAreSubmittedOneIsGivenUpAndOneComesTooLate() throws Exception {
        // OPS-78, OPS-85
        listenToTools();
        CompletableFuture<JsonNode> call =
                annotate(Json.object().put("context", "Which button?").put("timeoutMs", 60_000));
        person.awaitOpen();
        assertThat(hub.status().path("annotationConnected").asBoolean()).isTrue();
        person.mark("h1", "too big");
        person.mark("#buy", "wrong colour");
        person.submit();
        JsonNode done = answer(call).path("structuredContent");
        assertThat(done.path("message").asString()).contains("too big", "wrong colour");
        JsonNode marks = done.path("details").path("annotations");
        assertThat(marks.path(0).path("note").asString()).isEqualTo("too big");
        assertThat(marks.path(1).path("note").asString()).isEqualTo("wrong colour");
        assertThat(Files.size(Path.of(done.path("screenshots").path(0).path("path").asString())))
                .isGreaterThan(1000);
        person.awaitGone();
        assertThat(heardByTools()).isZero();
        client.call("snapshot", Json.object());
        assertThat(heardByTools()).as("what does come over it is counted").isPositive();

        call = annotate(Json.object().put("screenshotMode", "none"));
        person.awaitOpen();
        person.cancel();
        assertThat(answer(call).path("structuredContent").path("cancelled").asBoolean()).isTrue();
        person.awaitGone();

        call = annotate(Json.object().put("screenshotMode", "none").put("timeoutMs", 5000));
        person.awaitOpen();
        JsonNode late = answer(call);
        assertThat(late.path("isError").asBoolean()).isTrue();
        assertThat(late.toString()).contains("timeout", "Nothing was submitted within 5000 ms.");
        person.awaitGone();
        assertThat(hub.status().path("annotationConnected").asBoolean(true)).isFalse();
    }

    /** Counts what comes in over the tools' socket: the person's work shall not pass there. */
    private static void listenToTools() {
        own.chrome()
                .evaluate(
                        worker,
                        "globalThis.toolCalls = 0; globalThis.realParse ??= JSON.parse; JSON.parse ="
                                + " (text, ...more) => { const value = realParse(text, ...more); if"
                                + " (value?.type === 'ops_request') toolCalls++; return value; }; 1");
    }

    private static int heardByTools() {
        return own.chrome().evaluate(worker, "toolCalls").asInt(-1);
    }

    @Test
    void whatThePersonSendsGoesIntoTheSessionTheyNamed() throws Exception {
        // the panel's Annotate button, with a session open that is not there: kept, not lost
        String panel = own.chrome().attach(own.chrome().open(EXTENSION + "/sidepanel.html"));
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(20))
                .until(() ->
                        own.chrome()
                                .evaluate(
                                        panel,
                                        "document.readyState === 'complete' &&"
                                                + " location.href.startsWith('chrome-extension:')")
                                .asBoolean(false));
        own.chrome()
                .evaluate(
                        panel,
                        "globalThis.receipt = null; chrome.runtime.sendMessage({type:"
                                + " 'annotate_start', payload: {session: 'no-such-session'}})"
                                + ".then((answer) => { receipt = answer; }); 1");
        person.awaitOpen();
        person.mark("#buy", "for later");
        person.submit();
        JsonNode receipt =
                org.awaitility.Awaitility.await()
                        .atMost(java.time.Duration.ofSeconds(20))
                        .until(
                                () -> own.chrome().evaluate(panel, "receipt"),
                                value -> value.path("ok").asBoolean(false));
        assertThat(receipt.path("receipt").path("deliveryState").asString())
                .isEqualTo("stored_only");
        String stored = client.text("annotate", Json.object().put("stored", true));
        assertThat(stored).contains("for later");
        person.awaitGone();
    }
}
