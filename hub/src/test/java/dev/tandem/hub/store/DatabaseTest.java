package dev.tandem.hub.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
    @TempDir Path folder;

    private List<DynamicTest> onBoth(ThrowingConsumer<Database> test) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Named<Database> named : Databases.fresh(folder)) {
            tests.add(
                    DynamicTest.dynamicTest(
                            named.getName(),
                            () -> {
                                try (Database database = named.getPayload()) {
                                    test.accept(database);
                                }
                            }));
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> whatWasWrittenIsRead() {
        return onBoth(database -> {
            database.write(sql -> sql.update(INSERT, "https://a.test", 1L));
            assertThat(origins(database)).containsExactly("https://a.test");
        });
    }

    @TestFactory
    List<DynamicTest> aFailedWriteLeavesNothing() {
        return onBoth(database -> {
            assertThatThrownBy(() ->
                            database.write(sql -> {
                                sql.update(INSERT, "https://a.test", 1L);
                                throw new IllegalStateException("no");
                            }))
                    .hasMessage("no");
            assertThat(origins(database)).isEmpty();
        });
    }

    @TestFactory
    List<DynamicTest> oneFailingWriteDoesNotTakeItsNeighboursAlong() {
        return onBoth(database -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    String origin = i % 10 == 0 ? "same" : "https://h" + i + ".test";
                    all.add(
                            executor.submit(
                                    () -> database.write(sql -> sql.update(INSERT, origin, 1L))));
                }
                int failed = 0;
                for (Future<?> one : all) {
                    try {
                        one.get();
                    } catch (java.util.concurrent.ExecutionException e) {
                        failed++;
                    }
                }
                assertThat(failed).isEqualTo(19);
            }
            assertThat(origins(database)).hasSize(181);
        });
    }

    @Test
    void writesSurviveReopening() {
        Path file = folder.resolve("again.db");
        try (Database database = Database.open("", file)) {
            database.write(sql -> sql.update(INSERT, "https://a.test", 1L));
        }
        try (Database database = Database.open("", file)) {
            assertThat(origins(database)).containsExactly("https://a.test");
        }
    }

    @Test
    void aStoreOfANewerVersionIsRefusedWithAWayOut() {
        Path file = folder.resolve("newer.db");
        try (Database database = Database.open("", file)) {
            database.write(
                    sql -> sql.update("INSERT INTO schema_version VALUES ('999-future.sql', 1)"));
        }
        assertThatThrownBy(() -> Database.open("", file).close())
                .hasMessageContaining("newer Tandem")
                .hasMessageContaining("--state-dir");
    }

    @Test
    void damageIsToldFromOtherFailures() throws Exception {
        Path file =
                Files.writeString(folder.resolve("bad.db"), "this is not a database".repeat(99));
        assertThatThrownBy(() -> Database.open("", file).close())
                .satisfies(e -> assertThat(Database.isCorrupt(e)).isTrue());
        assertThat(Database.isCorrupt(new IllegalStateException("other"))).isFalse();
    }

    @Test
    void aSilentPostgresIsNamed() {
        assertThatThrownBy(() -> Database.open("postgresql://u:p@127.0.0.1:1/x", folder).close())
                .hasMessageContaining("PostgreSQL at 127.0.0.1:1 does not answer");
    }

    private static final String INSERT =
            "INSERT INTO allowed_origins(origin, created_at) VALUES (?, ?)";

    private static List<String> origins(Database database) {
        return database.read(sql ->
                sql.query(
                        "SELECT origin FROM allowed_origins ORDER BY origin",
                        row -> row.getString(1)));
    }
}
