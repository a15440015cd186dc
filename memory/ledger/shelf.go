package ledger

import (
	"fmt"
	"strings"
)

// shelf is a table whose rows hold sealed content of owners, and what becomes
// of a row that holds what is forgotten.
type shelf struct {
	table    string
	kind     string   // what such a row is to people; empty if it is not counted
	key      string   // columns that name a row
	revision string   // column of the revision that content is bound to; empty for none
	codes    []string // JSON keys whose texts are codes and ids of ours, nobody's words
	raw      bool     // content is the bytes of a file, and no JSON
	packed   bool     // texts may be files in base64

	// One of these, or neither for a shelf that is only looked through.
	redact bool   // the words are blanked, and the rest goes on
	erase  string // statement that takes the content; ?1 is the time
	twin   *shelf // where the row of the same key goes too
}

// withdraw gives up a delivery that was not sent yet, and takes the words of one
// that was given up before, or was sent and is kept.
const withdraw = `UPDATE outbox SET sealed = NULL, keep_until_ms = NULL, reason = iif(state < 2, 'forgotten', reason),
	settled_ms = iif(state < 2, ?1, settled_ms), state = iif(state < 2, 3, state)`

// historyCodes are those of what agent keeps of turns; what a model wrote into
// the arguments of a call is its words under any key.
var historyCodes = []string{"role", "source", "id", "call_id", "name", "mime", "ref"}

// The shelves that others know by name.
var (
	inboxShelf = shelf{table: "inbox", kind: "messages", key: "seq", revision: "revision", redact: true,
		codes: []string{"p", "l", "a", "kind", "mime", "ref", "spoken", "job", "slot"}}
	readingShelf = shelf{table: "readings", kind: "files", key: "message, place", codes: []string{"p", "m", "i"},
		erase: "UPDATE readings SET sealed = NULL", twin: &attachmentShelf}
	attachmentShelf = shelf{table: "attachments", kind: "files", key: "message, place", raw: true,
		erase: "UPDATE attachments SET sealed = NULL"}

	// vectorShelf holds no words. What it holds goes with the words by triggers.
	vectorShelf = shelf{table: "vectors", key: "key, model", raw: true}

	// opShelf is memory itself. What is erased there is erased note by note.
	opShelf = shelf{table: "ops", key: "seq", codes: []string{"s", "scope", "area", "kind", "topic", "z", "origin", "message", "sent",
		"status", "replaces", "against", "revoked", "lifts", "undoes", "setting", "act"}}
)

// shelves are all places where words of an owner are kept, but for memory
// itself. A row that stays without content keeps anybody from storing that again.
// Readings stand before the attachments that they were made of.
var shelves = []*shelf{
	&inboxShelf,
	{table: "turns", kind: "turns", key: "seq", redact: true, codes: historyCodes},
	{table: "heads", kind: "summaries", key: "session", codes: historyCodes, erase: "DELETE FROM heads"},
	&readingShelf,
	&attachmentShelf,
	{table: "outbox", kind: "replies", key: "seq", packed: true, codes: []string{"mime", "question"}, erase: withdraw},
	{table: "questions", kind: "questions", key: "id", erase: "UPDATE questions SET sealed = NULL"},
	{table: "asks", key: "session", erase: "DELETE FROM asks"},
	{table: "jobs", kind: "jobs", key: "id", erase: "DELETE FROM jobs"},
	{table: "files", key: "owner, name", packed: true, erase: "DELETE FROM files"},
	{table: "settings", kind: "settings", key: "owner, name", codes: []string{"zone", "language", "hours", "model", "id", "secret", "refresh", "access", "up_to", "trouble"}, erase: "DELETE FROM settings"},
	{table: "logins", kind: "logins", key: "tag", erase: "UPDATE logins SET sealed = NULL"},
	{table: "passwords", kind: "passwords", key: "owner", codes: []string{"hash"}, erase: "DELETE FROM passwords"},
}

// keys is how many columns name a row.
func (s *shelf) keys() int { return strings.Count(s.key, ",") + 1 }

// rows is the query of an owner's content, in the order of the key, which is
// nearly that of the records: keys are derived fastest in sequence.
func (s *shelf) rows() string {
	revision := s.revision
	if revision == "" {
		revision = "0"
	}
	return fmt.Sprintf("SELECT record, %s, sealed, %s FROM %s WHERE owner = ? AND sealed IS NOT NULL ORDER BY %s", revision, s.key, s.table, s.key)
}

// row is the condition for one row that still has the content of a record,
// whose number is parameter n, before those of the key.
func (s *shelf) row(n int) string {
	marks := make([]string, s.keys())
	for i := range marks {
		marks[i] = fmt.Sprintf("?%d", n+1+i)
	}
	return fmt.Sprintf(" WHERE record = ?%d AND sealed IS NOT NULL AND (%s) = (%s)", n, s.key, strings.Join(marks, ", "))
}
