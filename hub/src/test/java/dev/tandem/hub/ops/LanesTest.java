package dev.tandem.hub.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.browser.OpsLane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** OPS-34, W8: first come, first served at one target; the others go on meanwhile. */
class LanesTest {
    private final Lanes lanes = new Lanes();
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch card = new CountDownLatch(1);

    private static OpsLane at(String target) {
        return new OpsLane("s", target, true);
    }

    private static OpsLane active(String target) {
        return new OpsLane("s", target, false);
    }

    private void submit(OpsLane lane, String name) {
        lanes.submit(lane, () -> done.add(name));
    }

    private void waits(OpsLane lane, String name) {
        lanes.submit(
                lane,
                () -> {
                    try {
                        card.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    done.add(name);
                });
    }

    private void awaitDone(String... names) {
        await().until(() -> done.size() >= names.length);
        assertThat(done).containsExactly(names);
    }

    @Test
    void oneTargetKeepsItsOrderWhileOthersGoOn() {
        waits(at("t1"), "first");
        submit(active("t1"), "second");
        submit(at("t2"), "other target");
        awaitDone("other target");
        submit(new OpsLane("dialogs", "", false), "dialog");
        awaitDone("other target", "dialog");
        card.countDown();
        awaitDone("other target", "dialog", "first", "second");
    }

    @Test
    void whatConcernsAllTargetsKeepsItsPlaceAmongThem() {
        waits(at("t1"), "first");
        submit(new OpsLane("s", "", false), "use t2");
        submit(active("t1"), "active by then");
        submit(at("t2"), "last");
        submit(new OpsLane("", "", false), "look");
        awaitDone("look");
        card.countDown();
        awaitDone("look", "first", "use t2", "active by then", "last");
    }

    @Test
    void nothingIsKeptOfWhatIsOverNorHeldByWhatFails() {
        lanes.submit(
                at("t1"),
                () -> {
                    throw new IllegalStateException("of this test");
                });
        submit(at("t1"), "next");
        for (int i = 0; i < 50; i++) {
            lanes.submit(new OpsLane("s" + i, "", false), () -> {});
        }
        awaitDone("next");
        await().until(() -> lanes.busy() == 0);
    }
}
