package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Tools that a chat client runs in its own browser, and how they end. */
class ClientBrowsersTest {
    private final ClientBrowsers browsers = new ClientBrowsers();
    private final Watch watch = new Watch((progress, text) -> {}, card -> {});
    private final CompletableFuture<ObjectNode> answer = new CompletableFuture<>();
    private ObjectNode asked = Json.object();

    private CompletableFuture<ObjectNode> executor(ObjectNode params) {
        asked = params;
        return answer;
    }

    private ToolResult execute(ObjectNode arguments) {
        return browsers.run(
                this::executor,
                new ToolCall(
                        Catalogue.load().byName("browser_execute").orElseThrow(),
                        arguments,
                        OpsClient.inHub(Caller.USER, OpsClient.Door.MCP),
                        Optional.empty(),
                        watch));
    }

    private TandemException failure() {
        ObjectNode arguments = Json.object().put("tabId", 7).put("script", "1").put("timeoutMs", 1);
        return catchThrowableOfType(TandemException.class, () -> execute(arguments));
    }

    @Test
    void argumentsGoOutAndTheAnswerComesBack() {
        answer.complete(Json.object().put("result", 2));
        ToolResult result = execute(Json.object().put("tabId", 7).put("script", "1 + 1"));
        assertThat(asked)
                .isEqualTo(
                        Json.object()
                                .put("action", "execute")
                                .put("tabId", 7)
                                .put("script", "1 + 1"));
        assertThat(result.data().path("result").asInt()).isEqualTo(2);
    }

    @Test
    void aClientThatDoesNotAnswerIsNotWaitedForForever() {
        TandemException late = failure();
        assertThat(late.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(answer).as("it is told to stop").isCancelled();
    }

    @Test
    void itsOwnErrorsStayAndOthersAreInternal() {
        answer.completeExceptionally(new TandemException(ErrorCode.NOT_OWNER, "Not yours"));
        assertThat(failure().message()).isEqualTo("Not yours");
        CompletableFuture<ObjectNode> broken =
                CompletableFuture.failedFuture(new IllegalStateException("secret"));
        TandemException unknown =
                catchThrowableOfType(
                        TandemException.class,
                        () ->
                                browsers.place(
                                        params -> broken, Json.object().put("tabId", 7), watch));
        assertThat(unknown.code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(unknown.message()).doesNotContain("secret");
    }

    @Test
    void aCallThatWasCancelledBeforeEndsAtOnce() {
        watch.cancel();
        assertThat(failure().details().path("reason").asString()).isEqualTo("cancelled");
        assertThat(answer).isCancelled();
        assertThat(catchThrowableOfType(TandemException.class, watch::throwIfCancelled).message())
                .isEqualTo("The call was cancelled.");
    }

    @Test
    void aTabIsLookedUpInTheClientsOwnList() {
        ObjectNode tabs = Json.object();
        tabs.putArray("tabs").addObject().put("id", 7).put("url", "https://a.test/");
        answer.complete(tabs);
        assertThat(browsers.place(this::executor, Json.object().put("tabId", 7), watch))
                .isEqualTo(new Place("tab-7", "https://a.test/"));
        assertThat(browsers.place(this::executor, Json.object(), watch)).isEqualTo(Place.NOWHERE);
        TandemException none =
                catchThrowableOfType(
                        TandemException.class,
                        () -> browsers.place(this::executor, Json.object().put("tabId", 9), watch));
        assertThat(none.message()).startsWith("Tab 9 not found.");
    }
}
