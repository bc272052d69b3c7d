CREATE TABLE extension_tool_permissions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  origin TEXT NOT NULL,
  client TEXT NOT NULL DEFAULT '*',
  policy TEXT NOT NULL DEFAULT 'allow',
  updated_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL DEFAULT 0,
  deleted_at BIGINT
);

CREATE UNIQUE INDEX extension_tool_permissions_key
  ON extension_tool_permissions(user_id, workspace_id, tool_name, origin, client);

CREATE INDEX extension_tool_permissions_tool ON extension_tool_permissions(tool_name, origin);

CREATE TABLE permission_decisions (
  at BIGINT NOT NULL,
  client TEXT NOT NULL,
  client_name TEXT NOT NULL,
  project TEXT NOT NULL,
  tool_call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  kinds TEXT NOT NULL,
  origin TEXT NOT NULL,
  tab TEXT NOT NULL,
  decision TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  rule_id TEXT NOT NULL,
  duration_ms BIGINT NOT NULL
);

CREATE INDEX permission_decisions_at ON permission_decisions(at);
