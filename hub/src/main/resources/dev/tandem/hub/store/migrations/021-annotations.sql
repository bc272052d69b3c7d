CREATE TABLE annotations (
  receipt_id TEXT PRIMARY KEY,
  delivery_state TEXT NOT NULL,
  reason TEXT,
  chat TEXT,
  created_at BIGINT NOT NULL,
  item_count INTEGER NOT NULL,
  byte_length INTEGER NOT NULL,
  source TEXT NOT NULL,
  label TEXT NOT NULL,
  hash TEXT NOT NULL,
  payload TEXT NOT NULL,
  consumed_at BIGINT
);

CREATE INDEX annotations_created ON annotations(created_at);
