package audit

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"nacre"
)

func TestLeafRoundTrip(t *testing.T) {
	bare := sample(0, 0)
	bare.Channel, bare.Record, bare.Reason, bare.Actor = "", "", "", Repair
	full := sample(math.MaxInt64, math.MaxInt64)
	full.Time = time.UnixMilli(maxMilli).UTC()
	full.Action = strings.Repeat("a", maxCode)
	for name, want := range map[string]Leaf{"usual": sample(7, 3), "bare": bare, "full": full} {
		got, err := Decode(encode(t, want))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
}

func TestLeafKeepsMilliseconds(t *testing.T) {
	l := sample(1, 1)
	l.Time = start.Add(999 * time.Microsecond).In(time.FixedZone("east", 3600))
	if got, want := encode(t, l), encode(t, func() Leaf { w := l; w.Time = start; return w }()); !bytes.Equal(got, want) {
		t.Error("the same millisecond in another zone has other bytes")
	}
}

// TestLeafFields breaks one field at a time.
func TestLeafFields(t *testing.T) {
	for _, c := range []struct {
		field string
		spoil func(*Leaf)
	}{
		{"sequence", func(l *Leaf) { l.Sequence = -1 }},
		{"time", func(l *Leaf) { l.Time = time.UnixMilli(-1) }},
		{"time", func(l *Leaf) { l.Time = time.UnixMilli(maxMilli + 1) }},
		{"time", func(l *Leaf) { l.Time = time.Time{} }},
		{"owner", func(l *Leaf) { l.Owner = [32]byte{} }},
		{"actor", func(l *Leaf) { l.Actor = "" }},
		{"actor", func(l *Leaf) { l.Actor = "somebody" }},
		{"channel", func(l *Leaf) { l.Channel = "Telegram" }},
		{"action", func(l *Leaf) { l.Action = "" }},
		{"record", func(l *Leaf) { l.Record = "people/sister-lives-in-lyon" }},
		{"record", func(l *Leaf) { l.Record = strings.ToUpper(l.Record) }},
		{"version", func(l *Leaf) { l.Version = -1 }},
		{"reason", func(l *Leaf) { l.Reason = "." }},
		{"commitment", func(l *Leaf) { l.Commitment = [32]byte{} }},
	} {
		l := sample(1, 1)
		encode(t, l)
		c.spoil(&l)
		_, err := l.Encode()
		if nacre.KindOf(err) != nacre.Invalid || !strings.Contains(err.Error(), c.field) {
			t.Errorf("%s: got %v", c.field, err)
		}
	}
}

// words are what must not fit into any text of a leaf.
var words = []string{
	"Anna", "anna ", " anna", "anna likes tea", "anna\nlikes", "anna\x00", "anna,tea", "größe", "аnna", "анна", "猫",
	"4111111111111111", "4111 1111 1111 1111", "a1", "anna--tea", "-anna", "anna-", "anna._tea", "anna@example.com", "anna/tea", "👍", "\xff",
	strings.Repeat("a", maxCode+1), strings.Repeat("a-", 200) + "a",
}

func TestLeafRefusesWords(t *testing.T) {
	for _, word := range words {
		for field, set := range map[string]func(*Leaf){
			"actor":   func(l *Leaf) { l.Actor = Actor(word) },
			"channel": func(l *Leaf) { l.Channel = word },
			"action":  func(l *Leaf) { l.Action = word },
			"record":  func(l *Leaf) { l.Record = word },
			"reason":  func(l *Leaf) { l.Reason = word },
		} {
			l := sample(1, 1)
			set(&l)
			b, err := l.Encode()
			if err == nil || b != nil {
				t.Errorf("%s %q is in the log", field, word)
			} else if trimmed := strings.TrimSpace(word); len(trimmed) > 2 && strings.Contains(err.Error(), trimmed) {
				t.Errorf("%s %q is in the error", field, word)
			}
		}
	}
}

// FuzzLeaf compares the check with its description as patterns: whatever is
// put in, text beyond the alphabet is refused, and what is let in comes back.
func FuzzLeaf(f *testing.F) {
	code := regexp.MustCompile(`\A[a-z]+([._-][a-z]+)*\z`)
	uuid := regexp.MustCompile(`\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\z`)
	actor := regexp.MustCompile(`\A(owner|model|reflect|repair|import|restore)\z`)
	isCode := func(s string) bool { return code.MatchString(s) && len(s) <= 32 }
	id := sample(0, 0).Record
	f.Add("owner", "web", "note.add", id, "ok")
	f.Add("repair", "", "note.expire", "", "")
	for _, w := range words {
		f.Add("owner", w, "note.add", id, "ok")
		f.Add("owner", "web", w, id, "ok")
		f.Add("owner", "web", "note.add", w, "ok")
		f.Add(w, "web", "note.add", id, w)
	}
	f.Fuzz(func(t *testing.T, who, channel, action, record, reason string) {
		l := sample(1, 1)
		l.Actor, l.Channel, l.Action, l.Record, l.Reason = Actor(who), channel, action, record, reason
		want := actor.MatchString(who) && (channel == "" || isCode(channel)) && isCode(action) &&
			(record == "" || uuid.MatchString(record)) && (reason == "" || isCode(reason))
		b, err := l.Encode()
		if got := err == nil; got != want {
			t.Fatalf("%+v is let in: %v, want %v", l, got, want)
		}
		if back, err := Decode(b); want && (err != nil || back != l) {
			t.Fatalf("%+v comes back as %+v, %v", l, back, err)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	whole := encode(t, sample(1, 1))
	if _, err := Decode(whole); err != nil {
		t.Fatal(err)
	}
	for end := range whole {
		if _, err := Decode(whole[:end]); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%d of %d bytes: %v", end, len(whole), err)
		}
	}
	if _, err := Decode(append(bytes.Clone(whole), 0)); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("a byte too many: %v", err)
	}
	whole[0]++
	if _, err := Decode(whole); nacre.KindOf(err) != nacre.Invalid {
		t.Errorf("another format: %v", err)
	}
}

// FuzzDecode: whatever Decode accepts has exactly one spelling.
func FuzzDecode(f *testing.F) {
	whole := encode(f, sample(1, 1))
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(append(bytes.Clone(whole), 0))
	f.Add([]byte{leafFormat})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := Decode(b)
		if err != nil {
			return
		}
		if again, err := l.Encode(); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x means %+v, which is %x, %v", b, l, again, err)
		}
	})
}
