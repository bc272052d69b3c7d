CREATE TABLE audit (
    at BIGINT NOT NULL,
    client_key TEXT NOT NULL,
    client_name TEXT NOT NULL,
    door TEXT NOT NULL,
    tool TEXT NOT NULL,
    ops_session TEXT NOT NULL,
    browser TEXT NOT NULL,
    origin TEXT NOT NULL,
    outcome TEXT NOT NULL,
    reason TEXT NOT NULL,
    duration_ms BIGINT NOT NULL
);

CREATE INDEX audit_at ON audit(at);
