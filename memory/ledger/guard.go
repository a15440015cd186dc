package ledger

import (
	"bytes"
	"encoding/json"

	"nacre/memory"
	"nacre/memory/audit"
)

// guard is a row of tombstones, by which the database itself checks what is
// added: a keyed hash in a clear column that no leaf speaks of. It is compared with
// what the Ops say.
type guard struct {
	exact  []byte
	lifted bool
	seq    int64 // of its Op
	lifts  bool  // an Op lifts it
}

func (c *comparison) readGuards(query queries) error {
	rows, err := query("SELECT op, exact, lifted IS NOT NULL, seq FROM tombstones JOIN ops ON id = op")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var op memory.OpID
		var g guard
		if err := rows.Scan(&op, &g.exact, &g.lifted, &g.seq); err != nil {
			return explain(err)
		}
		c.guards[op] = g
	}
	return explain(rows.Err())
}

// unguarded reports whether the tombstone of an Op is not what it says.
func (c *comparison) unguarded(o loggedOp, payload json.RawMessage) bool {
	var p memory.Payload
	if json.Unmarshal(payload, &p) != nil {
		return true
	}
	for _, op := range p.Lifts {
		if g, ok := c.guards[op]; ok {
			g.lifts = true
			c.guards[op] = g
		}
	}
	if p.Tomb == nil {
		return false
	}
	g, ok := c.guards[o.ID]
	return !ok || !bytes.Equal(g.exact, p.Tomb.Exact[:])
}

// findLifted looks for tombstones that were lifted, or not, without an Op's
// having said so.
func (c *comparison) findLifted() {
	for _, g := range c.guards {
		if g.lifted != g.lifts {
			c.report.Add(audit.Finding{Fault: audit.Unguarded, First: g.seq, Last: g.seq})
		}
	}
}
