package dev.tandem.hub.permission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Databases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.jupiter.api.io.TempDir;

class PermissionRulesTest {
    private static final Ask.Who WHO = DeskFixture.who(Caller.Mode.ASK);
    private static final String ORIGIN = "https://app.example.com";

    @TempDir Path folder;

    private List<DynamicTest> onBoth(ThrowingConsumer<PermissionRules> test) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Named<Database> named : Databases.fresh(folder)) {
            tests.add(
                    DynamicTest.dynamicTest(
                            named.getName(),
                            () -> {
                                try (Database database = named.getPayload()) {
                                    test.accept(
                                            new PermissionRules(database, new DeskFixture.Time()));
                                }
                            }));
        }
        return tests;
    }

    private static PermissionRules.Wish wish(String tool, String origin, boolean allow, long at) {
        return new PermissionRules.Wish("default", tool, origin, "*", allow, at, 0);
    }

    @TestFactory
    @DisplayName("PLG-98 PLG-99 PLG-101 a second rule on the same key replaces; removing repeats")
    List<DynamicTest> oneRulePerKey() {
        return onBoth(rules -> {
            rules.put(wish("TAB_ACTION:click", ORIGIN + "/path", true, 10));
            Rule stored = rules.put(wish("tab_action:click", ORIGIN, false, 20));
            assertThat(stored.allow()).isFalse();
            assertThat(rules.list("default")).containsExactly(stored);
            assertThat(rules.put(wish("tab_action:click", ORIGIN, true, 15))).isEqualTo(stored);
            assertThat(rules.list("other")).isEmpty();
            assertThat(rules.remove("default", "tab_action:click", ORIGIN + "/x", "*")).isTrue();
            assertThat(rules.remove("default", "tab_action:click", ORIGIN, "*")).isFalse();
            assertThat(rules.list("default")).isEmpty();
            assertThat(rules.removedSince("default", 0)).hasSize(1);
            assertThat(rules.put(wish("tab_action:click", ORIGIN, true, Long.MAX_VALUE)).allow())
                    .isTrue();
            assertThat(rules.list("default")).hasSize(1);
        });
    }

    @TestFactory
    @DisplayName("PLG-95 PLG-96 the most specific rule wins, then the newest, then deny")
    List<DynamicTest> specificityDecides() {
        return onBoth(rules -> {
            rules.put(wish("*", "*", false, 100));
            rules.put(wish("tab_action:*", "*.example.com", true, 1));
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN).orElseThrow().allow())
                    .isTrue();
            assertThat(rules.deciding(WHO, "tab_read:dom", ORIGIN).orElseThrow().allow()).isFalse();
            rules.put(
                    new PermissionRules.Wish(
                            "default", "tab_action:*", "*.example.com", "s1", false, 1, 0));
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN).orElseThrow().allow())
                    .isFalse();
            rules.put(wish("aa_action:*", "*.example.com", true, 5));
            rules.put(
                    new PermissionRules.Wish("", "tab_actio*", "*.example.com", "s1", true, 9, 0));
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN).orElseThrow().allow())
                    .isFalse();
            rules.put(
                    new PermissionRules.Wish("default", "tab_action:c*", ORIGIN, "*", true, 9, 1));
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN).orElseThrow().allow())
                    .as("a rule that has ended does not count")
                    .isFalse();
        });
    }

    /** Lets something happen between a read and its end, as another thread might. */
    private record Meanwhile(Database real, AtomicReference<Runnable> next) implements Database {
        @Override
        public <T> T read(Work<T> work) {
            T result = real.read(work);
            next.getAndSet(() -> {}).run();
            return result;
        }

        @Override
        public <T> T write(Work<T> work) {
            return real.write(work);
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Test
    @DisplayName("PLG-101 a rule that changes while the rules are read holds from then on")
    void whatChangesDuringAReadHolds() {
        AtomicReference<Runnable> next = new AtomicReference<>(() -> {});
        try (Database database =
                new Meanwhile(Database.open("", folder.resolve("read.db")), next)) {
            PermissionRules rules = new PermissionRules(database, new DeskFixture.Time());
            rules.put(wish("tab_action:click", ORIGIN, true, 10));
            next.set(() -> rules.remove("default", "tab_action:click", ORIGIN, "*"));
            rules.everyone();
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN)).isEmpty();

            rules.put(wish("tab_action:*", ORIGIN, true, 20));
            next.set(() -> rules.put(wish("tab_action:click", ORIGIN, false, 0)));
            rules.everyone();
            assertThat(rules.deciding(WHO, "tab_action:click", ORIGIN).orElseThrow().allow())
                    .isFalse();
        }
    }
}
