package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** An answer in slices, with a clock that the test turns. */
class PendingCallTest {
    /** Remembers what was to happen when, and lets the test decide that it is time. */
    private static final class Clockwork extends ScheduledThreadPoolExecutor {
        private final List<Runnable> due = new ArrayList<>();
        private final List<Long> delays = new ArrayList<>();

        Clockwork() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
            due.add(work);
            delays.add(unit.toMillis(delay));
            return super.schedule(() -> {}, 1, TimeUnit.HOURS);
        }
    }

    private final Clockwork clock = new Clockwork();
    private final PendingCall call = new PendingCall(30_000, clock);

    @AfterEach
    void stop() {
        clock.shutdownNow();
    }

    private static ObjectNode head(int total) {
        return Json.object().put("chunked", true).put("payloadId", "p").put("totalChunks", total);
    }

    private static ObjectNode chunk(int index, int total, String data) {
        ObjectNode chunk = Json.object().put("payloadId", "p").put("chunkIndex", index);
        return chunk.put("totalChunks", total).put("data", data);
    }

    private TandemException failure() {
        return (TandemException) call.answer().exceptionNow();
    }

    // OPS-142: reordered and repeated slices fit together
    @Test
    void slicesFitTogetherInAnyOrder() {
        call.chunk(chunk(1, 2, "\"b\"}"));
        call.response(head(2));
        call.chunk(chunk(1, 2, "\"b\"}"));
        assertThat(call.answer()).isNotDone();
        call.chunk(chunk(0, 2, "{\"a\":"));
        assertThat(call.answer()).isCompletedWithValue(Json.object().put("a", "b"));
    }

    // OPS-142: a lost slice ends the call ten seconds after the last one that came
    @Test
    void aLostSliceIsNotWaitedForLong() {
        call.response(head(3));
        call.chunk(chunk(0, 3, "{"));
        call.chunk(chunk(2, 3, "}"));
        assertThat(clock.delays.getLast()).isEqualTo(Limits.CHUNK_GAP_MS);
        assertThat(call.answer()).isNotDone();
        clock.due.getLast().run();
        assertThat(failure().code().code()).isEqualTo("timeout");
        assertThat(failure().details().path("reason").asString()).isEqualTo("chunk_timeout");
        call.chunk(chunk(1, 3, " "));
        assertThat(failure().code().code()).as("too late").isEqualTo("timeout");
    }

    // OPS-L30: judged by bytes and hash, not by how many slices are there
    @Test
    void whatWasChangedOnTheWayIsNoAnswer() {
        call.response(head(1).put("totalBytes", 3).put("sha256", "00"));
        call.chunk(chunk(0, 1, "{}"));
        assertThat(failure().message()).contains("2 bytes");
        PendingCall other = new PendingCall(1, clock);
        other.response(head(1).put("sha256", "00"));
        other.chunk(chunk(0, 1, "{}"));
        assertThatThrownBy(() -> other.answer().join()).hasMessageContaining("hash");
    }

    private static String brokenBy(ObjectNode... messages) {
        ScheduledThreadPoolExecutor idle = new ScheduledThreadPoolExecutor(1);
        try {
            PendingCall other = new PendingCall(30_000, idle);
            for (ObjectNode message : messages) {
                if (message.has("chunked")) {
                    other.response(message);
                } else {
                    other.chunk(message);
                }
            }
            return String.valueOf(other.answer().exceptionNow().getMessage());
        } finally {
            idle.shutdownNow();
        }
    }

    // OPS-L30
    @Test
    void slicesThatDoNotFitEndTheCall() {
        assertThat(brokenBy(head(2), chunk(2, 2, "{"))).contains("the number 2 of 2");
        assertThat(brokenBy(chunk(0, 2, "{"), chunk(0, 2, "["))).contains("came twice");
        assertThat(brokenBy(head(2), chunk(0, 3, "{"))).contains("two payloads were mixed");
        assertThat(brokenBy(head(2), chunk(0, 2, "{").put("payloadId", "q")))
                .contains("two payloads were mixed");
        assertThat(brokenBy(head(1), chunk(0, 1, "[]"))).contains("do not hold an object");
    }

    // OPS-L30: said before anything of it is kept
    @Test
    void whatIsTooLargeIsRefusedByItsAnnouncement() {
        long most = Limits.big("maxAnswerBytes");
        assertThat(brokenBy(head(0))).contains("too large");
        assertThat(brokenBy(head(Integer.MAX_VALUE))).contains("too large");
        assertThat(brokenBy(head(1).put("totalBytes", most + 1))).contains("too large");
    }

    @Test
    void anAnswerWithoutAPayloadIsAnEmptyOne() {
        call.response(Json.object().put("type", "ops_response"));
        assertThat(call.answer()).isCompletedWithValue(Json.object());
    }
}
