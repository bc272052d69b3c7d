CREATE TABLE browsers (
  browser_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hub_key TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE extension_sessions (
  id TEXT PRIMARY KEY,
  browser_id TEXT NOT NULL,
  device_name TEXT NOT NULL,
  access_hash TEXT NOT NULL,
  access_expires_at BIGINT NOT NULL,
  refresh_hash TEXT NOT NULL,
  refresh_expires_at BIGINT NOT NULL,
  previous_refresh_hash TEXT,
  previous_until BIGINT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE INDEX extension_sessions_access ON extension_sessions(access_hash);

CREATE INDEX extension_sessions_refresh ON extension_sessions(refresh_hash);

CREATE TABLE client_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL UNIQUE,
  profile TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE allowed_origins (
  origin TEXT PRIMARY KEY,
  created_at BIGINT NOT NULL
);
