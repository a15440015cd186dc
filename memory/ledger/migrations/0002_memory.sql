-- Memory. Ops are the truth; notes are what folding them gives, and have no
-- table. Each op has one leaf in the audit log, of the same number and in the
-- same transaction. Clear columns hold ids, times, codes and keyed hashes.

-- The Merkle log, in the encoding of memory/audit.
CREATE TABLE leaves (
  n    INTEGER PRIMARY KEY,
  leaf BLOB NOT NULL
) STRICT;

CREATE TABLE hashes (
  n    INTEGER PRIMARY KEY,
  hash BLOB NOT NULL
) STRICT;

-- version: of the owner's memory after the op; of one that only records
-- something, that on which it was decided. tag: keyed hash of slot and value,
-- of a note that it adds. sealed: payload and salt; NULL once it is erased.
CREATE TABLE ops (
  seq     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  owner   TEXT NOT NULL REFERENCES owners (id),
  version INTEGER NOT NULL,
  at_ms   INTEGER NOT NULL,
  writer  TEXT NOT NULL,
  channel TEXT NOT NULL,
  kind    TEXT NOT NULL CHECK (kind IN ('add', 'revise', 'support', 'settle', 'erase', 'lift', 'pin', 'unpin', 'switch', 'undo', 'intend', 'finish', 'refuse')),
  note    TEXT NOT NULL,
  reason  TEXT NOT NULL,
  tag     BLOB,
  record  INTEGER NOT NULL,
  sealed  BLOB
) STRICT;
CREATE INDEX ops_owner ON ops (owner, seq);
CREATE INDEX ops_note ON ops (owner, note) WHERE note <> '';
CREATE UNIQUE INDEX ops_version ON ops (owner, version) WHERE kind NOT IN ('refuse', 'intend', 'finish');

-- What the trigger below needs of a tombstone; the rest lies in its op. lifted:
-- the op that did.
CREATE TABLE tombstones (
  op     TEXT PRIMARY KEY REFERENCES ops (id),
  owner  TEXT NOT NULL,
  exact  BLOB NOT NULL,
  lifted TEXT REFERENCES ops (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_exact ON tombstones (owner, exact) WHERE lifted IS NULL;

-- What holds for every writer, also for one that does not know the rules.
CREATE TRIGGER ops_have_leaf BEFORE INSERT ON ops
WHEN NOT EXISTS (SELECT 1 FROM leaves WHERE n = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'an op needs its leaf'); END;

CREATE TRIGGER ops_have_tag BEFORE INSERT ON ops
WHEN NEW.kind IN ('add', 'revise') AND NEW.tag IS NULL
BEGIN SELECT RAISE(ABORT, 'a note needs its tag'); END;

CREATE TRIGGER ops_respect_tombstones BEFORE INSERT ON ops
WHEN NEW.tag IS NOT NULL AND EXISTS (SELECT 1 FROM tombstones WHERE owner = NEW.owner AND exact = NEW.tag AND lifted IS NULL)
BEGIN SELECT RAISE(ABORT, 'this value was forgotten'); END;

CREATE TRIGGER ops_stay BEFORE DELETE ON ops
BEGIN SELECT RAISE(ABORT, 'ops are never deleted'); END;

-- Only the content goes, and it does not come back.
CREATE TRIGGER ops_do_not_change BEFORE UPDATE ON ops
WHEN NEW.sealed IS NOT NULL OR NEW.seq <> OLD.seq OR NEW.id <> OLD.id OR NEW.owner <> OLD.owner OR NEW.version <> OLD.version
  OR NEW.at_ms <> OLD.at_ms OR NEW.writer <> OLD.writer OR NEW.channel <> OLD.channel OR NEW.kind <> OLD.kind
  OR NEW.note <> OLD.note OR NEW.reason <> OLD.reason OR NEW.tag IS NOT OLD.tag OR NEW.record <> OLD.record
BEGIN SELECT RAISE(ABORT, 'ops never change'); END;

CREATE TRIGGER leaves_stay BEFORE DELETE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;
CREATE TRIGGER leaves_do_not_change BEFORE UPDATE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves never change'); END;
CREATE TRIGGER hashes_stay BEFORE DELETE ON hashes BEGIN SELECT RAISE(ABORT, 'hashes are never deleted'); END;
CREATE TRIGGER hashes_do_not_change BEFORE UPDATE ON hashes BEGIN SELECT RAISE(ABORT, 'hashes never change'); END;
CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones BEGIN SELECT RAISE(ABORT, 'tombstones are never deleted'); END;
CREATE TRIGGER tombstones_only_lift BEFORE UPDATE ON tombstones
WHEN NEW.op <> OLD.op OR NEW.owner <> OLD.owner OR NEW.exact <> OLD.exact
BEGIN SELECT RAISE(ABORT, 'tombstones never change'); END;

-- Days (YYYY-MM-DD in the owner's zone) on which a note was recalled.
CREATE TABLE hits (
  owner TEXT NOT NULL,
  note  TEXT NOT NULL,
  day   TEXT NOT NULL,
  PRIMARY KEY (owner, note, day)
) STRICT, WITHOUT ROWID;

-- Forgettings. sealed: what to look for; it goes when the forgetting is done.
CREATE TABLE erasures (
  id         TEXT PRIMARY KEY,
  owner      TEXT NOT NULL,
  size       TEXT NOT NULL CHECK (size IN ('note', 'said', 'about', 'hidden', 'all')),
  created_ms INTEGER NOT NULL,
  erased_ms  INTEGER,
  done_ms    INTEGER,
  record     INTEGER NOT NULL,
  sealed     BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_open ON erasures (id) WHERE done_ms IS NULL;

-- What memory has asked in a session and waits for, at most one thing each.
CREATE TABLE asks (
  session    TEXT PRIMARY KEY REFERENCES sessions (id),
  owner      TEXT NOT NULL,
  expires_ms INTEGER NOT NULL,
  record     INTEGER NOT NULL,
  sealed     BLOB
) STRICT, WITHOUT ROWID;

-- The files of an owner's folder as they were last written, to tell what a hand
-- changed since.
CREATE TABLE files (
  owner  TEXT NOT NULL,
  name   TEXT NOT NULL,
  record INTEGER NOT NULL,
  sealed BLOB,
  PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;

-- The newest messages of a session, answered or not.
CREATE INDEX inbox_session ON inbox (session, seq);

-- Records of an owner that a forgetting took out of use, until their keys are
-- destroyed.
CREATE TABLE doomed (
  owner  TEXT NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (owner, record)
) STRICT, WITHOUT ROWID;
