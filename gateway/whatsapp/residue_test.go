package whatsapp

import (
	"database/sql"
	"os"
	"strings"
	"testing"
	"time"
)

// stubborn makes an account's file keep what the library wants to clear, until give is
// called.
func (r *rig) stubborn() (give func()) {
	r.Helper()
	exec := func(query string) {
		r.Helper()
		db, err := sql.Open("sqlite", r.c.file.dsn())
		if err != nil {
			r.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(query); err != nil {
			r.Fatal(err)
		}
	}
	exec("CREATE TRIGGER stubborn BEFORE UPDATE ON whatsmeow_event_buffer BEGIN SELECT RAISE(ABORT, 'no'); END")
	return func() { exec("DROP TRIGGER stubborn") }
}

// What the library could not clear is cleared by a forgetting, after a while, or when
// another process has heard all that waited.
func TestResidue(t *testing.T) {
	const secret = "zqx-residue"
	tests := []struct {
		name string
		do   func(p *scene)
	}{
		{"a forgetting", func(p *scene) {
			if err := p.c.Scrub(p.Context()); err != nil {
				p.Errorf("Scrub = %v", err)
			}
		}},
		{"a while", func(p *scene) { p.after(2 * tidyAfter) }},
		{"another process", func(p *scene) {
			p.c.residue.cleared(p.c.residue.hashes) // so that this one forgets
			p.restart()
			p.after(2 * tidyAfter)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			play(t, false, func(p *scene) {
				give := p.stubborn()
				p.ann.Say(p.us.LID(), secret)
				p.after(time.Second)
				if give(); !strings.Contains(p.files(), secret) {
					t.Fatal("it was cleared at once")
				}
				tt.do(p)
				if strings.Contains(p.files(), secret) {
					t.Error("the file holds it still")
				}
				p.wantTexts("hello", secret)
			})
		})
	}
}

// The log of the file, to which everything was written, is emptied soon after a
// message, however the channel goes on.
func TestLogOfTheFileIsEmptied(t *testing.T) {
	play(t, true, func(p *scene) {
		p.ann.Say(p.us.LID(), "zqx-friend")
		p.after(time.Second)
		if !strings.Contains(p.files(), "zqx-friend") {
			t.Fatal("the log does not hold it, so that this proves nothing")
		}
		p.after(tidyAfter)
		if log, err := os.Stat(p.c.file.path + "-wal"); err != nil || log.Size() != 0 || strings.Contains(p.files(), "zqx-friend") {
			t.Errorf("the log is %v, %v", log, err)
		}
	})
}
