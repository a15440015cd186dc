package ledger

import (
	"context"

	"nacre"
	"nacre/memory/vault"
)

// takeAll erases everything that is kept of an owner, in all tables. What stays
// says that there were messages and turns, but nothing of what they said, so
// that a network's second delivery of a message is still known. Messages that
// wait for an answer are done; turns that are at them may still commit. Readers
// of what was said are done with all of it. Nothing is doomed: all keys of the
// owner go.
func (t *tx) takeAll(owner nacre.OwnerID, erasure string) (map[string]int, error) {
	var notes int
	if err := t.row("SELECT count(DISTINCT note) FROM ops WHERE owner = ? AND kind IN ('add', 'revise') AND sealed IS NOT NULL", []any{owner}, &notes); err != nil {
		return nil, err
	}
	counts := map[string]int{"notes": notes}
	for _, s := range []struct {
		kind, query string
		args        []any
	}{
		{"", "UPDATE ops SET sealed = NULL WHERE owner = ? AND sealed IS NOT NULL", []any{owner}},
		{"", "DELETE FROM vectors WHERE owner = ?", []any{owner}},
		{"messages", "UPDATE inbox SET sealed = NULL, state = 1 WHERE owner = ? AND (sealed IS NOT NULL OR state = 0)", []any{owner}},
		{"", "DELETE FROM readings WHERE owner = ?", []any{owner}},
		{"files", "DELETE FROM attachments WHERE owner = ?", []any{owner}},
		{"turns", "UPDATE turns SET record = NULL, sealed = NULL WHERE owner = ? AND record IS NOT NULL", []any{owner}},
		{"summaries", "DELETE FROM heads WHERE owner = ?", []any{owner}},
		{"replies", withdraw + " WHERE owner = ?2 AND sealed IS NOT NULL", []any{t.nowMs, owner}},
		{"questions", "DELETE FROM questions WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM asks WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM files WHERE owner = ?", []any{owner}},
		{"settings", "DELETE FROM settings WHERE owner = ?", []any{owner}},
		{"logins", "UPDATE logins SET sealed = NULL WHERE owner = ? AND sealed IS NOT NULL", []any{owner}},
		{"passwords", "DELETE FROM passwords WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM hits WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM bubbles WHERE turn IN (SELECT id FROM inbox WHERE owner = ? AND turn IS NOT NULL)", []any{owner}},
		{"", "UPDATE sessions SET fresh_after = (SELECT coalesce(max(seq), 0) FROM turns) WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM jobs WHERE owner = ? AND kind = 'heartbeat'", []any{owner}},
		{"jobs", "DELETE FROM jobs WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM runs WHERE owner = ?", []any{owner}},
		{"", "UPDATE marks SET through = (SELECT coalesce(max(seq), 0) FROM inbox WHERE owner = ?1) WHERE owner = ?1", []any{owner}},
		{"", "DELETE FROM batches WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM told WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM doomed WHERE owner = ?", []any{owner}},
		{"", "DELETE FROM replaced WHERE owner = ?", []any{owner}},
		{"", "UPDATE erasures SET done_ms = ?, sealed = NULL WHERE owner = ? AND id <> ? AND done_ms IS NULL", []any{t.nowMs, owner, erasure}},
	} {
		n, err := t.count(s.query, s.args...)
		if err != nil {
			return nil, err
		}
		if s.kind != "" && n > 0 {
			counts[s.kind] = int(n)
		}
	}
	return counts, nil
}

// renewKeys gives an owner other keys, once: as long as the plan can be read,
// the owner has the old ones.
func (r *erasing) renewKeys(ctx context.Context) error {
	var plan sealed
	err := r.l.reading.QueryRowContext(ctx, "SELECT record, sealed FROM erasures WHERE id = ?", r.e.ID).Scan(&plan.record, &plan.data)
	if err != nil {
		return explain(err)
	}
	if _, err := r.l.vault.Unseal(vault.Binding{Owner: r.owner, Table: "erasures", Record: plan.record}, plan.data); err == nil {
		if err := r.l.vault.DropOwner(r.owner); err != nil {
			return err
		}
	}
	if err := r.l.vault.AddOwners(r.owner); err != nil {
		return err
	}
	return r.l.writer.do(ctx, r.l.countPunctures)
}
