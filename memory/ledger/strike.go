package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"

	"nacre"
	"nacre/memory"
)

// strike is what happens to one row that holds what is forgotten.
type strike struct {
	shelf *shelf
	row   sealedRow
	clean sealed // what is left of it, where the shelf is redacted
}

// sealClean seals what is left of a row as another record, so that the key of
// the first can go.
func (l *Ledger) sealClean(owner nacre.OwnerID, s *shelf, r *sealedRow, clean []byte) (sealed, error) {
	if !s.redact {
		return sealed{}, nil
	}
	return l.seal(owner, s.table, r.revision, json.RawMessage(clean))
}

// strike does it, and dooms the record that the row was. It returns false if the
// row has become another meanwhile.
func (t *tx) strike(owner nacre.OwnerID, k *strike) (bool, error) {
	s := k.shelf
	query, args := s.erase+s.row(2), []any{t.nowMs, k.row.record}
	if s.redact {
		query, args = "UPDATE "+s.table+" SET record = ?1, sealed = ?2"+s.row(3), []any{k.clean.record, k.clean.data, k.row.record}
	}
	n, err := t.count(query, append(args, k.row.key...)...)
	if err != nil {
		return false, err
	}
	if _, err := t.exec("INSERT INTO doomed (owner, record) VALUES (?, ?) ON CONFLICT DO NOTHING", owner, k.row.record); err != nil {
		return false, err
	}
	if s.twin != nil {
		err = t.strikeKey(owner, s.twin, k.row.key...)
	}
	return n > 0, err
}

// strikeKey erases the row of a key, if it is there and not erased yet.
func (t *tx) strikeKey(owner nacre.OwnerID, s *shelf, key ...any) error {
	k := strike{shelf: s, row: sealedRow{key: key}}
	err := t.row("SELECT record FROM "+s.table+" WHERE sealed IS NOT NULL AND ("+s.key+") = (?, ?)", key, &k.row.record)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = t.strike(owner, &k)
	return err
}

// blankCited blanks the places in messages that the forgotten notes rest on.
func (r *erasing) blankCited(t *tx) (map[string]int, error) {
	counts := map[string]int{}
	if r.e.Size == memory.SizeNote {
		return counts, nil
	}
	places := map[nacre.MessageID][]memory.Evidence{}
	for _, e := range r.e.Cited {
		places[e.Message] = append(places[e.Message], e)
	}
	for id, list := range places {
		blanked, err := r.blankMessage(t, id, list)
		if err != nil {
			return nil, err
		}
		if blanked {
			counts[inboxShelf.kind]++
		}
	}
	return counts, nil
}

func (r *erasing) blankMessage(t *tx, id nacre.MessageID, places []memory.Evidence) (bool, error) {
	k := strike{shelf: &inboxShelf, row: sealedRow{key: make([]any, 1)}}
	err := t.row("SELECT seq, revision, record, sealed FROM inbox WHERE id = ? AND owner = ? AND sealed IS NOT NULL",
		[]any{id, r.owner}, &k.row.key[0], &k.row.revision, &k.row.record, &k.row.data)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var content messageContent
	if r.l.unseal(r.owner, "inbox", k.row.revision, k.row.sealed, &content) != nil {
		return false, nil // nobody can read it any more
	}
	for _, e := range places {
		if err := r.blankPlace(t, &content, e); err != nil {
			return false, err
		}
	}
	if k.clean, err = r.sealMessage(&k.row, content); err != nil {
		return false, err
	}
	return t.strike(r.owner, &k)
}

// blankPlace blanks one place. Behind a message's own segments come those that
// were heard in its attachments, of which nothing is kept then.
func (r *erasing) blankPlace(t *tx, content *messageContent, e memory.Evidence) error {
	if heard := e.Segment - len(content.Segments); heard >= 0 {
		return t.strikeKey(r.owner, &readingShelf, e.Message, heard)
	}
	if quote := e.Quote(memory.Source{Segments: content.Segments}); quote != "" {
		blanked, _ := (&memory.Needle{All: true}).Redact(quote)
		text := &content.Segments[e.Segment].Text
		*text = (*text)[:e.From] + blanked + (*text)[e.To:]
	}
	return nil
}

// sealMessage seals a message whose cited words are blanked, without what else
// in it says the same.
func (r *erasing) sealMessage(row *sealedRow, content messageContent) (sealed, error) {
	plain, err := json.Marshal(content)
	if err != nil {
		return sealed{}, err
	}
	if r.e.Needle != nil {
		look := redaction{shelf: &inboxShelf, needle: r.e.Needle}
		if clean, found := look.redacted(plain); found {
			plain = clean
		}
	}
	return r.l.sealClean(r.owner, &inboxShelf, row, plain)
}
