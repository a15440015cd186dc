package ledger

import (
	"time"

	"nacre"
	"nacre/memory"
)

// Saying is a message of a person, or an answer of Nacre's, as words that can be
// found again.
type Saying struct {
	Key      int64 // unique for an owner, never 0, opaque to others
	Session  nacre.SessionID
	Channel  nacre.ChannelName
	Scope    memory.Scope
	Author   nacre.Address // of a message; zero where the network named no person
	Own      bool          // a message of the owner
	Answer   bool          // of Nacre's
	Sent     time.Time     // an answer: when its turn was committed
	Text     string
	Replaces int64            // the key of the earlier version of an edited message; 0 for none
	Message  nacre.MessageID  // empty for an answer
	External nacre.ExternalID // what its sender calls a message
	Turn     nacre.TurnID     // that answered it, or that it is the answer of; empty while it waits
	Strange  bool             // holds words of people who did not write it: forwarded ones, or what an answer repeats of a page
	Heard    bool             // holds words that were written down from a recording
	Files    []string         // names of the files that came with a message, if each has one

	// Elsewhere is the other assistant in whose chat it was said, as it was written
	// down; empty for what was said to Nacre.
	Elsewhere string

	bare string // of a message with Files: its Text without labels
	came int64  // by our clock, in Unix milliseconds: what a conversation is ordered by
}

// Words is the Text without what Files says already.
func (s *Saying) Words() string {
	if s.Files != nil {
		return s.bare
	}
	return s.Text
}

// sayingRow is a Saying as it lies in the database.
type sayingRow struct {
	sealed
	Saying
	seq      int64
	sentMs   int64
	revision int64
	former   int64 // sequence number of the earlier version; 0 for none
	waits    bool  // no turn has answered it yet
	author   string
	away     nacre.ChatID // the chat, if it was elsewhere
}

// strand is one of the two tables that chats are made of.
type strand struct {
	table   string
	came    string // column of the time by which its rows are ordered
	columns string // of a sayingRow
	words   string // condition for rows that may hold words, in their newest version
	parity  int64  // of its keys, which are twice the sequence number and this
}

// The strands. Reactions are quiet, and neither late nor edits; what a job says is
// nobody's word, and is found as the answer that says it.
var (
	messages = strand{table: "inbox", came: "received_ms",
		columns: `i.seq, i.session, i.received_ms, i.sent_ms, i.id, i.external, coalesce(i.turn, ''), i.author, i.revision,
			iif(i.revision > 0, coalesce((SELECT seq FROM inbox f WHERE f.channel = i.channel AND f.chat = i.chat AND f.external = i.external
				AND f.revision < i.revision ORDER BY f.revision DESC LIMIT 1), 0), 0), i.state = 0, iif(i.` + isElsewhere + `, i.chat, ''), i.record, i.sealed`,
		words: `i.sealed IS NOT NULL AND i.job IS NULL AND (i.quiet = 0 OR i.late = 1 OR i.revision > 0) AND NOT EXISTS (SELECT 1 FROM inbox n INDEXED BY inbox_edits
			WHERE n.channel = i.channel AND n.chat = i.chat AND n.external = i.external AND n.revision > 0 AND n.revision > i.revision)`}
	answers = strand{table: "turns", came: "committed_ms", parity: 1,
		columns: "i.seq, i.session, i.committed_ms, i.committed_ms, '', '', i.id, '', 0, 0, 0, '', i.record, i.sealed",
		words:   "i.record IS NOT NULL AND i.replaced = 0 AND i.outcome = 'answered'"}
)

func (s *strand) key(seq int64) int64 { return seq<<1 | s.parity }

// strandOf is where the Saying of a key lies, and its sequence number there.
func strandOf(key int64) (*strand, int64) {
	if key&1 == answers.parity {
		return &answers, key >> 1
	}
	return &messages, key >> 1
}
