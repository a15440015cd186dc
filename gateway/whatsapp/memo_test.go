package whatsapp

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
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
