package dev.tandem.hub.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;

/** PostgreSQL behind a connection pool. */
final class PostgresDatabase implements Database {
    private static final String DISK_FULL = "53100";

    private final HikariDataSource pool;

    PostgresDatabase(String address) {
        HikariConfig config = new HikariConfig();
        URI uri = URI.create(address);
        config.setJdbcUrl(
                "jdbc:postgresql://"
                        + uri.getHost()
                        + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                        + uri.getPath()
                        + (uri.getQuery() == null ? "" : "?" + uri.getQuery()));
        String login = uri.getUserInfo();
        if (login != null) {
            int colon = login.indexOf(':');
            config.setUsername(colon < 0 ? login : login.substring(0, colon));
            if (colon >= 0) {
                config.setPassword(login.substring(colon + 1));
            }
        }
        config.setMaximumPoolSize(10);
        config.setConnectionTimeout(5_000);
        config.setAutoCommit(false);
        config.setPoolName("tandem");
        try {
            this.pool = new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "PostgreSQL at "
                            + uri.getHost()
                            + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                            + " does not answer: "
                            + rootMessage(e),
                    e);
        }
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public <T> T read(Work<T> work) {
        return write(work);
    }

    @Override
    public <T> T write(Work<T> work) {
        try (Connection connection = pool.getConnection()) {
            try {
                T value = work.run(new Sql(connection));
                connection.commit();
                return value;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            if (DISK_FULL.equals(e.getSQLState())) {
                throw new TandemException(
                        ErrorCode.STORE_FULL,
                        "The disk of the PostgreSQL server is full. Nothing of this was stored; free"
                                + " some space and try again.");
            }
            throw new StoreException("PostgreSQL answered: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private static String rootMessage(Throwable e) {
        Throwable cause = e.getCause();
        return cause == null ? String.valueOf(e.getMessage()) : rootMessage(cause);
    }
}
