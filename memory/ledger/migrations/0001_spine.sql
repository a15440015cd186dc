-- The path of one message: who may speak, what came in, what was answered,
-- what goes out. Clear columns hold ids, owners, times, states and reason
-- codes; every "sealed" column is ciphertext under the key of its "record",
-- with owner, table, record and revision as associated data.
-- Times are Unix milliseconds in UTC.

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE owners (
  id         TEXT PRIMARY KEY,
  operator   INTEGER NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX owners_one_operator ON owners (operator) WHERE operator = 1;

-- source: 'config' (listed by the operator, goes when the list no longer has
-- it), 'paired' (admitted or joined by a code), 'local' (this machine).
CREATE TABLE addresses (
  channel    TEXT NOT NULL,
  id         TEXT NOT NULL,
  owner      TEXT NOT NULL REFERENCES owners (id),
  source     TEXT NOT NULL CHECK (source IN ('config', 'paired', 'local')),
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (channel, id)
) STRICT, WITHOUT ROWID;

-- kind: 'admit' (shown to a stranger, approved by the operator) or 'join'
-- (shown to an owner, sent by their other address). The code itself is not
-- stored.
CREATE TABLE pairings (
  tag        BLOB PRIMARY KEY,
  kind       TEXT NOT NULL CHECK (kind IN ('admit', 'join')),
  owner      TEXT REFERENCES owners (id),
  channel    TEXT NOT NULL,
  sender     TEXT NOT NULL,
  chat       TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE pairing_tries (
  channel  TEXT NOT NULL,
  sender   TEXT NOT NULL,
  failures INTEGER NOT NULL,
  since_ms INTEGER NOT NULL,
  PRIMARY KEY (channel, sender)
) STRICT, WITHOUT ROWID;

-- Groups only: the owner who enabled it.
CREATE TABLE chats (
  channel    TEXT NOT NULL,
  id         TEXT NOT NULL,
  owner      TEXT NOT NULL REFERENCES owners (id),
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (channel, id)
) STRICT, WITHOUT ROWID;

-- fresh_after: turns up to this one are no longer part of the conversation.
-- model: which one answers; empty for the usual one.
CREATE TABLE sessions (
  id          TEXT PRIMARY KEY,
  owner       TEXT NOT NULL REFERENCES owners (id),
  channel     TEXT NOT NULL,
  chat        TEXT NOT NULL,
  thread      TEXT NOT NULL,
  private     INTEGER NOT NULL,
  fresh_after INTEGER NOT NULL DEFAULT 0,
  model       TEXT NOT NULL DEFAULT '',
  created_ms  INTEGER NOT NULL,
  UNIQUE (owner, channel, chat, thread)
) STRICT, WITHOUT ROWID;

-- Every message ever admitted. state: 0 pending, 1 done.
CREATE TABLE inbox (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  owner       TEXT NOT NULL,
  session     TEXT NOT NULL REFERENCES sessions (id),
  channel     TEXT NOT NULL,
  chat        TEXT NOT NULL,
  external    TEXT NOT NULL,
  revision    INTEGER NOT NULL,
  author      TEXT NOT NULL,
  to_us       INTEGER NOT NULL,
  quiet       INTEGER NOT NULL,
  sent_ms     INTEGER NOT NULL,
  received_ms INTEGER NOT NULL,
  state       INTEGER NOT NULL DEFAULT 0,
  turn        TEXT,
  record      INTEGER NOT NULL,
  sealed      BLOB,
  UNIQUE (channel, chat, external, revision)
) STRICT;
CREATE INDEX inbox_pending ON inbox (session, seq) WHERE state = 0;

CREATE TABLE attachments (
  id      TEXT PRIMARY KEY,
  message TEXT NOT NULL REFERENCES inbox (id),
  place   INTEGER NOT NULL,
  owner   TEXT NOT NULL,
  kind    TEXT NOT NULL,
  bytes   INTEGER NOT NULL,
  record  INTEGER NOT NULL,
  sealed  BLOB,
  UNIQUE (message, place)
) STRICT, WITHOUT ROWID;

-- What was made of an attachment: a transcript, the text of a document, a
-- picture as models take it.
CREATE TABLE readings (
  message TEXT NOT NULL REFERENCES inbox (id),
  place   INTEGER NOT NULL,
  owner   TEXT NOT NULL,
  record  INTEGER NOT NULL,
  sealed  BLOB,
  PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;

-- replaced: another turn took its place in the conversation (/retry).
CREATE TABLE turns (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  owner        TEXT NOT NULL,
  session      TEXT NOT NULL REFERENCES sessions (id),
  outcome      TEXT NOT NULL,
  started_ms   INTEGER NOT NULL,
  committed_ms INTEGER NOT NULL,
  replaced     INTEGER NOT NULL DEFAULT 0,
  record       INTEGER,
  sealed       BLOB
) STRICT;
CREATE INDEX turns_history ON turns (session, seq) WHERE record IS NOT NULL AND replaced = 0;

-- What stands in prompts for a session's turns up to through.
CREATE TABLE heads (
  session    TEXT PRIMARY KEY REFERENCES sessions (id),
  owner      TEXT NOT NULL,
  through    INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  record     INTEGER NOT NULL,
  sealed     BLOB
) STRICT, WITHOUT ROWID;

-- What models were asked for, in tokens and in billionths of a dollar, a row
-- for each owner, day (YYYY-MM-DD in the installation's zone) and model.
-- unpriced: tokens of models whose price is unknown.
CREATE TABLE usage (
  day         TEXT NOT NULL,
  owner       TEXT NOT NULL,
  model       TEXT NOT NULL,
  calls       INTEGER NOT NULL,
  input       INTEGER NOT NULL,
  output      INTEGER NOT NULL,
  cache_read  INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  cost        INTEGER NOT NULL,
  unpriced    INTEGER NOT NULL,
  PRIMARY KEY (day, owner, model)
) STRICT, WITHOUT ROWID;

-- One row for each rendered part. state: 0 waiting, 1 asked, 2 sent, 3 dead.
-- What was sent needs no copy here: "sealed" goes when the network has it.
CREATE TABLE outbox (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  reply        TEXT NOT NULL,
  part         INTEGER NOT NULL,
  owner        TEXT NOT NULL,
  channel      TEXT NOT NULL,
  chat         TEXT NOT NULL,
  thread       TEXT NOT NULL,
  state        INTEGER NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  unsure       INTEGER NOT NULL DEFAULT 0,
  not_until_ms INTEGER NOT NULL DEFAULT 0,
  bubble       TEXT,
  external     TEXT,
  reason       TEXT,
  created_ms   INTEGER NOT NULL,
  settled_ms   INTEGER,
  record       INTEGER NOT NULL,
  sealed       BLOB
) STRICT;
CREATE INDEX outbox_open ON outbox (channel, chat, seq) WHERE state < 2;
CREATE INDEX outbox_dead ON outbox (seq) WHERE state = 3;

-- The message in which a turn's answer is shown while it is made; gone with the
-- turn's commit.
CREATE TABLE bubbles (
  turn       TEXT PRIMARY KEY,
  external   TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Replies that offered a choice. chosen: the option's place, NULL while open.
CREATE TABLE questions (
  id         TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,
  channel    TEXT NOT NULL,
  chat       TEXT NOT NULL,
  thread     TEXT NOT NULL,
  chosen     INTEGER,
  created_ms INTEGER NOT NULL,
  record     INTEGER NOT NULL,
  sealed     BLOB
) STRICT, WITHOUT ROWID;

-- Who may use the web page. kind: 'link' (good for one login) or 'session'.
-- The secret itself is not stored.
CREATE TABLE logins (
  tag        BLOB PRIMARY KEY,
  kind       TEXT NOT NULL CHECK (kind IN ('link', 'session')),
  owner      TEXT NOT NULL REFERENCES owners (id),
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
