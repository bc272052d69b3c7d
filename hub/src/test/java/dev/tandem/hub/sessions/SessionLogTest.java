package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Databases;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

class SessionLogTest {
    @TempDir Path folder;

    private record Engine(SessionStore store, SessionLog log) {}

    private List<DynamicTest> onBoth(ThrowingConsumer<Engine> test) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Named<Database> named : Databases.fresh(folder)) {
            tests.add(
                    DynamicTest.dynamicTest(
                            named.getName(),
                            () -> {
                                try (Database database = named.getPayload()) {
                                    Clock clock = Clock.systemUTC();
                                    SessionLog log = new SessionLog(database, clock);
                                    test.accept(
                                            new Engine(
                                                    new SessionStore(database, log, clock), log));
                                }
                            }));
        }
        return tests;
    }

    private static String newSession(Engine engine) {
        return engine.store.create("default", Json.object().put("name", "demo")).id();
    }

    @TestFactory
    List<DynamicTest> parallelWritersAreSeenInOrderWithoutGapOrRepeat() {
        // AMB-200 (the engine's half)
        return onBoth(engine -> {
            String id = newSession(engine);
            List<Long> seen = Collections.synchronizedList(new ArrayList<>());
            AutoCloseable watch = engine.log.feed(id).follow(0, 0, entries(seen));
            List<Long> late = Collections.synchronizedList(new ArrayList<>());
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < 8; writer++) {
                    var _ =
                            executor.submit(() -> {
                                for (int i = 0; i < 50; i++) {
                                    engine.log.append(
                                            id, Entry.Kind.USER, Json.object().put("text", "x"));
                                }
                            });
                }
                var _ = executor.submit(() -> engine.log.feed(id).follow(0, 0, entries(late)));
            }
            List<Long> expected = LongStream.rangeClosed(1, 400).boxed().toList();
            assertThat(seen).isEqualTo(expected);
            assertThat(late).isEqualTo(expected);
            watch.close();
        });
    }

    @TestFactory
    List<DynamicTest> theSameClientMessageIsStoredOnce() {
        return onBoth(engine -> {
            String id = newSession(engine);
            SessionLog.Draft draft =
                    new SessionLog.Draft(
                            Entry.Kind.USER, Json.object().put("text", "hi"), Optional.of("c1"));
            SessionLog.Appended first = engine.log.append(id, draft);
            SessionLog.Appended second = engine.log.append(id, draft);
            assertThat(first.stored()).isTrue();
            assertThat(second.stored()).isFalse();
            assertThat(second.entry().seq()).isEqualTo(first.entry().seq());
            assertThat(engine.log.after(id, 0, 10)).hasSize(1);
        });
    }

    @TestFactory
    List<DynamicTest> aLongLogIsOpenedFromItsEnd() {
        return onBoth(engine -> {
            String id = newSession(engine);
            List<SessionLog.Draft> drafts = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                drafts.add(
                        new SessionLog.Draft(
                                Entry.Kind.ASSISTANT, Json.object().put("text", "t" + i)));
            }
            engine.log.appendAll(id, drafts);
            List<Entry> end = engine.log.before(id, Long.MAX_VALUE, 3);
            assertThat(end).extracting(Entry::seq).containsExactly(298L, 299L, 300L);
        });
    }

    @TestFactory
    List<DynamicTest> onlyLegalMovesHappen() {
        // AMB-195, AMB-196 (the engine's half)
        return onBoth(engine -> {
            String id = newSession(engine);
            assertThat(engine.store.move(id, Phase.PENDING).phase()).isEqualTo(Phase.PENDING);
            assertThatThrownBy(() -> engine.store.move(id, Phase.PENDING))
                    .hasMessage(
                            "cannot start session in phase \"Pending\"; must be empty,"
                                    + " Stopped, Failed, or Completed");
            engine.store.move(id, Phase.STOPPING);
            engine.store.move(id, Phase.STOPPED);
            assertThatThrownBy(() -> engine.store.move(id, Phase.STOPPING))
                    .hasMessage(
                            "cannot stop session in phase \"Stopped\"; must be Running,"
                                    + " Creating, or Pending");
            assertThat(engine.store.required(id).phase()).isEqualTo(Phase.STOPPED);
        });
    }

    // AMB-195, AMB-196: the picture of the phases, and a start that fails before it has begun
    @Test
    void thePhasesHaveExactlyTheseMoves() {
        Map<Phase, Set<Phase>> legal =
                Map.of(
                        Phase.NONE, Set.of(Phase.PENDING),
                        Phase.PENDING, Set.of(Phase.CREATING, Phase.STOPPING, Phase.FAILED),
                        Phase.CREATING, Set.of(Phase.RUNNING, Phase.STOPPING, Phase.FAILED),
                        Phase.RUNNING, Set.of(Phase.STOPPING, Phase.COMPLETED, Phase.FAILED),
                        Phase.STOPPING, Set.of(Phase.STOPPED),
                        Phase.STOPPED, Set.of(Phase.PENDING),
                        Phase.COMPLETED, Set.of(Phase.PENDING),
                        Phase.FAILED, Set.of(Phase.PENDING));
        for (Phase from : Phase.values()) {
            for (Phase to : Phase.values()) {
                assertThat(from.leadsTo(to))
                        .as(from + " to " + to)
                        .isEqualTo(legal.getOrDefault(from, Set.of()).contains(to));
            }
        }
    }

    @TestFactory
    List<DynamicTest> aDeletedSessionIsGoneWithItsLog() {
        return onBoth(engine -> {
            String id = newSession(engine);
            engine.log.append(id, Entry.Kind.USER, Json.object().put("text", "x"));
            assertThat(engine.store.delete(id)).isTrue();
            assertThat(engine.store.delete(id)).isFalse();
            assertThat(engine.log.after(id, 0, 10)).isEmpty();
            assertThatThrownBy(() -> engine.log.append(id, Entry.Kind.USER, Json.object()))
                    .hasMessage("Session with id='" + id + "' not found");
        });
    }

    @Test
    void idsSortByTimeAndHave27Characters() {
        String one = Ids.next(Clock.systemUTC());
        assertThat(one).matches("[0-9A-Za-z]{27}");
        assertThat(Ids.next(Clock.offset(Clock.systemUTC(), java.time.Duration.ofSeconds(5))))
                .isGreaterThan(one);
    }

    @TestFactory
    List<DynamicTest> aReturningViewerGetsTheDeltasItMissed() {
        return onBoth(engine -> {
            String id = newSession(engine);
            SessionFeed feed = engine.log.feed(id);
            long first = feed.publish("m1", Json.object().put("text", "a"));
            long second = feed.publish("m1", Json.object().put("text", "b"));
            long other = feed.publish("t1", Json.object().put("text", "c"));
            List<Long> rings = new ArrayList<>();
            feed.follow(0, first, deltas(rings)).close();
            assertThat(rings).containsExactly(second, other);
            engine.log.append(
                    id,
                    Entry.Kind.ASSISTANT,
                    Json.object().put("text", "ab").put("messageId", "m1").put("ring", second));
            rings.clear();
            feed.follow(0, 0, deltas(rings)).close();
            assertThat(rings).containsExactly(other);
            engine.log.append(
                    id,
                    Entry.Kind.TOOL_RESULT,
                    Json.object().put("toolCallId", "t1").put("ring", other));
            rings.clear();
            feed.follow(0, 0, deltas(rings)).close();
            assertThat(rings).isEmpty();
        });
    }

    private static SessionFeed.Viewer entries(List<Long> seen) {
        return new SessionFeed.Viewer() {
            @Override
            public void onEntry(Entry entry) {
                seen.add(entry.seq());
            }

            @Override
            public void onDelta(SessionFeed.Delta delta) {}
        };
    }

    private static SessionFeed.Viewer deltas(List<Long> rings) {
        return new SessionFeed.Viewer() {
            @Override
            public void onEntry(Entry entry) {}

            @Override
            public void onDelta(SessionFeed.Delta delta) {
                rings.add(delta.ring());
            }
        };
    }
}
