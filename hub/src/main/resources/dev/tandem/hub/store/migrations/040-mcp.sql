CREATE TABLE ended_mcp_sessions (
  id TEXT PRIMARY KEY,
  ended_at BIGINT NOT NULL
);
