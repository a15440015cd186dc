package vault

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"nacre"
)

var (
	epoch  = time.UnixMilli(1_700_000_000_000)
	master = []byte("a master key of some length")
)

// newVault makes a key file in a directory of its own, with owners.
func newVault(t testing.TB, master []byte, owners ...nacre.OwnerID) *Vault {
	t.Helper()
	v, err := Create(t.TempDir()+"/nacre.keys", master, epoch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	if err := v.AddOwners(owners...); err != nil {
		t.Fatal(err)
	}
	return v
}

func seal(t testing.TB, v *Vault, b Binding, plain string) []byte {
	t.Helper()
	sealed, err := v.Seal(b, []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// opens reports whether sealed opens to plain; any failure must be a refusal.
func opens(v *Vault, b Binding, sealed []byte, plain string) bool {
	got, err := v.Unseal(b, sealed)
	return err == nil && string(got) == plain
}

func TestSealedBytesAreFixed(t *testing.T) {
	v := newVault(t, nil)
	s := v.state.Load().clone()
	s.owners["owner"] = fixedTree()
	v.state.Store(s)
	sealed, _ := hex.DecodeString("016465666768696a6b6c6d6e6fdeff4bf48a71b3feb25ea52b3694691c5fbb0590f68025fe72a3ec24b3")
	got, err := v.Unseal(Binding{"owner", "inbox", 7, -2}, sealed)
	if err != nil || string(got) != "a quiet shore" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestUnsealOnlyUnderTheSameBinding(t *testing.T) {
	v := newVault(t, nil, "ana", "ben", "inbox")
	b := Binding{Owner: "ana", Table: "inbox", Record: 5, Revision: 1}
	sealed := seal(t, v, b, "words")
	if !opens(v, b, sealed, "words") {
		t.Fatal("it does not open under its own binding")
	}
	for name, other := range map[string]Binding{
		"owner":            {"ben", "inbox", 5, 1},
		"table":            {"ana", "turns", 5, 1},
		"record":           {"ana", "inbox", 6, 1},
		"revision":         {"ana", "inbox", 5, 2},
		"owner and table":  {"inbox", "ana", 5, 1},
		"table without x":  {"ana", "inbo", 5, 1},
		"negative of same": {"ana", "inbox", 5, -1},
	} {
		if _, err := v.Unseal(other, sealed); err == nil {
			t.Errorf("%s: it opens under %+v", name, other)
		}
	}
}

func TestBindingsAreUnambiguous(t *testing.T) {
	seen := map[string]Binding{}
	for _, b := range []Binding{
		{"ab", "c", 1, 1}, {"a", "bc", 1, 1}, {"abc", "", 1, 1}, {"", "abc", 1, 1},
		{"a", "b", 1, 2}, {"a", "b", 2, 1}, {"a", "b\x00", 1, 2}, {"a\x00", "b", 1, 2},
	} {
		key := string(b.associated())
		if other, ok := seen[key]; ok {
			t.Errorf("%+v and %+v have the same bytes", b, other)
		}
		seen[key] = b
	}
}

func TestSealIsRandomised(t *testing.T) {
	v := newVault(t, nil, "ana")
	b := Binding{Owner: "ana", Table: "inbox", Record: 5}
	one, two := seal(t, v, b, "words"), seal(t, v, b, "words")
	if bytes.Equal(one, two) {
		t.Error("the same words sealed twice give the same bytes")
	}
	if !opens(v, b, one, "words") || !opens(v, b, two, "words") {
		t.Error("one of them does not open")
	}
	if got := len(one) - len("words"); got != 29 {
		t.Errorf("sealing adds %d bytes, want 29", got)
	}
	if empty := seal(t, v, b, ""); !opens(v, b, empty, "") {
		t.Error("an empty record does not open")
	}
}

func TestUnsealRefuses(t *testing.T) {
	v := newVault(t, nil, "ana")
	b := Binding{Owner: "ana", Table: "inbox", Record: 5}
	sealed := seal(t, v, b, "words")
	flipped := bytes.Clone(sealed)
	flipped[len(flipped)-1] ^= 1
	other := bytes.Clone(sealed)
	other[0] = 2
	if err := v.Puncture("ana", 6); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		b         Binding
		sealed    []byte
		kind      nacre.Kind
		punctured bool
	}{
		{"a flipped bit", b, flipped, nacre.Internal, false},
		{"another format", b, other, nacre.Internal, false},
		{"cut short", b, sealed[:20], nacre.Internal, false},
		{"nothing", b, nil, nacre.Internal, false},
		{"an unknown owner", Binding{"eve", "inbox", 5, 0}, sealed, nacre.NotFound, false},
		{"a punctured record", Binding{"ana", "inbox", 6, 0}, sealed, nacre.NotFound, true},
		{"no record", Binding{"ana", "inbox", 0, 0}, sealed, nacre.Invalid, false},
		{"too high a record", Binding{"ana", "inbox", records, 0}, sealed, nacre.Invalid, false},
	} {
		_, err := v.Unseal(c.b, c.sealed)
		if err == nil || nacre.KindOf(err) != c.kind || errors.Is(err, ErrPunctured) != c.punctured {
			t.Errorf("%s: got %v, want kind %v, punctured %v", c.name, err, c.kind, c.punctured)
		}
		if err != nil && strings.Contains(err.Error(), "words") {
			t.Errorf("%s: the error tells the content: %v", c.name, err)
		}
	}
	if !opens(v, b, sealed, "words") {
		t.Error("the record itself does not open")
	}
}

func FuzzUnseal(f *testing.F) {
	v := newVault(f, nil, "ana")
	b := Binding{Owner: "ana", Table: "inbox", Record: 5}
	sealed := seal(f, v, b, "words")
	f.Add(sealed, uint64(5))
	f.Add(sealed, uint64(6))
	f.Add([]byte{sealFormat}, uint64(5))
	f.Add([]byte(nil), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, record uint64) {
		got, err := v.Unseal(Binding{Owner: "ana", Table: "inbox", Record: record}, data)
		genuine := bytes.Equal(data, sealed) && record == 5
		if genuine != (err == nil) || genuine && string(got) != "words" {
			t.Errorf("genuine is %v, got %q, %v", genuine, got, err)
		}
	})
}
