package dev.tandem.hub.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullStoreTest {
    private static int add(Database store, int key, int length) {
        return store.write(sql ->
                sql.update("INSERT INTO things(id, body) VALUES (?, ?)", key, "x".repeat(length)));
    }

    private static List<Integer> keys(Database store) {
        return store.read(
                sql -> sql.query("SELECT id FROM things ORDER BY id", row -> row.getInt(1)));
    }

    @Test
    @DisplayName("Bad input: a full disk refuses what does not fit, whole, and the store goes on")
    void aFullDisk(@TempDir Path folder) throws Exception {
        try (Database store = Database.open("", folder.resolve("tandem.db"))) {
            store.write(sql -> sql.update("CREATE TABLE things(id INTEGER, body TEXT)"));
            add(store, 1, 10);
            FullDisk.fill(store);
            for (int round = 0; round < 3; round++) {
                assertThatThrownBy(() -> add(store, 2, 200_000))
                        .isInstanceOfSatisfying(
                                TandemException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL));
                assertThat(keys(store)).containsExactly(1);
            }
            List<Integer> taken = storm(store);
            taken.addFirst(1);
            assertThat(keys(store)).as("what was taken is there, the rest is not").isEqualTo(taken);
            FullDisk.free(store);
            assertThat(add(store, 1000, 200_000)).isEqualTo(1);
            taken.add(1000);
            assertThat(keys(store)).isEqualTo(taken);
        }
    }

    /** Many writers at once, some of which cannot succeed: the keys of those that did. */
    private static List<Integer> storm(Database store) throws Exception {
        List<Integer> taken = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int key = 10 + i;
                int length = i % 3 == 0 ? 200_000 : 1;
                all.add(executor.submit(() -> add(store, key, length)));
            }
            for (int i = 0; i < all.size(); i++) {
                try {
                    assertThat(all.get(i).get()).isEqualTo(1);
                    taken.add(10 + i);
                } catch (java.util.concurrent.ExecutionException refused) {
                    assertThat(i % 3).as("one that does not fit takes no other with it").isZero();
                    assertThat(refused.getCause()).isInstanceOf(TandemException.class);
                }
            }
        }
        return taken;
    }
}
