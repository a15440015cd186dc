-- What happens without a message: jobs, their runs, and how far the reader of
-- what was said has come. Times are Unix milliseconds in UTC.

-- kind: 'reminder', 'task' or 'heartbeat'. next_ms: the slot that it is due at.
-- schedule: when it is due, as JSON. sealed: what it says.
CREATE TABLE jobs (
  id          TEXT PRIMARY KEY,
  owner       TEXT NOT NULL REFERENCES owners (id),
  number      INTEGER NOT NULL,
  session     TEXT NOT NULL REFERENCES sessions (id),
  kind        TEXT NOT NULL CHECK (kind IN ('reminder', 'task', 'heartbeat')),
  state       TEXT NOT NULL CHECK (state IN ('active', 'paused', 'disabled', 'parked', 'finished')),
  schedule    TEXT NOT NULL,
  made_ms     INTEGER NOT NULL,
  next_ms     INTEGER,
  last_ms     INTEGER,
  grace_ms    INTEGER NOT NULL,
  failures    INTEGER NOT NULL DEFAULT 0,
  may_plan    INTEGER NOT NULL DEFAULT 0,
  strange     INTEGER NOT NULL DEFAULT 0,
  chosen      INTEGER NOT NULL DEFAULT 0,
  record      INTEGER NOT NULL,
  sealed      BLOB,
  UNIQUE (owner, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_due ON jobs (next_ms) WHERE state = 'active';
CREATE INDEX jobs_parked ON jobs (id) WHERE state = 'parked';
CREATE INDEX jobs_last ON jobs (last_ms);
CREATE UNIQUE INDEX jobs_one_heartbeat ON jobs (owner) WHERE kind = 'heartbeat';

-- The highest number that an owner's jobs ever had, so that none is given twice.
CREATE TABLE job_numbers (
  owner  TEXT PRIMARY KEY REFERENCES owners (id),
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A slot of a job, or a round of what runs by itself. cost: billionths of a
-- dollar.
CREATE TABLE runs (
  job          TEXT NOT NULL,
  owner        TEXT NOT NULL,
  slot_ms      INTEGER NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('claimed', 'running', 'done', 'quiet', 'missed', 'failed', 'broken')),
  attempts     INTEGER NOT NULL DEFAULT 0,
  not_until_ms INTEGER NOT NULL DEFAULT 0,
  began_ms     INTEGER,
  ended_ms     INTEGER,
  reason       TEXT NOT NULL DEFAULT '',
  by_hand      INTEGER NOT NULL DEFAULT 0,
  calls        INTEGER NOT NULL DEFAULT 0,
  input        INTEGER NOT NULL DEFAULT 0,
  output       INTEGER NOT NULL DEFAULT 0,
  cache_read   INTEGER NOT NULL DEFAULT 0,
  cache_write  INTEGER NOT NULL DEFAULT 0,
  cost         INTEGER NOT NULL DEFAULT 0,
  unpriced     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, job, slot_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_open ON runs (slot_ms) WHERE state IN ('claimed', 'running');

-- Records of an owner that no row has any more, though nothing was forgotten; see
-- doomed.
CREATE TABLE replaced (
  owner  TEXT NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (owner, record)
) STRICT, WITHOUT ROWID;

-- How far a reader of an owner's messages has come: inbox sequence.
CREATE TABLE marks (
  owner   TEXT NOT NULL,
  reader  TEXT NOT NULL,
  through INTEGER NOT NULL,
  PRIMARY KEY (owner, reader)
) STRICT, WITHOUT ROWID;

-- Messages that a reader could not read: how often, and whether they were set
-- aside.
CREATE TABLE batches (
  owner    TEXT NOT NULL,
  reader   TEXT NOT NULL,
  first    INTEGER NOT NULL,
  through  INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  aside    INTEGER NOT NULL DEFAULT 0,
  reason   TEXT NOT NULL,
  at_ms    INTEGER NOT NULL,
  PRIMARY KEY (owner, reader, first)
) STRICT, WITHOUT ROWID;

-- What an owner was told, once for a day (YYYY-MM-DD).
CREATE TABLE told (
  owner TEXT NOT NULL,
  what  TEXT NOT NULL,
  day   TEXT NOT NULL,
  PRIMARY KEY (owner, what)
) STRICT, WITHOUT ROWID;

-- Which job put a message here, if Nacre did so by itself.
ALTER TABLE inbox ADD COLUMN job TEXT;

-- The newest that was sent to a chat.
CREATE INDEX outbox_chat ON outbox (channel, chat, seq);
