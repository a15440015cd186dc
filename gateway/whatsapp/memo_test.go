package whatsapp

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/gateway/gatewaytest/wadouble"
)

// An account that was linked for one purpose is not used for the other.
func TestAccountKeepsItsPurpose(t *testing.T) {
	for _, own := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, own)
			r.link()
			r.own = !own
			r.restart()
			logins := len(r.wa.Logins())
			r.after(time.Hour)
			if got := len(r.wa.Logins()); got != logins {
				t.Errorf("own %v: %d logins", own, got-logins)
			}
			r.wantState(false, "this account was linked as")
			if told := r.told(); len(told) != 1 {
				t.Errorf("own %v: told %q", own, told)
			}
			r.own = own
			r.restart()
			r.after(time.Minute)
			r.wantState(true, "connected as")
		})
	}
}

// TestPurposeThatIsLost is that of an account of which nothing is noted any more.
func TestPurposeThatIsLost(t *testing.T) {
	gone := func(r *rig) { os.Remove(r.c.memo.path) }
	broken := func(r *rig) { os.WriteFile(r.c.memo.path, []byte("\x00{"), 0o600) }
	other := func(r *rig) { os.WriteFile(r.c.memo.path, []byte(`{"whose":"theirs"}`), 0o600) }
	for _, c := range []struct {
		name string
		own  bool
		lose func(*rig)
		ok   bool
		says string
	}{
		{"file gone, own", true, gone, true, "own number"},
		{"file gone, separate", false, gone, false, "it is not known for which purpose"},
		{"file broken, own", true, broken, true, "own number"},
		{"file broken, separate", false, broken, false, "it is not known for which purpose"},
		{"unknown word, own", true, other, true, "own number"},
		{"unknown word, separate", false, other, false, "it is not known for which purpose"},
		{"nothing lost", false, func(*rig) {}, true, "a number of its own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, c.own)
				r.link()
				c.lose(r)
				r.restart()
				r.after(time.Minute)
				r.wantState(c.ok, c.says)
				if noted := newMemo(r.dir, r.c.log).read().Whose; c.ok && noted != r.c.whose() {
					t.Errorf("noted is %q", noted)
				}
				r.own = false
				r.restart()
				r.after(time.Minute)
				if ok, words := r.c.State(); ok != (c.ok && !c.own) {
					t.Errorf("as separate, State = %v, %q", ok, words)
				}
			})
		})
	}
}

// The purpose is noted before there is an account, so that no kill comes between.
func TestPurposeIsNotedFirst(t *testing.T) {
	inBubble(t, func(r *rig) {
		var noted []whose
		show := func(s nacre.LinkStep) {
			noted = append(noted, newMemo(r.dir, r.c.log).read().Whose)
			r.scan(s)
		}
		if err := r.c.Link(r.Context(), "", show); err != nil {
			t.Fatal(err)
		}
		if want := []whose{assistants, assistants}; !slices.Equal(noted, want) {
			t.Errorf("at its steps %q was noted, want %q", noted, want)
		}
	})
}

// TestFirstLoginFails has an account that is linked all the same: it is known whose it
// is, and why an earlier one ended is history.
func TestFirstLoginFails(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.c.memo.change(func(f *facts) { f.Ended = "banned long ago" })
		r.wa.Fail(wadouble.Fault{Kind: wadouble.LoginError, Code: 503, Times: 3})
		if err := r.c.Link(r.Context(), "", r.scan); err == nil || !strings.Contains(err.Error(), "its first login failed") {
			t.Fatalf("Link = %v", err)
		}
		if f := newMemo(r.dir, r.c.log).read(); f.Whose != assistants || f.Linked == 0 || f.Ended != "" {
			t.Errorf("noted is %+v", f)
		}
	})
}

// Why an account ended stays known until another one is linked, not only tried.
func TestLinkThatFailsKeepsTheEnding(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.c.memo.change(func(f *facts) { f.Ended = "banned long ago" })
		r.us.Passkey(true)
		if err := r.c.Link(r.Context(), "", r.scan); err == nil {
			t.Fatal("linked")
		}
		if f := newMemo(r.dir, r.c.log).read(); f.Ended != "banned long ago" || f.Whose != "" || f.Linked != 0 {
			t.Errorf("noted is %+v", f)
		}
	})
}

// What is noted outlives the program, and a file that is broken costs only what it
// said.
func TestMemo(t *testing.T) {
	m := newMemo(t.TempDir(), slog.New(slog.DiscardHandler))
	m.change(func(f *facts) { f.Whose = operators })
	m.keepTimer("1@lid", 60)
	again := newMemo(filepath.Dir(m.path), slog.New(slog.DiscardHandler))
	if f := again.read(); f.Whose != operators || again.timer("1@lid") != 60 || again.timer("2@lid") != 0 {
		t.Errorf("read %+v", f)
	}
	if err := os.WriteFile(m.path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := newMemo(filepath.Dir(m.path), slog.New(slog.DiscardHandler))
	if f := broken.read(); f.Whose != "" || f.Ended != "" || f.Timers != nil {
		t.Errorf("of a broken file it reads %+v", f)
	}
	broken.keepTimer("1@lid", 5)
	mended := newMemo(filepath.Dir(m.path), slog.New(slog.DiscardHandler))
	if mended.timer("1@lid") != 5 {
		t.Error("it is not written again")
	}
	mended.keepTimer("1@lid", 0)
	if _, err := os.Stat(m.path); !os.IsNotExist(err) {
		t.Errorf("there is nothing to say and the file is there: %v", err)
	}
}
