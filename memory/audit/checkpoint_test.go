package audit

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"nacre"
)

const origin = "nacre/0190a3f4-5f3e-7cc1-9d2b-000000000001"

// key is a log's key.
type key struct {
	signer   Signer
	verifier Verifier
}

func newKey(t testing.TB, origin string, seed byte) key {
	t.Helper()
	s, v, err := NewKey(origin, [32]byte{seed})
	if err != nil {
		t.Fatal(err)
	}
	return key{s, v}
}

// newLog is the key that is ours.
func newLog(t testing.TB) key { return newKey(t, origin, 1) }

// checkpoint is what the log was with n leaves.
func (s *store) checkpoint(t testing.TB, n int64) Checkpoint {
	return Checkpoint{Origin: origin, Size: n, Root: s.root(t, n), Time: start.Add(time.Duration(n) * time.Second)}
}

// sign makes the anchor of a log at n leaves.
func (k key) sign(t testing.TB, s *store, n int64) []byte {
	t.Helper()
	c := s.checkpoint(t, n)
	c.Origin = k.signer.Name()
	signed, err := Sign(c, k.signer)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func (k key) signText(t testing.TB, text string) []byte {
	t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestCheckpointRoundTrip(t *testing.T) {
	ours, s := newLog(t), newStore(t, 5)
	for _, n := range []int64{0, 1, 5} {
		want := s.checkpoint(t, n)
		if got, err := Open(ours.sign(t, s, n), ours.verifier); err != nil || got != want {
			t.Errorf("%d leaves: %v, %v, want %v", n, got, err, want)
		}
	}
}

// TestCheckpointForm pins the bytes that lie in people's chats.
func TestCheckpointForm(t *testing.T) {
	c := Checkpoint{Origin: origin, Size: 1234, Root: Hash{1, 2, 3}, Time: start.Add(time.Microsecond)}
	signed, err := Sign(c, newLog(t).signer)
	if err != nil {
		t.Fatal(err)
	}
	const root = "AQIDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	want := origin + "\n1234\n" + root + "\n2026-02-03T04:05:06.789Z\n\n— " + origin + " "
	if got := string(signed); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 6 {
		t.Errorf("got %q, want %q and a signature", got, want)
	}
	if again, _ := Sign(c, newLog(t).signer); !bytes.Equal(again, signed) {
		t.Error("the same seed signs otherwise")
	}
	if got, want := c.String(), "Memory log "+origin+", 2026-02-03 04:05 UTC: size 1234, root "+root; got != want {
		t.Errorf("in a chat: %q, want %q", got, want)
	}
	longest := Checkpoint{Origin: strings.Repeat("a", maxOrigin), Size: 1<<63 - 1, Time: time.UnixMilli(maxMilli)}
	if n := len(longest.String()); n > 200 {
		t.Errorf("the line has %d characters", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	ours, s := newLog(t), newStore(t, 5)
	good := string(ours.sign(t, s, 5))
	text := s.checkpoint(t, 5).text()
	if _, err := Open([]byte(good), ours.verifier); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ours.signText(t, text), ours.verifier); err != nil {
		t.Fatal(err)
	}
	spelled := func(old, spelling string) string {
		return string(ours.signText(t, strings.Replace(text, old, spelling, 1)))
	}
	for _, c := range []struct {
		name   string
		signed string
		want   nacre.Kind
	}{
		{"nothing", "", nacre.Invalid},
		{"prose", "the log is fine\n", nacre.Denied},
		{"no last line break", strings.TrimSuffix(good, "\n"), nacre.Invalid},
		{"too long", good + strings.Repeat("\n", maxCheckpoint), nacre.Invalid},
		{"forged size", strings.Replace(good, "\n5\n", "\n4\n", 1), nacre.Denied},
		{"forged root", strings.Replace(good, s.root(t, 5).String(), s.root(t, 4).String(), 1), nacre.Denied},
		{"no signature", text, nacre.Denied},
		{"another key", string(newKey(t, origin, 2).sign(t, s, 5)), nacre.Denied},
		{"another log", string(newKey(t, "nacre/other", 1).sign(t, s, 5)), nacre.Denied},
		{"another log under our key's name", spelled(origin, "nacre/other"), nacre.Denied},
		{"the Go checksum database", spelled(text, "go.sum database tree\n5\n"+s.root(t, 5).String()+"\n"), nacre.Invalid},
		{"a plus sign", spelled("\n5\n", "\n+5\n"), nacre.Invalid},
		{"a leading zero", spelled("\n5\n", "\n05\n"), nacre.Invalid},
		{"less than nothing", spelled("\n5\n", "\n-5\n"), nacre.Invalid},
		{"an empty log with a root", spelled("\n5\n", "\n0\n"), nacre.Invalid},
		{"a short root", spelled(s.root(t, 5).String(), "AAAA"), nacre.Invalid},
		{"a zone", spelled("Z\n", "+00:00\n"), nacre.Invalid},
		{"fewer digits", spelled(".789Z\n", ".78Z\n"), nacre.Invalid},
		{"a line more", spelled(text, text+"more\n"), nacre.Invalid},
	} {
		got, err := Open([]byte(c.signed), ours.verifier)
		if err == nil || nacre.KindOf(err) != c.want || got != (Checkpoint{}) {
			t.Errorf("%s: %v, %v, want an error of kind %v", c.name, got, err, c.want)
		}
	}
}

// TestOpenKeepsOtherSignatures: a witness may sign beside us.
func TestOpenKeepsOtherSignatures(t *testing.T) {
	ours, witness, s := newLog(t), newKey(t, "witness", 3), newStore(t, 5)
	both, err := note.Sign(&note.Note{Text: s.checkpoint(t, 5).text()}, witness.signer, ours.signer)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Open(both, ours.verifier); err != nil || c.Size != 5 {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestSignRefuses(t *testing.T) {
	ours, s := newLog(t), newStore(t, 5)
	if _, err := Sign(s.checkpoint(t, 5), ours.signer); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Checkpoint){
		"another log":              func(c *Checkpoint) { c.Origin = "nacre/other" },
		"less than nothing":        func(c *Checkpoint) { c.Size = -1 },
		"an empty log with a root": func(c *Checkpoint) { c.Size = 0 },
		"no time":                  func(c *Checkpoint) { c.Time = time.Time{} },
	} {
		c := s.checkpoint(t, 5)
		spoil(&c)
		if signed, err := Sign(c, ours.signer); err == nil {
			t.Errorf("%s: signed as %q", name, signed)
		}
	}
}

func TestKeyIsThatOfItsSeed(t *testing.T) {
	a, again := newKey(t, origin, 1), newKey(t, origin, 1)
	sig, err := a.signer.Sign([]byte("x"))
	if err != nil || !again.verifier.Verify([]byte("x"), sig) || a.signer.KeyHash() != again.verifier.KeyHash() {
		t.Errorf("the same seed gives another key: %v", err)
	}
	if newKey(t, origin, 2).verifier.Verify([]byte("x"), sig) {
		t.Error("another seed gives the same key")
	}
	for _, bad := range []string{"", "nacre log", "nacre+log", "Nacre", "größe", "a\nb", strings.Repeat("a", maxOrigin+1)} {
		if _, _, err := NewKey(bad, [32]byte{1}); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("origin %q: %v", bad, err)
		}
	}
}

// FuzzOpen: as it stands nothing but what we signed opens, and of the texts
// under our signature only those that say one checkpoint in its one spelling.
func FuzzOpen(f *testing.F) {
	ours, s := newLog(f), newStore(f, 5)
	good := ours.sign(f, s, 5)
	text := s.checkpoint(f, 5).text()
	f.Add(good)
	f.Add([]byte(text))
	f.Add([]byte(strings.Replace(text, "5", "+5", 1)))
	f.Add(newKey(f, origin, 2).sign(f, s, 5))
	f.Add([]byte("\n\n— " + origin + " " + base64.StdEncoding.EncodeToString(make([]byte, 68)) + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := Open(b, ours.verifier); err == nil && c != s.checkpoint(t, 5) {
			t.Fatalf("%q opens as %v, which was never signed", b, c)
		}
		signed, err := note.Sign(&note.Note{Text: string(b)}, ours.signer)
		if err != nil {
			return
		}
		c, err := Open(signed, ours.verifier)
		if err != nil {
			return
		}
		if again, err := Sign(c, ours.signer); err != nil || !bytes.Equal(again, signed) {
			t.Fatalf("%q means %v, which is %q, %v", signed, c, again, err)
		}
	})
}
