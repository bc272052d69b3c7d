package dev.tandem.hub.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Named;

/** Both kinds of store, for suites that run on each; one PostgreSQL server per test JVM. */
public final class Databases {
    private static final EmbeddedPostgres POSTGRES = start();

    private Databases() {}

    /** Opens fresh stores: an empty SQLite file and an empty PostgreSQL database. */
    public static List<Named<Database>> fresh(Path folder) {
        return List.of(
                Named.of("SQLite", Database.open("", folder.resolve("tandem.db"))),
                Named.of("PostgreSQL", Database.open(postgresAddress(), folder)));
    }

    /** The address of a new, empty PostgreSQL database. */
    public static String postgresAddress() {
        String name = "t" + System.nanoTime();
        try (var connection = POSTGRES.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException(e);
        }
        return "postgresql://postgres:postgres@127.0.0.1:" + POSTGRES.getPort() + "/" + name;
    }

    private static EmbeddedPostgres start() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> {
                                try {
                                    postgres.close();
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            }));
            return postgres;
        } catch (IOException e) {
            throw new IllegalStateException("PostgreSQL did not start: " + e.getMessage(), e);
        }
    }
}
