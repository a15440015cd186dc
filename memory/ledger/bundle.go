package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/vault"
)

// bundleHead begins a key bundle; the number is that of its format. JSON follows.
const bundleHead = "nacre key bundle 1\n"

// bundle is the half of a backup that opens the other: all keys, and what older
// snapshots do not know of what was forgotten. It holds no words.
type bundle struct {
	At      time.Time                       `json:"at"`
	Keys    []byte                          `json:"keys"`   // of vault.Export
	Leaves  int64                           `json:"leaves"` // of the audit log
	Journal map[nacre.OwnerID][]journalItem `json:"journal"`

	contents vault.Contents // of Keys, in a bundle that was read
}

// journalItem is an Op by which something was forgotten or rejected, or might be learned
// again, without the words that any other Op has.
type journalItem struct {
	ID      memory.OpID       `json:"id"`
	Writer  memory.Writer     `json:"writer"`
	Via     nacre.ChannelName `json:"via,omitempty"`
	Kind    memory.OpKind     `json:"kind"`
	Note    nacre.NoteID      `json:"note,omitempty"`
	Reason  memory.Reason     `json:"reason,omitempty"`
	Status  memory.Status     `json:"status,omitempty"`
	Tomb    *memory.Tombstone `json:"tomb,omitempty"`
	Revoked []nacre.MessageID `json:"revoked,omitempty"`
	Lifts   []memory.OpID     `json:"lifts,omitempty"`
}

// Bundle returns what is to be kept beside snapshots, and apart from them: all keys as
// they are now, and the journal of what was forgotten. With it a snapshot from before a
// forgetting is restored without what was forgotten. It opens everything, so the caller
// seals it at once. It is made anew after each forgetting, since the one before still
// opens what is gone now.
func (l *Ledger) Bundle(ctx context.Context) ([]byte, error) {
	b := bundle{At: time.Now(), Journal: map[nacre.OwnerID][]journalItem{}}
	owners, err := l.ownersIn(ctx, "SELECT DISTINCT owner FROM ops WHERE kind IN ('erase', 'settle', 'lift', 'undo')")
	if err != nil {
		return nil, err
	}
	for _, owner := range owners {
		if b.Journal[owner], err = l.journal(ctx, owner); err != nil {
			return nil, err
		}
	}
	if err := l.row(ctx, "SELECT coalesce(max(n) + 1, 0) FROM leaves", nil, &b.Leaves); err != nil {
		return nil, err
	}
	b.Keys = l.vault.Export() // last: it must know what the journal knows
	text, err := json.Marshal(b)
	return append([]byte(bundleHead), text...), err
}

// journal lists an owner's forgettings, in order.
func (l *Ledger) journal(ctx context.Context, owner nacre.OwnerID) ([]journalItem, error) {
	rows, err := l.query(ctx, `SELECT seq, id, at_ms, writer, channel, kind, version, note, reason, tag, record, sealed
		FROM ops WHERE owner = ? AND kind IN ('erase', 'settle', 'lift', 'undo') ORDER BY seq`, owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []journalItem
	for rows.Next() {
		o, err := l.scanOp(rows, owner)
		if err != nil {
			return nil, err
		}
		if p := &o.Payload; o.Kind == memory.Erase || p.Tomb != nil || len(p.Lifts) > 0 {
			list = append(list, journalItem{o.ID, o.Writer, o.Via, o.Kind, o.Note, o.Reason, p.Status, p.Tomb, p.Revoked, p.Lifts})
		}
	}
	return list, explain(rows.Err())
}

// parseBundle reads what Bundle returned; Invalid for anything else.
func parseBundle(text []byte) (*bundle, error) {
	rest, ok := bytes.CutPrefix(text, []byte(bundleHead))
	var b bundle
	if !ok || json.Unmarshal(rest, &b) != nil {
		return nil, errBundle
	}
	contents, err := vault.Exported(b.Keys)
	if err != nil {
		return nil, err
	}
	b.contents = contents
	for _, list := range b.Journal {
		if slices.ContainsFunc(list, func(i journalItem) bool { return !i.sound() }) {
			return nil, errBundle
		}
	}
	return &b, nil
}

var errBundle = nacre.Errorf(nacre.Invalid, "this is no key bundle that this Nacre knows; take another copy of keys.age, or a newer Nacre")

// sound reports whether an item is one that journal makes.
func (i *journalItem) sound() bool {
	switch i.Kind {
	case memory.Erase, memory.Settle, memory.Lift, memory.Undo:
		return i.ID != ""
	}
	return false
}
