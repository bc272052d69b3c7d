CREATE TABLE chat_jobs (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  user_seq BIGINT NOT NULL,
  user_message_id TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  completed_at BIGINT,
  error TEXT,
  UNIQUE (session_id, user_seq)
);

CREATE TABLE chat_stream_events (
  stream_id TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  message_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  data TEXT NOT NULL,
  first_sequence BIGINT NOT NULL,
  pieces TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (stream_id, sequence)
);

CREATE TABLE chat_comments (
  id TEXT PRIMARY KEY,
  context_type TEXT NOT NULL,
  context_id TEXT NOT NULL,
  section_key TEXT,
  created_by TEXT NOT NULL,
  assigned_to TEXT,
  status TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_call_id TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX chat_comments_context ON chat_comments(context_type, context_id);
