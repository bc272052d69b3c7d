CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  document TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  document TEXT NOT NULL,
  phase TEXT NOT NULL,
  last_seq BIGINT NOT NULL,
  read_seq BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX sessions_project ON sessions(project_id, updated_at);

CREATE TABLE messages (
  session_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  client_message_id TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (session_id, seq)
);

CREATE UNIQUE INDEX messages_client ON messages(session_id, client_message_id);
