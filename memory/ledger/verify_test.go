package ledger_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nacre"
	"nacre/memory"
	"nacre/memory/audit"
	"nacre/memory/vault"
)

// remembered makes a data directory with a log of ten leaves of two owners, and
// a checkpoint of it.
func remembered(t *testing.T) (dir string, checkpoint []byte) {
	t.Helper()
	dir = t.TempDir()
	l := open(t, dir)
	who := owners(t, l, "1001", "1002")
	for i := range int64(3) {
		appended(t, l, who[0], 2*i, opAdding("a"), opRefusing(memory.IsSecret), opAdding("b"))
	}
	appended(t, l, who[1], 0, opAdding("a"))
	checkpoint, err := l.SignedCheckpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return dir, checkpoint
}

func verified(t *testing.T, dir string, checkpoints ...[]byte) audit.Report {
	t.Helper()
	l := open(t, dir)
	defer l.Close()
	r, err := l.VerifyMemory(ctx, checkpoints...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVerifyMemoryFindsWhatWasTamperedWith(t *testing.T) {
	const free = "DROP TRIGGER ops_do_not_change; DROP TRIGGER ops_stay; DROP TRIGGER leaves_stay; DROP TRIGGER leaves_do_not_change; DROP TRIGGER hashes_stay; DROP TRIGGER ops_have_leaf; "
	cases := []struct {
		name, query string
		want        []string // sentences of the findings begin so
	}{
		{"nothing", "", nil},
		{"another reason", "UPDATE ops SET reason = 'merged' WHERE seq = 4", []string{"Altered: change 4 is"}},
		{"another writer", "UPDATE ops SET writer = 'page' WHERE seq = 4", []string{"Altered: change 4 is"}},
		{"a writer unknown", "UPDATE ops SET writer = 'me' WHERE seq = 4", []string{"Altered: change 4 is"}},
		{"another time", "UPDATE ops SET at_ms = at_ms + 1 WHERE seq BETWEEN 4 AND 6", []string{"Altered: changes 4 to 6 are"}},
		{"another channel", "UPDATE ops SET channel = '' WHERE seq = 3", []string{"Altered: change 3 is"}},
		{"another kind", "UPDATE ops SET kind = 'revise' WHERE seq = 3", []string{"Altered: change 3 is"}},
		{"another note", "UPDATE ops SET note = '' WHERE seq = 3", []string{"Altered: change 3 is"}},
		{"another version", "UPDATE ops SET version = 99 WHERE seq = 3", []string{"Altered: change 3 is"}},
		{"another owner", "UPDATE ops SET owner = (SELECT owner FROM ops WHERE seq = 9), version = version + 10 WHERE seq = 3", []string{"Altered: change 3 is"}},
		{"another owner alone", "UPDATE ops SET owner = (SELECT owner FROM ops WHERE seq = 9) WHERE seq = 4", []string{"Altered: change 4 is"}},
		{"another op's content", "UPDATE ops SET (record, sealed) = (SELECT record, sealed FROM ops WHERE seq = 0) WHERE seq = 3", []string{"Forged: the content of change 3 is"}},
		{"damaged content", "UPDATE ops SET sealed = x'0102' WHERE seq = 3", []string{"Forged: the content of change 3 is"}},
		{"no content", "UPDATE ops SET sealed = NULL WHERE seq = 3", []string{"Emptied: the content of change 3 is"}},
		{"an op deleted", "DELETE FROM ops WHERE seq IN (3, 4)", []string{"Dropped: what leaves 3 to 4 speak"}},
		{"an op slipped in", "INSERT INTO ops SELECT 10, 'new', owner, 99, at_ms, writer, channel, kind, note, reason, tag, record, sealed FROM ops WHERE seq = 3", []string{"Not in the log: change 10 has"}},
		{"a leaf deleted", "DELETE FROM leaves WHERE n = 9", []string{"Truncated: the log ends before leaf 9", "Not in the log: change 9 has"}},
		{"a leaf edited", "UPDATE leaves SET leaf = unhex(replace(hex(leaf), hex('secret'), hex('sorted'))) WHERE n = 4", []string{"Edited: leaf 4 does", "Altered: change 4 is"}},
		{"a leaf in another's place", "UPDATE leaves SET leaf = (SELECT leaf FROM leaves WHERE n = 1) WHERE n = 4", []string{"Moved: in place of leaf 4", "Altered: change 4 is"}},
		{"a hash deleted", "DELETE FROM hashes WHERE n = 2", []string{"Missing: hash 2 is"}},
		{"the end cut off", "DELETE FROM ops WHERE seq > 7; DELETE FROM leaves WHERE n > 7; DELETE FROM hashes WHERE n >= 15", []string{"Rolled back: leaves 8 to 9 are"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir, checkpoint := remembered(t)
			execute(t, dir, free+c.query)
			r := verified(t, dir, checkpoint)
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.String())
			}
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) || r.OK() != (c.want == nil) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.want == nil && (r.Size != 10 || r.Anchored != 10) {
				t.Errorf("size %d, anchored %d; want 10 and 10", r.Size, r.Anchored)
			}
		})
	}
}

func TestVerifyMemoryAfterForgetting(t *testing.T) {
	dir, checkpoint := remembered(t)
	var owner nacre.OwnerID
	var record uint64
	if err := database(t, dir).QueryRow("SELECT owner, record FROM ops WHERE seq = 3").Scan(&owner, &record); err != nil {
		t.Fatal(err)
	}
	puncture(t, dir, owner, record)
	if r := verified(t, dir, checkpoint); !r.OK() {
		t.Errorf("the key is destroyed: %v", r.Findings)
	}
	execute(t, dir, "UPDATE ops SET sealed = NULL WHERE seq = 3")
	if r := verified(t, dir, checkpoint); !r.OK() {
		t.Errorf("the content is gone too: %v", r.Findings)
	}
	const begun = "UPDATE ops SET sealed = NULL WHERE seq = 5; INSERT INTO erasures (id, owner, size, created_ms, record) SELECT 'e', owner, 'note', 0, 0 FROM ops WHERE seq = 5"
	execute(t, dir, begun)
	if r := verified(t, dir, checkpoint); !r.OK() {
		t.Errorf("a forgetting is under way: %v", r.Findings)
	}
	execute(t, dir, "UPDATE erasures SET done_ms = 1")
	if r := verified(t, dir, checkpoint); r.OK() {
		t.Error("the forgetting is done, and the key is still there")
	}
}

// Of an owner who had everything forgotten the leaves remain, under a name that
// leads to nobody, and what is remembered since is compared as before.
func TestVerifyMemoryAfterAllKeysAreDestroyed(t *testing.T) {
	dir, checkpoint := remembered(t)
	var owner nacre.OwnerID
	if err := database(t, dir).QueryRow("SELECT owner FROM ops WHERE seq = 9").Scan(&owner); err != nil {
		t.Fatal(err)
	}
	keys, err := vault.Load(filepath.Join(dir, "keys.nacre"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(keys.Check(keys.ID(), 0, 0), keys.DropOwner(owner), keys.AddOwners(owner), keys.Close()); err != nil {
		t.Fatal(err)
	}
	accept(t, dir)
	execute(t, dir, "UPDATE ops SET sealed = NULL WHERE seq = 9")
	l := open(t, dir)
	appended(t, l, owner, 1, opAdding("anew"))
	l.Close()
	if r := verified(t, dir, checkpoint); !r.OK() || r.Size != 11 || r.Anchored != 10 {
		t.Errorf("got %+v", r)
	}
	execute(t, dir, "UPDATE ops SET sealed = NULL WHERE seq = 10")
	if r := verified(t, dir, checkpoint); len(r.Findings) != 1 || r.Findings[0].Fault != audit.Emptied || r.Findings[0].First != 10 {
		t.Errorf("the new content is gone: %v", r.Findings)
	}
}

func TestVerifyMemoryOfNothing(t *testing.T) {
	l := open(t, t.TempDir())
	owners(t, l, "1001")
	checkpoint, err := l.SignedCheckpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := l.VerifyMemory(ctx, checkpoint); err != nil || !r.OK() || r.Size != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestCheckpointIsOfThisInstallation(t *testing.T) {
	dir, checkpoint := remembered(t)
	_, foreign := remembered(t)
	l := open(t, dir)
	appended(t, l, owners(t, l, "1001", "1002")[1], 1, opAdding("later"))
	c, err := l.OpenCheckpoint(checkpoint)
	if err != nil || c.Size != 10 || !strings.HasPrefix(c.Origin, "nacre/") {
		t.Errorf("after a restart: %+v, %v", c, err)
	}
	if r, err := l.VerifyMemory(ctx, checkpoint); err != nil || !r.OK() || r.Size != 11 || r.Anchored != 10 || r.Root == c.Root {
		t.Errorf("got %+v, %v; want 11 leaves, 10 of them anchored", r, err)
	}
	changed := []byte(strings.Replace(string(checkpoint), "\n10\n", "\n11\n", 1))
	for name, signed := range map[string][]byte{"of another": foreign, "changed": changed, "of nobody": []byte("hello\n")} {
		if _, err := l.OpenCheckpoint(signed); nacre.KindOf(err) != nacre.Denied {
			t.Errorf("%s: %v, want denied", name, err)
		}
		r, err := l.VerifyMemory(ctx, signed)
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Fault != audit.NotOurs {
			t.Errorf("%s: %v, %v; want that it is not ours", name, r.Findings, err)
		}
	}
}

// Leaves that come while somebody verifies are seen whole or not at all.
func TestVerifyMemoryReadsOneState(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	stop, stopped := make(chan bool), make(chan error)
	go func() {
		for base := int64(0); ; base++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if _, err := l.Append(ctx, o, base, []memory.Op{opAdding("a")}, nil); err != nil {
				stopped <- err
				return
			}
		}
	}()
	for seen := int64(0); seen < 20; {
		r, err := l.VerifyMemory(ctx)
		if err != nil || !r.OK() {
			t.Errorf("got %+v, %v", r, err)
			break
		}
		seen = r.Size
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
