package ledger_test

import (
	"testing"

	"nacre/memory"
	"nacre/memory/audit"
)

// storedLeaves are the leaves of a data directory, in order.
func storedLeaves(t *testing.T, dir string) (all []audit.Leaf) {
	t.Helper()
	rows, err := database(t, dir).Query("SELECT leaf FROM leaves ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var b []byte
		if err := rows.Scan(&b); err != nil {
			t.Fatal(err)
		}
		leaf, err := audit.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, leaf)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLeafSaysWhatTheOpWas(t *testing.T) {
	actors := map[memory.Writer]audit.Actor{
		memory.ByChat: audit.Model, memory.ByCommand: audit.Owner, memory.ByPage: audit.Owner, memory.ByFile: audit.Owner,
		memory.ByShell: audit.Owner, memory.ByImport: audit.Import, memory.ByReflect: audit.Reflect, memory.ByRepair: audit.Repair,
		memory.ByStyle: audit.Style, memory.ByRestore: audit.Restore,
	}
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	var ops []memory.Op
	for _, w := range memory.Writers {
		op := opAdding("a")
		op.Writer = w
		ops = append(ops, op, opRefusing(memory.IsSecret))
	}
	ops = appended(t, l, o, 0, ops...)
	leaves := storedLeaves(t, dir)
	if len(leaves) != len(ops) {
		t.Fatalf("%d leaves for %d ops", len(leaves), len(ops))
	}
	for i, op := range ops {
		leaf := leaves[i]
		want := audit.Leaf{Sequence: op.Seq, Time: op.At.UTC(), Owner: leaves[0].Owner, Actor: actors[op.Writer], Channel: string(op.Via),
			Action: string(op.Kind), Record: string(op.Note), Version: op.Version, Reason: string(op.Reason), Commitment: leaf.Commitment}
		if leaf != want {
			t.Errorf("op %+v has the leaf %+v", op, leaf)
		}
	}
}

// Neither who an owner is nor whether two notes say the same can be read from
// leaves.
func TestLeavesGiveNothingAway(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	op := opAdding("a")
	appended(t, l, who[0], 0, op)
	appended(t, l, who[0], 1, op)
	appended(t, l, who[1], 0, op)
	leaves := storedLeaves(t, dir)
	if leaves[0].Owner != leaves[1].Owner || leaves[0].Owner == leaves[2].Owner {
		t.Error("an owner has two pseudonyms, or two owners have one")
	}
	if leaves[0].Commitment == leaves[1].Commitment {
		t.Error("two ops of the same content have one commitment")
	}
}
