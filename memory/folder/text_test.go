package folder

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestReadText(t *testing.T) {
	long := strings.Repeat("ž", MaxText)
	for _, c := range []struct {
		name, raw, words string
		cut              int
	}{
		{"plain", "You are Ada.\n", "You are Ada.", 0},
		{"comment", "<!-- mine -->\nYou are Ada.<!-- and\nmore -->", "You are Ada.", 0},
		{"open comment", "You are Ada. <!-- mine", "You are Ada.", 0},
		{"no UTF-8", "You \xff are Ada.", "You \uFFFD are Ada.", 0},
		{"as long as may be", long, long, 0},
		{"too long", long + "žž", long, 2},
	} {
		if got := readText(c.raw); got.Words != c.words || got.Cut != c.cut {
			t.Errorf("%s: %d characters, %d cut", c.name, utf8.RuneCountInString(got.Words), got.Cut)
		}
	}
}

func TestDefaultsSayWhatIsBuiltIn(t *testing.T) {
	w := newWorld(t)
	w.open()
	for name, want := range map[string]bool{Soul: false, Heartbeat: false, Reflect: true} {
		got, err := w.folder.Text(owner, name)
		if err != nil || got.Cut != 0 || (got.Words != "") != want || got.Idle() == want {
			t.Errorf("%s says %q, cut %d, error %v", name, got.Words, got.Cut, err)
		}
	}
}

func TestIdleText(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		idle      bool
	}{
		{"nothing", "", true},
		{"space", " \n\n\t\n", true},
		{"headings", "# Heartbeat\n\n## On Fridays\n", true},
		{"a comment", "<!-- look after\nthe boat -->", true},
		{"empty items", "# Tasks\n- \n* [ ]\n+\n---\n", true},
		{"an item", "# Tasks\n- Look after the boat\n", false},
		{"an item in a box", "- [ ] Look after the boat", false},
		{"a line", "船", false},
		{"a tag", "#boat: look after it", false},
		{"behind a comment", "<!-- mine --> Look after the boat", false},
	} {
		if got := readText(c.raw).Idle(); got != c.idle {
			t.Errorf("%s: %v, want %v", c.name, got, c.idle)
		}
	}
}

func TestVoice(t *testing.T) {
	w := newWorld(t)
	voice := func(want string) {
		t.Helper()
		got, err := w.folder.Voice(owner)
		if err != nil || got != want {
			t.Errorf("voice %.80q, error %v, want %.80q", got, err, want)
		}
	}
	voice("") // no folder
	w.open()
	voice("") // as it is made
	w.write(Soul, "You are Ada.")
	voice("You are Ada.")
	w.write(Soul, "You are Bob, who is older.")
	voice("You are Bob, who is older.")
	w.write(Soul, strings.Repeat("a", MaxText+1))
	voice(strings.Repeat("a", MaxText) + "\n[SOUL.md is longer than this; the rest was left out.]")
}

// TestVoiceIsReadOnce while neither time nor size of the file change.
func TestVoiceIsReadOnce(t *testing.T) {
	w := newWorld(t)
	w.open()
	at := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		text, want string
		at         time.Time
	}{{"You are Ada.", "You are Ada.", at}, {"You are Bob.", "You are Ada.", at}, {"You are Bob.", "You are Bob.", at.Add(time.Second)}} {
		w.write(Soul, c.text)
		if err := os.Chtimes(w.path(Soul), c.at, c.at); err != nil {
			t.Fatal(err)
		}
		if got, err := w.folder.Voice(owner); err != nil || got != c.want {
			t.Errorf("voice %q, error %v, want %q", got, err, c.want)
		}
	}
}

func TestOverlongTextIsSaidOnce(t *testing.T) {
	w := newWorld(t)
	w.open()
	long := strings.Repeat("a", MaxText+1)
	for _, c := range []struct {
		text string
		said bool
	}{{long, true}, {long + "a", false}, {"short", false}, {long, true}} {
		w.write(Heartbeat, c.text)
		reports := w.sync()
		if said := len(reports) == 1 && reports[0].What == Overlong && reports[0].File == Heartbeat; said != c.said {
			t.Errorf("with %d characters: %v", len(c.text), reports)
		}
	}
}

func TestTextThatIsNoFile(t *testing.T) {
	w := newWorld(t)
	w.open()
	if err := os.Remove(w.path(Soul)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(w.path(Soul), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := w.folder.Text(owner, Soul); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("the error is %v", err)
	}
	if got := w.sync(); len(got) != 1 || got[0].What != Broken {
		t.Errorf("reports %v", got)
	}
}
