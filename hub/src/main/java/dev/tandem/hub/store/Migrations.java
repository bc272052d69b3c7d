package dev.tandem.hub.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Brings a database to the shape this version needs, one numbered SQL file after the other. */
final class Migrations {
    private Migrations() {}

    static void run(Database database) {
        List<String> files =
                text("migrations/index.txt").lines().filter(l -> !l.isBlank()).toList();
        database.write(sql ->
                sql.update(
                        "CREATE TABLE IF NOT EXISTS schema_version ("
                                + "name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)"));
        Set<String> applied =
                Set.copyOf(
                        database.read(sql ->
                                sql.query(
                                        "SELECT name FROM schema_version",
                                        row -> row.getString(1))));
        refuseNewer(applied, files);
        for (String file : files) {
            if (!applied.contains(file)) {
                apply(database, file);
            }
        }
    }

    private static void refuseNewer(Set<String> applied, List<String> files) {
        for (String name : applied) {
            if (!files.contains(name)) {
                throw new StoreException(
                        "The store was written by a newer Tandem (it has \""
                                + name
                                + "\"). Start that version, or name another --state-dir.",
                        new IllegalStateException(name));
            }
        }
    }

    private static void apply(Database database, String file) {
        String script = text("migrations/" + file);
        database.write(sql -> {
            for (String statement : script.split(";\\s*\\n")) {
                if (!statement.isBlank()) {
                    sql.update(statement);
                }
            }
            return sql.update(
                    "INSERT INTO schema_version(name, applied_at) VALUES (?, ?)",
                    file,
                    System.currentTimeMillis());
        });
    }

    private static String text(String name) {
        try (InputStream in = Migrations.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("Missing resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
