package ledger

import (
	"database/sql"

	"nacre"
	"nacre/memory"
	"nacre/memory/audit"
)

// pseudonym is what an owner is called in the audit log: nobody finds out whose
// leaves they are without the owner's keys.
func (l *Ledger) pseudonym(owner nacre.OwnerID) ([32]byte, error) {
	return l.vault.Secret(owner, "audit pseudonym")
}

// leafOf says in the audit log's codes what an Op was.
func leafOf(o memory.Op, pseudonym, commitment [32]byte) audit.Leaf {
	return audit.Leaf{Sequence: o.Seq, Time: o.At, Owner: pseudonym, Actor: actorOf(o.Writer), Channel: string(o.Via), Action: string(o.Kind),
		Record: string(o.Note), Version: o.Version, Reason: string(o.Reason), Commitment: commitment}
}

// actorOf is empty, which no leaf may have, for a writer that is not known.
func actorOf(w memory.Writer) audit.Actor {
	if w.Owner() {
		return audit.Owner
	}
	switch w {
	case memory.ByChat:
		return audit.Model
	case memory.ByReflect:
		return audit.Reflect
	case memory.ByRepair:
		return audit.Repair
	case memory.ByStyle:
		return audit.Style
	case memory.ByImport:
		return audit.Import
	case memory.ByRestore:
		return audit.Restore
	}
	return ""
}

// putLeaf writes the next leaf of the log and the hashes that it completes.
func (t *tx) putLeaf(leaf audit.Leaf) error {
	encoded, err := leaf.Encode()
	if err != nil {
		return err
	}
	added, err := audit.Append(leaf.Sequence, encoded, hashTable{t.query})
	if err != nil {
		return err
	}
	if _, err := t.exec("INSERT INTO leaves (n, leaf) VALUES (?, ?)", leaf.Sequence, encoded); err != nil {
		return err
	}
	first := audit.HashCount(leaf.Sequence)
	for i, h := range added {
		if _, err := t.exec("INSERT INTO hashes (n, hash) VALUES (?, ?)", first+int64(i), h[:]); err != nil {
			return err
		}
	}
	return nil
}

// hashTable reads the hashes of the log, inside the transaction that query
// belongs to.
type hashTable struct {
	query func(query string, args ...any) (*sql.Rows, error)
}

// ReadHashes reads each run of consecutive indexes at once. What is not stored,
// or is no hash, stays zero.
func (h hashTable) ReadHashes(indexes []int64) ([]audit.Hash, error) {
	out := make([]audit.Hash, len(indexes))
	for from := 0; from < len(indexes); {
		to := from + 1
		for to < len(indexes) && indexes[to] == indexes[to-1]+1 {
			to++
		}
		if err := h.readRun(indexes[from], out[from:to]); err != nil {
			return nil, err
		}
		from = to
	}
	return out, nil
}

func (h hashTable) readRun(first int64, out []audit.Hash) error {
	rows, err := h.query("SELECT n, hash FROM hashes WHERE n BETWEEN ? AND ?", first, first+int64(len(out))-1)
	if err != nil {
		return explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		var hash sql.RawBytes
		if err := rows.Scan(&n, &hash); err != nil {
			return explain(err)
		}
		if at := &out[n-first]; len(hash) == len(at) {
			copy(at[:], hash)
		}
	}
	return explain(rows.Err())
}
