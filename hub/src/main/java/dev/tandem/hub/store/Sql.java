package dev.tandem.hub.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements on one connection. Belongs to the thread that was given it. */
public final class Sql {
    private final Connection connection;

    Sql(Connection connection) {
        this.connection = connection;
    }

    /** Turns one row into a value. */
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    public <T> List<T> query(String sql, Row<T> row, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = prepare(sql, parameters);
                ResultSet result = statement.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(row.read(result));
            }
            return rows;
        }
    }

    public <T> Optional<T> first(String sql, Row<T> row, @Nullable Object... parameters)
            throws SQLException {
        List<T> rows = query(sql, row, parameters);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** Runs one statement many times. */
    public void batch(String sql, List<@Nullable Object[]> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (@Nullable Object[] row : rows) {
                bind(statement, row);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private PreparedStatement prepare(String sql, @Nullable Object[] parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            bind(statement, parameters);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
