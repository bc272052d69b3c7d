CREATE TABLE ambient_documents (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  parent TEXT NOT NULL,
  document TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX ambient_documents_parent ON ambient_documents(kind, parent);
