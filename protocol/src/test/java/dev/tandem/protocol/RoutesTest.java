package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private static final Set<String> TOKENS =
            Set.of("hub", "extension", "device", "client", "session", "view", "picker", "none");

    @Test
    void everyRowIsComplete() {
        Set<String> ids = new HashSet<>();
        for (Route route : Routes.all()) {
            assertThat(ids.add(route.id())).as("id %s is used once", route.id()).isTrue();
            assertThat(route.path()).as(route.id()).startsWith("/");
            assertThat(route.methods()).as(route.id()).isNotEmpty();
            assertThat(route.listener()).as(route.id()).isNotEmpty();
            assertThat(route.door()).as(route.id()).isNotBlank();
            assertThat(route.about()).as(route.id()).isNotBlank();
            assertThat(TOKENS).as(route.id()).containsAll(route.tokens());
        }
        assertThat(ids).contains("health", "version", "metrics", "config");
    }

    @Test
    void findsARowById() {
        assertThat(Routes.byId("health").map(Route::path)).contains("/health");
        assertThat(Routes.byId("health").map(Route::free)).contains(true);
        assertThat(Routes.byId("nowhere")).isEmpty();
    }
}
