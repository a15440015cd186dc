-- Finding again what was said: reading an owner's chats from either end, and
-- what embedders make of messages.

CREATE INDEX inbox_owner ON inbox (owner, seq);
CREATE INDEX turns_owner ON turns (owner, seq);

-- The edited versions of messages, which are few: whether a message has one is
-- asked of each that is read.
CREATE INDEX inbox_edits ON inbox (channel, chat, external, revision) WHERE revision > 0;

-- What an embedder made of a message or an answer. key: twice the sequence
-- number of the message, or of the turn and one more.
CREATE TABLE vectors (
  owner  TEXT NOT NULL,
  key    INTEGER NOT NULL,
  model  TEXT NOT NULL,
  record INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (owner, key, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_record ON vectors (record);

-- A vector is as telling as the words that it was made of, and goes whenever
-- any of them do, whoever takes them.
CREATE TRIGGER vectors_go_with_messages AFTER UPDATE OF sealed ON inbox
WHEN EXISTS (SELECT 1 FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2)
BEGIN
  INSERT INTO doomed (owner, record) SELECT owner, record FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2 ON CONFLICT DO NOTHING;
  DELETE FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2;
END;

CREATE TRIGGER vectors_go_with_turns AFTER UPDATE OF sealed ON turns
WHEN EXISTS (SELECT 1 FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2 + 1)
BEGIN
  INSERT INTO doomed (owner, record) SELECT owner, record FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2 + 1 ON CONFLICT DO NOTHING;
  DELETE FROM vectors WHERE owner = OLD.owner AND key = OLD.seq * 2 + 1;
END;

-- The words of a recording also belong to the edited versions of its message.
CREATE TRIGGER vectors_go_with_readings AFTER UPDATE OF sealed ON readings
BEGIN
  INSERT INTO doomed (owner, record) SELECT v.owner, v.record FROM inbox m
    JOIN inbox i ON i.channel = m.channel AND i.chat = m.chat AND i.external = m.external
    JOIN vectors v ON v.owner = i.owner AND v.key = i.seq * 2 WHERE m.id = OLD.message ON CONFLICT DO NOTHING;
  DELETE FROM vectors WHERE owner = OLD.owner AND key IN (SELECT i.seq * 2 FROM inbox m
    JOIN inbox i ON i.channel = m.channel AND i.chat = m.chat AND i.external = m.external WHERE m.id = OLD.message);
END;
