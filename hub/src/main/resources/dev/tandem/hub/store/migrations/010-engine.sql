CREATE TABLE undelivered (
  session_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (session_id, seq)
);

CREATE TABLE unfinished (
  session_id TEXT NOT NULL,
  block TEXT NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, block)
);
