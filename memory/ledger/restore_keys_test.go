package ledger_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/canon"
	"nacre/memory/ledger"
	"nacre/memory/vault"
)

// restoring is a Restore into a directory that may be begun.
func restoring(dir, snapshot string, bundle []byte, older bool) error {
	_, err := ledger.Restore(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre"), Older: older}, snapshot, bundle)
	return err
}

// Keys from before a forgetting that the snapshot knows of are refused before anything
// is written, so that the newest can be taken then; whoever knows what they do may go on.
func TestKeysFromBeforeTheSnapshot(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	old := bundled(t, l)
	d.forget(t, l)
	s, dir := snap(t, l), t.TempDir()
	if err := restoring(dir, s.Path, old, false); nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "--older") {
		t.Errorf("restored with old keys: %v", err)
	}
	restoredIn(t, dir, s.Path, bundled(t, l))

	dir = t.TempDir()
	must(t, restoring(dir, s.Path, old, true))
	back := open(t, dir)
	if text := d.said(t, back); finds(text) > 0 || !strings.Contains(text, "zqxgreen") {
		t.Errorf("with old keys that are allowed it says %s", text)
	}
	back.Close()
	must(t, os.Remove(filepath.Join(dir, "keys.nacre")))
	must(t, vault.Import(filepath.Join(dir, "keys.nacre"), exported(t, old), nil, 0))
	if err := reopen(dir); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("the old keys are not noticed any more: %v", err)
	}
}

// So are keys from before an owner came.
func TestKeysFromBeforeAnOwner(t *testing.T) {
	l := open(t, t.TempDir())
	first := owners(t, l, "1001")[0]
	appended(t, l, first, 0, opAdding("my bike is green"))
	old := bundled(t, l)
	d := keep(t, l, "1002")
	s, dir := snap(t, l), t.TempDir()
	if err := restoring(dir, s.Path, old, false); nacre.KindOf(err) != nacre.Denied || !strings.Contains(err.Error(), "one of the owners") {
		t.Errorf("restored with keys from before an owner came: %v", err)
	}
	must(t, restoring(dir, s.Path, old, true))
	back := open(t, dir)
	same(t, back, l, first)
	if text := d.said(t, back); strings.Contains(text, "zqx") {
		t.Errorf("what cannot be read says %s", text)
	}
	owners(t, back, "1001", "1002")
	put(t, back, message(d.owner, "1002", "9", "and on it goes"))
	if _, err := back.OwnSettings(ctx, d.owner); err != nil {
		t.Error(err)
	}
}

// A key file that is there may be newer than the bundle, or stand for it, and then knows
// of forgettings that no journal tells.
func TestKeyFileThatIsThere(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d := keep(t, l, "1001")
	s, old := snap(t, l), bundled(t, l)
	d.forget(t, l)
	now := bundled(t, l)
	l.Close()
	keys := bytesIn(t, dir)["keys.nacre"]
	for name, c := range map[string]struct {
		bundle []byte
		older  bool
		kind   nacre.Kind
	}{
		"alone":                    {nil, false, nacre.Denied},
		"alone, allowed":           {nil, true, -1},
		"with an old bundle":       {old, false, nacre.Denied},
		"with it, allowed":         {old, true, -1},
		"with the bundle of today": {now, false, -1},
	} {
		into := t.TempDir()
		must(t, os.WriteFile(filepath.Join(into, "keys.nacre"), keys, 0o600))
		err := restoring(into, s.Path, c.bundle, c.older)
		if (err == nil) != (c.kind < 0) || err != nil && nacre.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if text := d.said(t, open(t, into)); finds(text) > 0 || !strings.Contains(text, "zqxgreen") {
			t.Errorf("%s: it says %s", name, text)
		}
	}
}

// Keys with which nothing of an owner can be read any more, since everything was
// forgotten, restore an owner who has nothing, whether or not a journal says so.
func TestKeyFileAfterEverythingWasForgotten(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	d, other := keep(t, l, "1001"), keep(t, l, "1002")
	theirs, s := other.said(t, l), snap(t, l)
	d.everything()
	d.forget(t, l)
	now := bundled(t, l)
	l.Close()
	keys := bytesIn(t, dir)["keys.nacre"]
	for name, bundle := range map[string][]byte{"alone": nil, "with the bundle": now} {
		into := t.TempDir()
		must(t, os.WriteFile(filepath.Join(into, "keys.nacre"), keys, 0o600))
		must(t, restoring(into, s.Path, bundle, true))
		back := open(t, into)
		if text := d.said(t, back); strings.Contains(canon.Form(text), "zqx") {
			t.Errorf("%s: it says %s", name, text)
		}
		if got := other.said(t, back); got != theirs {
			t.Errorf("%s: another owner's records changed to %s", name, got)
		}
		wantSettings(t, back, d.owner, map[string]string{})
		put(t, back, message(d.owner, "1001", "9", "and on it goes"))
	}
}

// What came after the snapshot, and was forgotten or rejected then, leaves its tombstone;
// what was allowed again may be learned again.
func TestDecisionsAboutWhatCameLater(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	appended(t, l, o, 0, opAdding("my bike is green"))
	s := snap(t, l)
	later := appended(t, l, o, 1, opAdding("my dog is loud"), opAdding("my cat is old"), opAdding("my fish is blue"))
	gone := appended(t, l, o, 4, memory.Op{Writer: memory.ByCommand, Kind: memory.Erase, Note: later[0].Note, Reason: memory.ByOwner,
		Payload: memory.Payload{V: 1, Tomb: &memory.Tombstone{Exact: exactTag("my dog is loud")}, Revoked: []nacre.MessageID{"m1"}}},
		opRejecting(later[1].Note, "my cat is old"), opRejecting(later[2].Note, "my fish is blue"))
	appended(t, l, o, 7, opLifting(gone[2].ID))

	back, r := restoredIn(t, t.TempDir(), s.Path, bundled(t, l))
	if r.Replayed != 4 {
		t.Errorf("%d decisions were replayed", r.Replayed)
	}
	st := memory.Fold(memory.NewState(), history(t, back, o)...)
	if !st.Revoked("m1") {
		t.Error("the message that was revoked may be evidence again")
	}
	for _, text := range []string{"my dog is loud", "my cat is old"} {
		if _, err := back.Append(ctx, o, st.Version, []memory.Op{opAdding(text)}, nil); nacre.KindOf(err) != nacre.Conflict {
			t.Errorf("%q is learned again: %v", text, err)
		}
	}
	appended(t, back, o, st.Version, opAdding("my fish is blue"))
	if again := bundled(t, back); len(again) < 100 {
		t.Errorf("the next bundle is %q", again)
	}
	if err := restoring(t.TempDir(), s.Path, bundled(t, back), false); err != nil {
		t.Errorf("the older snapshot with the next bundle: %v", err)
	}
}

// A snapshot of an older schema is brought up to date on the way.
func TestSnapshotOfAnOlderSchema(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "7", "hello"))
	bundle := bundled(t, l)
	l.Close()
	older(t, dir, 1)
	back, r := restoredIn(t, t.TempDir(), filepath.Join(dir, "nacre.db"), bundle)
	if got, err := back.Pending(ctx, in[0].Session, 0); err != nil || len(got) != 1 || got[0].Text() != "hello" || r.Schema != 1 {
		t.Errorf("restored %+v: %+v, %v", r.Snapshot, got, err)
	}
}

// A disk without room for the restored database keeps nothing of it, and no decision that
// is replayed gets lost on the way, wherever it is that the room ends.
func TestRestoreOnAFullDisk(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	put(t, l, message(o, "1001", "1", strings.Repeat("long ", 20_000)))
	note := appended(t, l, o, 0, opAdding("my bike is green"))[0].Note
	s := snap(t, l)
	for n := range int64(40) { // so many that the file grows when the log is folded into it
		appended(t, l, o, n+1, opRejecting(note, fmt.Sprint("my bike is green ", n)))
	}
	const size = 2 << 20
	bundle, dir := bundled(t, l), small(t, "2m")
	filler, refused := filepath.Join(dir, "filler"), 0
	for free := s.Bytes - 16<<10; ; free += 4 << 10 {
		must(t, os.WriteFile(filler, make([]byte, size-free), 0o600))
		err := restoring(dir, s.Path, bundle, false)
		must(t, os.Remove(filler))
		if err == nil {
			break
		}
		if refused++; nacre.KindOf(err) != nacre.Transient && nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("with %d bytes free: %v", free, err)
		}
		for _, name := range []string{"nacre.db", "restoring"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				t.Errorf("with %d bytes free: %s is left", free, name)
			}
		}
		if free > size-64<<10 {
			t.Fatal("it is never restored")
		}
	}
	if refused < 3 {
		t.Errorf("the disk was full %d times", refused)
	}
	st := memory.Fold(memory.NewState(), history(t, open(t, dir), o)...)
	if n := st.Note(note); n == nil || n.Status != memory.Rejected {
		t.Errorf("what was rejected is %+v", n)
	}
}

// Bytes that are no bundle, nearly one, or one that was tampered with are refused or
// restored, and never harm the snapshot.
func TestSpoiledBundles(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	s := snap(t, l)
	d.forget(t, l)
	good, refused := bundled(t, l), 0
	for at := 0; at < len(good); at += 1 + len(good)/25 {
		changed := append([]byte{}, good...)
		changed[at] ^= 0x15
		for _, b := range [][]byte{good[:at], changed} {
			err := restoring(t.TempDir(), s.Path, b, false)
			if k := nacre.KindOf(err); err != nil && k != nacre.Invalid && k != nacre.Conflict && k != nacre.Denied {
				t.Errorf("spoiled at %d: %v", at, err)
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused < 25 {
		t.Errorf("%d spoiled ones were refused", refused)
	}
	if again, err := ledger.CheckSnapshot(ctx, s.Path); err != nil || again.Bytes != s.Bytes || s.At.After(time.Now()) {
		t.Errorf("the snapshot is %+v, %v", again, err)
	}
}
