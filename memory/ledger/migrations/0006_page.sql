-- What owners set on the page, and who may act as them there. Times are Unix
-- milliseconds in UTC.

-- How an owner wants things to be. sealed: the value, which may be a name.
CREATE TABLE settings (
  owner  TEXT NOT NULL REFERENCES owners (id),
  name   TEXT NOT NULL,
  record INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;

-- Who may act as an owner on the page. kind: 'link' (good for one login), 'session'
-- or 'token'. tag: hash of the secret, which itself is not stored. id: names it to
-- people. expires_ms: NULL for never. sealed: what people call it.
CREATE TABLE entries (
  tag        BLOB PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL CHECK (kind IN ('link', 'session', 'token')),
  owner      TEXT NOT NULL REFERENCES owners (id),
  created_ms INTEGER NOT NULL,
  seen_ms    INTEGER NOT NULL,
  expires_ms INTEGER,
  record     INTEGER NOT NULL DEFAULT 0,
  sealed     BLOB
) STRICT, WITHOUT ROWID;
INSERT INTO entries (tag, id, kind, owner, created_ms, seen_ms, expires_ms)
  SELECT tag, lower(hex(randomblob(16))), kind, owner, created_ms, created_ms, expires_ms FROM logins;
DROP TABLE logins;
ALTER TABLE entries RENAME TO logins;
CREATE INDEX logins_owner ON logins (owner);

-- Passwords of owners. sealed: the name to log in by, and the hash.
CREATE TABLE passwords (
  owner  TEXT PRIMARY KEY REFERENCES owners (id),
  record INTEGER NOT NULL,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
