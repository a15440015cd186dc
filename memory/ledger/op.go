package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"nacre"
	"nacre/memory"
	"nacre/memory/audit"
)

// opContent is the sealed part of an Op: what it says, and the salt of its
// leaf's commitment to that. P is json.RawMessage where the very bytes count
// that were committed to.
type opContent[P memory.Payload | json.RawMessage] struct {
	Salt    []byte `json:"s"`
	Payload P      `json:"p"`
}

// preparedOp is an Op on its way into the database.
type preparedOp struct {
	memory.Op
	pseudonym  [32]byte // of the owner
	commitment [32]byte
	content    sealed
}

// prepareOps seals Ops for appendOps, outside the writer.
func (l *Ledger) prepareOps(owner nacre.OwnerID, ops []memory.Op) ([]preparedOp, error) {
	pseudonym, err := l.pseudonym(owner)
	if err != nil {
		return nil, err
	}
	prepared := make([]preparedOp, len(ops))
	for i, o := range ops {
		payload, err := json.Marshal(o.Payload)
		if err != nil {
			return nil, err
		}
		salt := audit.NewSalt()
		content, err := l.seal(owner, "ops", 0, opContent[json.RawMessage]{salt[:], payload})
		if err != nil {
			return nil, err
		}
		prepared[i] = preparedOp{o, pseudonym, audit.Commit(salt, payload), content}
	}
	return prepared, nil
}

// Append writes Ops of an owner, with a leaf each, in one transaction, and
// returns them with what the ledger fills in. It is a Conflict if one of them
// changes memory and that is no longer at version base, or if a value among
// them was forgotten: decide again. Invalid means that a note's id, a channel or
// a reason has no form that the audit log takes. A mark moves along with them, past
// batches that had failed and are read now.
func (l *Ledger) Append(ctx context.Context, owner nacre.OwnerID, base int64, ops []memory.Op, mark *memory.Mark) ([]memory.Op, error) {
	if len(ops) == 0 && mark == nil {
		return nil, nil
	}
	prepared, err := l.prepareOps(owner, ops)
	if err != nil {
		return nil, err
	}
	var done []memory.Op
	err = l.writer.do(ctx, func(t *tx) error {
		if done, err = t.appendOps(owner, base, prepared); err != nil || mark == nil {
			return err
		}
		return t.passed(owner, *mark)
	})
	if err != nil {
		return nil, err
	}
	return done, nil
}

// appendOps is Append inside a transaction that does more, which its errors
// must undo as a whole.
func (t *tx) appendOps(owner nacre.OwnerID, base int64, prepared []preparedOp) ([]memory.Op, error) {
	var version, seq int64
	err := t.row(`SELECT coalesce((SELECT max(version) FROM ops WHERE owner = ? AND kind NOT IN ('refuse', 'intend', 'finish')), 0),
		coalesce((SELECT max(n) + 1 FROM leaves), 0)`, []any{owner}, &version, &seq)
	if err != nil {
		return nil, err
	}
	if version != base && slices.ContainsFunc(prepared, func(p preparedOp) bool { return p.Changes() }) {
		return nil, errChanged
	}
	done := make([]memory.Op, len(prepared))
	for i, p := range prepared {
		if p.Changes() {
			version++
		}
		p.Seq, p.ID, p.At, p.Version = seq+int64(i), memory.OpID(nacre.NewID(timeOf(t.nowMs))), timeOf(t.nowMs), version
		if err := t.putOp(owner, p); err != nil {
			return nil, decideAgain(err)
		}
		done[i] = p.Op
	}
	return done, nil
}

// putOp writes one Op: the leaf first, without which a trigger refuses it.
func (t *tx) putOp(owner nacre.OwnerID, p preparedOp) error {
	if err := t.putLeaf(leafOf(p.Op, p.pseudonym, p.commitment)); err != nil {
		return err
	}
	var tag any
	if p.Tag != (memory.Hash{}) {
		tag = p.Tag[:]
	}
	if _, err := t.exec(`INSERT INTO ops (seq, id, owner, version, at_ms, writer, channel, kind, note, reason, tag, record, sealed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, p.Seq, p.ID, owner, p.Version, t.nowMs, p.Writer, p.Via, p.Kind, p.Note, p.Reason,
		tag, p.content.record, p.content.data); err != nil {
		return err
	}
	return t.bury(owner, p.Op)
}

// bury puts up the tombstone of an Op and takes down those that it lifts.
func (t *tx) bury(owner nacre.OwnerID, o memory.Op) error {
	if tomb := o.Payload.Tomb; tomb != nil {
		if _, err := t.exec("INSERT INTO tombstones (op, owner, exact) VALUES (?, ?, ?)", o.ID, owner, tomb.Exact[:]); err != nil {
			return err
		}
	}
	for _, lifted := range o.Payload.Lifts {
		if _, err := t.exec("UPDATE tombstones SET lifted = ? WHERE op = ? AND owner = ? AND lifted IS NULL", o.ID, lifted, owner); err != nil {
			return err
		}
	}
	return nil
}

var (
	errChanged   = nacre.Errorf(nacre.Conflict, "memory was changed at the same moment; look again, and repeat what you wanted")
	errForgotten = nacre.Errorf(nacre.Conflict, "this was forgotten at the same moment; look again, and repeat what you wanted")
)

// decideAgain turns it into a Conflict when the database itself refused an Op
// that was decided on an older memory.
func decideAgain(err error) error {
	var e *sqlite.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Code() == lib.SQLITE_CONSTRAINT_UNIQUE:
		return errChanged
	case e.Code() == lib.SQLITE_CONSTRAINT_TRIGGER && strings.Contains(e.Error(), "this value was forgotten"):
		return errForgotten
	}
	return err
}

// Ops lists the Ops of an owner with a Seq above after, in order;
// refusals only where asked for. The Payload of what is erased is zero. A change that is damaged is an error, since memory without it
// could hold what was forgotten.
func (l *Ledger) Ops(ctx context.Context, owner nacre.OwnerID, after int64, refusals bool) ([]memory.Op, error) {
	rows, err := l.query(ctx, `SELECT seq, id, at_ms, writer, channel, kind, version, note, reason, tag, record, sealed
		FROM ops WHERE owner = ? AND seq > ? AND (kind <> 'refuse' OR ?) ORDER BY seq`, owner, after, refusals)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ops []memory.Op
	for rows.Next() {
		o, err := l.scanOp(rows, owner)
		if err != nil {
			return nil, err
		}
		ops = append(ops, o)
	}
	return ops, explain(rows.Err())
}

func (l *Ledger) scanOp(rows *sql.Rows, owner nacre.OwnerID) (o memory.Op, err error) {
	var ms int64
	var tag sql.RawBytes
	var c sealed
	if err := rows.Scan(&o.Seq, &o.ID, &ms, &o.Writer, &o.Via, &o.Kind, &o.Version, &o.Note, &o.Reason, &tag, &c.record, &c.data); err != nil {
		return o, explain(err)
	}
	o.At = timeOf(ms)
	copy(o.Tag[:], tag)
	if len(c.data) == 0 {
		return o, nil
	}
	var content opContent[memory.Payload]
	err = l.unseal(owner, "ops", 0, c, &content)
	if nacre.KindOf(err) == nacre.NotFound || err != nil && !o.Changes() {
		return o, nil // its key is gone, and with it what it said; or nothing rests on it
	}
	if err != nil {
		return o, nacre.Errorf(nacre.Internal, "change %d of memory is damaged (%w); run nacre verify, and put back the newest backup", o.Seq, err)
	}
	o.Payload = content.Payload
	return o, nil
}

// TombKey is the secret under which an owner's tombstones are made. It never
// changes, and dies with the owner's keys.
func (l *Ledger) TombKey(owner nacre.OwnerID) (memory.Hash, error) {
	return l.vault.Secret(owner, "tombstones")
}
