package ledger

import (
	"bytes"
	"encoding/json"

	"nacre"
	"nacre/memory"
	"nacre/memory/audit"
	"nacre/memory/vault"
)

// comparison holds Ops against their leaves.
type comparison struct {
	l          *Ledger
	report     *audit.Report
	pseudonyms map[nacre.OwnerID][32]byte // of owners who have keys
	owners     map[[32]byte]nacre.OwnerID // the same the other way round
	forgetting map[nacre.OwnerID]bool     // a forgetting is under way
	guards     map[memory.OpID]guard
}

func (l *Ledger) newComparison(query queries, r *audit.Report) (*comparison, error) {
	c := &comparison{l, r, map[nacre.OwnerID][32]byte{}, map[[32]byte]nacre.OwnerID{}, map[nacre.OwnerID]bool{}, map[memory.OpID]guard{}}
	rows, err := query("SELECT id, EXISTS (SELECT 1 FROM erasures WHERE owner = o.id AND done_ms IS NULL) FROM owners o")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var owner nacre.OwnerID
		var forgetting bool
		if err := rows.Scan(&owner, &forgetting); err != nil {
			return nil, err
		}
		if p, err := l.pseudonym(owner); err == nil {
			c.pseudonyms[owner], c.owners[p] = p, owner
		}
		c.forgetting[owner] = forgetting
	}
	return c, explain(rows.Err())
}

// loggedOp is an Op as it stands in its row, beside its leaf.
type loggedOp struct {
	memory.Op
	owner   nacre.OwnerID
	content sealed
	leaf    []byte // nil for none
}

func (c *comparison) compareOps(query queries) error {
	rows, err := query(`SELECT seq, id, owner, version, at_ms, writer, channel, kind, note, reason, record, sealed, leaf
		FROM ops LEFT JOIN leaves ON n = seq ORDER BY seq`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var o loggedOp
		var ms int64
		if err := rows.Scan(&o.Seq, &o.ID, &o.owner, &o.Version, &ms, &o.Writer, &o.Via, &o.Kind, &o.Note, &o.Reason,
			&o.content.record, &o.content.data, &o.leaf); err != nil {
			return explain(err)
		}
		o.At = timeOf(ms)
		if fault := c.fault(o); fault != "" {
			c.report.Add(audit.Finding{Fault: fault, First: o.Seq, Last: o.Seq})
		}
	}
	return explain(rows.Err())
}

// fault is what is wrong with an Op, empty for nothing.
func (c *comparison) fault(o loggedOp) audit.Fault {
	if o.leaf == nil {
		return audit.Unlogged
	}
	leaf, err := audit.Decode(o.leaf)
	if err != nil {
		return "" // Verify has said so
	}
	same, err := leafOf(o.Op, leaf.Owner, leaf.Commitment).Encode()
	if err != nil || !bytes.Equal(same, o.leaf) {
		return audit.Altered
	}
	if leaf.Owner == c.pseudonyms[o.owner] {
		return c.contentFault(o, leaf.Commitment)
	}
	if _, another := c.owners[leaf.Owner]; another {
		return audit.Altered
	}
	return "" // of a time whose keys are destroyed, so that nothing is left to compare
}

func (c *comparison) contentFault(o loggedOp, commitment [32]byte) audit.Fault {
	if len(o.content.data) == 0 {
		_, gone := c.l.vault.Seal(vault.Binding{Owner: o.owner, Table: "ops", Record: o.content.record}, nil)
		if gone == nil && !c.forgetting[o.owner] {
			return audit.Emptied
		}
		return ""
	}
	var content opContent[json.RawMessage]
	err := c.l.unseal(o.owner, "ops", 0, o.content, &content)
	switch {
	case nacre.KindOf(err) == nacre.NotFound:
		return "" // forgotten
	case err != nil, len(content.Salt) != 32, audit.Commit([32]byte(content.Salt), content.Payload) != commitment:
		return audit.Forged
	case c.unguarded(o, content.Payload):
		return audit.Unguarded
	}
	return ""
}

// findDropped looks for leaves whose Op is not there.
func (c *comparison) findDropped(query queries) error {
	rows, err := query("SELECT n FROM leaves WHERE NOT EXISTS (SELECT 1 FROM ops WHERE seq = n) ORDER BY n")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return explain(err)
		}
		c.report.Add(audit.Finding{Fault: audit.Dropped, First: n, Last: n})
	}
	return explain(rows.Err())
}
