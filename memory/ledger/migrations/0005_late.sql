-- Networks that ask again for what was sent, chats that go on elsewhere, and
-- messages that came too late to be answered.

-- Until when the words of a part that was sent are kept; NULL for one that is not
-- sent, or whose words are gone.
ALTER TABLE outbox ADD COLUMN keep_until_ms INTEGER;
CREATE INDEX outbox_kept ON outbox (keep_until_ms) WHERE keep_until_ms IS NOT NULL;
CREATE INDEX outbox_kept_id ON outbox (channel, external) WHERE keep_until_ms IS NOT NULL;
CREATE INDEX outbox_kept_chat ON outbox (channel, chat, settled_ms) WHERE keep_until_ms IS NOT NULL;

-- What stood last in the inbox when a question was asked.
ALTER TABLE questions ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
CREATE INDEX questions_chat ON questions (channel, chat, heard);

-- The session in which the chat of this one goes on, if it had one already.
ALTER TABLE sessions ADD COLUMN successor TEXT REFERENCES sessions (id);

-- Whether it came too late to be answered; see nacre.Message. 0 in time, 1 late and
-- not spoken of yet, 2 late and nothing more is said of it.
ALTER TABLE inbox ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
CREATE INDEX inbox_late ON inbox (session, seq) WHERE late = 1;
