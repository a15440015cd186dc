package vault

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"nacre"
)

// reload closes a vault and opens its file again.
func reload(t testing.TB, v *Vault, master []byte) *Vault {
	t.Helper()
	path := keyPath(v)
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return loadFile(t, path, master)
}

func loadFile(t testing.TB, path string, master []byte) *Vault {
	t.Helper()
	v, err := checked(path, master)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

func keyPath(v *Vault) string { return v.keys.file.Name() }

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, b []byte) (path string) {
	t.Helper()
	path = t.TempDir() + "/nacre.keys"
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// golden is what a slot of a fixed state begins with; zeros follow.
func golden(t testing.TB, name string) []byte {
	t.Helper()
	text := strings.ReplaceAll(string(readFile(t, "testdata/"+name)), "\n", "")
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checked loads a key file and checks it against a database without records.
func checked(path string, master []byte) (*Vault, error) {
	v, err := Load(path, master)
	if err != nil {
		return nil, err
	}
	return v, v.Check(v.ID(), 0, 0)
}

// twice fills a slot up with zeros, and makes a key file of two of it.
func twice(slot []byte) []byte {
	b := make([]byte, 2*minCapacity)
	copy(b, slot)
	copy(b[minCapacity:], slot)
	return b
}

// The slots were written apart from this package. Files like them must always
// be readable.
func TestFileFormatIsFixed(t *testing.T) {
	clear, sealed := twice(golden(t, "clear.hex")), twice(golden(t, "sealed.hex"))
	for name, c := range map[string]struct{ file, master []byte }{
		"in clear": {clear, nil}, "sealed": {sealed, master},
	} {
		path := writeFile(t, c.file)
		v := loadFile(t, path, c.master)
		key, _ := v.state.Load().owners["owner"].key(1)
		want, _ := fixedTree().key(1)
		if v.ID() != "01890a5d-ac96-774b-bcce-b302099a8057" || v.Punctures() != 3 || key != want || next(t, v) != 1<<20+1 {
			t.Errorf("%s: read as something else", name)
		}
	}
	k, s, err := openKeyFile(mustOpen(t, writeFile(t, clear)), nil)
	if err != nil {
		t.Fatal(err)
	}
	state, ok := decodeState(s.body)
	if !ok {
		t.Fatal("the state is refused")
	}
	if err := k.write(0, minCapacity, state.encode()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readFile(t, k.file.Name()), clear) {
		t.Error("in clear: written as something else")
	}
}

func mustOpen(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestCreate(t *testing.T) {
	v := newVault(t, nil)
	path := keyPath(v)
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", st.Mode(), err)
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left beside it: %v", err)
	}
	if v.Used() {
		t.Error("a fresh file counts as used")
	}
	before := readFile(t, path)
	if _, err := Create(path, nil, epoch); nacre.KindOf(err) != nacre.Conflict {
		t.Errorf("creating over it: %v", err)
	}
	if !bytes.Equal(readFile(t, path), before) {
		t.Error("creating over it changed it")
	}
	if other := newVault(t, nil); other.ID() == v.ID() {
		t.Error("two files have one id")
	}
	if _, err := Create(t.TempDir()+"/none/nacre.keys", nil, epoch); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("in a missing directory: %v", err)
	}
}

func TestUsed(t *testing.T) {
	for name, use := range map[string]func(*Vault) error{
		"a number":         func(v *Vault) error { _, err := v.Next(); return err },
		"an owner":         func(v *Vault) error { return v.AddOwners("ana") },
		"an owner dropped": func(v *Vault) error { return errors.Join(v.AddOwners("ana"), v.DropOwner("ana")) },
	} {
		v := newVault(t, nil)
		if err := use(v); err != nil || !v.Used() {
			t.Errorf("%s: used is %v, %v", name, v.Used(), err)
		}
	}
}

func TestLoadMissing(t *testing.T) {
	path := t.TempDir() + "/nacre.keys"
	_, err := Load(path, nil)
	if nacre.KindOf(err) != nacre.NotFound || !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "NACRE_KEYS") {
		t.Errorf("the sentence does not help: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("loading made a file")
	}
}

func TestLoadKeepsOthersOff(t *testing.T) {
	v := newVault(t, nil, "ana")
	if _, err := Load(keyPath(v), nil); nacre.KindOf(err) != nacre.Conflict {
		t.Fatalf("a second time at once: %v", err)
	}
	if v = reload(t, v, nil); !v.Has("ana") {
		t.Error("after closing: the owner is gone")
	}
}

func TestMasterKey(t *testing.T) {
	other := []byte("another master key, as long")
	for _, c := range []struct {
		name         string
		create, load []byte
		kind         nacre.Kind // of the refusal; Internal for none
	}{
		{"none", nil, nil, nacre.Internal},
		{"the same", master, master, nacre.Internal},
		{"white space around it", master, []byte(" \t" + string(master) + "\r\n"), nacre.Internal},
		{"sealed by loading", nil, master, nacre.Internal},
		{"not given", master, nil, nacre.Invalid},
		{"wrong", master, other, nacre.Denied},
		{"empty", master, []byte{}, nacre.Invalid},
		{"too short", master, []byte("  fifteen bytes..  "), nacre.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVault(t, c.create, "ana")
			b := Binding{Owner: "ana", Table: "inbox", Record: 9}
			sealed := seal(t, v, b, "words")
			path := keyPath(v)
			v.Close()
			before := readFile(t, path)
			v, err := checked(path, c.load)
			if c.kind != nacre.Internal {
				if nacre.KindOf(err) != c.kind || !strings.Contains(err.Error(), "NACRE_MASTER_KEY_FILE") {
					t.Errorf("got %v", err)
				}
				if !bytes.Equal(readFile(t, path), before) {
					t.Error("the refused file was changed")
				}
				v, err = checked(path, c.create)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if !opens(v, b, sealed, "words") {
				t.Error("a record does not open")
			}
		})
	}
}

func TestMasterKeySealsTheFile(t *testing.T) {
	root := func(v *Vault) []byte { return v.state.Load().owners["ana"].nodes[0].secret[:] }
	v := newVault(t, nil, "ana")
	if !bytes.Contains(readFile(t, keyPath(v)), root(v)) {
		t.Fatal("in clear, the root is not in the file: this test would see nothing")
	}
	v = reload(t, v, master)
	if bytes.Contains(readFile(t, keyPath(v)), root(v)) {
		t.Error("after sealing by loading, the root is in the file")
	}
	if err := v.AddOwners("ben"); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(readFile(t, keyPath(v)), root(v)) {
		t.Error("after another write, the root is in the file")
	}
	if v = reload(t, v, master); !v.Has("ana") || !v.Has("ben") {
		t.Error("an owner is missing")
	}
}

func TestSecretsStayOutOfPrint(t *testing.T) {
	v := newVault(t, master, "ana")
	root := v.state.Load().owners["ana"].nodes[0].secret
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		text := fmt.Sprintf(verb, v)
		for _, secret := range []string{
			string(master), fmt.Sprintf("%x", master), strings.Trim(fmt.Sprint(master), "[]"),
			fmt.Sprintf("%x", root), strings.Trim(fmt.Sprint(root), "[]"),
		} {
			if strings.Contains(text, secret) {
				t.Errorf("%s prints a secret", verb)
			}
		}
	}
}

// Whatever a key file holds, loading does not panic, and a file that is refused
// is left as it is. The bytes are the file, or begin both its slots, or are the
// body of a slot whose checksum is right.
func FuzzLoad(f *testing.F) {
	const asFile, asSlots, asBody = 0, 1, 2
	clear := golden(f, "clear.hex")
	f.Add(clear, uint8(asSlots))
	f.Add(golden(f, "sealed.hex"), uint8(asSlots))
	f.Add(clear, uint8(asFile))
	f.Add([]byte{}, uint8(asFile))
	f.Add(clear[bodyAt:], uint8(asBody))
	f.Add(clear[bodyAt:bodyAt+50], uint8(asBody))
	f.Fuzz(func(t *testing.T, data []byte, as uint8) {
		switch data = data[:min(len(data), minCapacity-bodyAt)]; as {
		case asSlots:
			data = twice(data)
		case asBody:
			s, err := makeSlot(head{Capacity: minCapacity}, data, nil)
			if err != nil {
				t.Fatal(err)
			}
			data = s.bytes()
		}
		path := writeFile(t, data)
		v, err := Load(path, nil)
		if err != nil {
			if !bytes.Equal(readFile(t, path), data) {
				t.Error("a refused file was changed")
			}
			return
		}
		defer v.Close()
		if err := v.AddOwners("someone new"); err != nil {
			t.Error(err)
		}
		before := v.state.Load().encode()
		if v = reload(t, v, nil); !bytes.Equal(v.state.Load().encode(), before) {
			t.Error("it is loaded as something else")
		}
	})
}

func FuzzDecodeState(f *testing.F) {
	s := &state{reserved: 99, owners: map[nacre.OwnerID]*tree{"ana": fixedTree(), "ben": {nodes: fixedTree().without([]uint64{4}).nodes[:3]}}}
	f.Add(s.encode())
	f.Add(s.encode()[:70])
	f.Fuzz(func(t *testing.T, data []byte) {
		s, ok := decodeState(data)
		if ok && !bytes.Equal(s.encode(), data) {
			t.Error("another encoding of the same state is accepted")
		}
	})
}
