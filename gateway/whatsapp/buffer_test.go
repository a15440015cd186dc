package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	wastore "go.mau.fi/whatsmeow/store"

	"nacre/gateway/gatewaytest"
	"nacre/gateway/gatewaytest/wadouble"
)

// lockFile keeps everybody from writing to an account's file until unlock is called.
func lockFile(t *testing.T, f accountFile) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", f.dsn())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if _, err := db.Exec("ROLLBACK"); err != nil {
			t.Fatal(err)
		}
	}
}

// While the account's file cannot be written nothing can be decrypted. The server
// keeps what comes, and brings it in order when all is well again.
func TestLockedFileLosesNothing(t *testing.T) {
	play(t, false, func(p *scene) {
		p.stop()
		p.c = p.open()
		p.c.file.busy = 20
		p.start()
		club := p.wa.Group("Club", p.us, p.ann)
		unlock := lockFile(p.T, p.c.file)
		want := []string{"hello"}
		for i := range 3 {
			want = append(want, fmt.Sprint("to us ", i), fmt.Sprint("to all ", i))
			p.ann.Say(p.us.LID(), want[len(want)-2])
			p.ann.Say(club, want[len(want)-1])
			p.after(time.Second)
		}
		p.after(20 * time.Minute)
		p.wantTexts("hello")
		p.wantState(false, "in use by another program")
		if got := p.us.Unacked(); got != 6 {
			t.Errorf("%d messages are kept by the server, want 6", got)
		}
		if n := times(p.log, "messages cannot be stored"); n != 1 {
			t.Errorf("that messages cannot be stored is logged %d times", n)
		}
		for _, r := range p.ann.Receipts() {
			if r.Type == "retry" {
				t.Error("ann's phone is asked for a message that it has sent well")
			}
		}
		unlock()
		p.after(20 * time.Minute)
		p.wantTexts(want...)
		p.wantState(true, "connected")
		if got := p.us.Unacked(); got != 0 {
			t.Errorf("%d messages are not acknowledged", got)
		}
	})
}

// A message that is garbled is asked for again, and ends no connection.
func TestGarbledEndsNothing(t *testing.T) {
	play(t, false, func(p *scene) {
		l := p.online()
		p.ann.Send(p.us.LID(), wadouble.Text("garbled"), wadouble.Opts{Garble: true})
		p.after(10 * time.Second)
		p.wantTexts("hello", "garbled")
		if l.life.Err() != nil {
			t.Errorf("the connection ended: %v", l.why())
		}
	})
}

// newBuffer is the buffer of an account whose file only one connection uses.
func newBuffer(t *testing.T) (buffer, *account) {
	f := newTestFile(t)
	f.busy = 20
	a := openTest(t, f)
	save(t, a)
	c := New(Options{Log: slog.New(slog.DiscardHandler)})
	c.file = f
	a.db.RawDB.SetMaxOpenConns(1)
	l := c.newLine(t.Context(), gatewaytest.NewHost(), reload(t, a))
	t.Cleanup(l.close)
	return l.client.Store.EventBuffer.(buffer), a
}

func TestFullDisk(t *testing.T) {
	b, a := newBuffer(t)
	decrypt := func(size int) error {
		return b.DoDecryptionTxn(t.Context(), func(ctx context.Context) error {
			return b.PutBufferedEvent(ctx, [32]byte{byte(size)}, make([]byte, size), time.Now())
		})
	}
	if _, err := a.db.Exec(t.Context(), "PRAGMA max_page_count = 1"); err != nil { // as many as there are
		t.Fatal(err)
	}
	if err := decrypt(1); err != nil || b.line.life.Err() != nil {
		t.Fatalf("with room: %v", err)
	}
	if err := decrypt(1 << 20); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, which the library does not take for a reason to wait", err)
	}
	if why := b.line.why(); why.final || !strings.Contains(why.words, "disk is full") {
		t.Errorf("the line ended because %q", why.words)
	}
}

// failing is a buffer whose every decryption fails for a reason that it does not name.
type failing struct{ wastore.EventBuffer }

var errNameless = errors.New("no session")

func (failing) DoDecryptionTxn(context.Context, func(context.Context) error) error {
	return errNameless
}

func TestNamelessFailure(t *testing.T) {
	b, _ := newBuffer(t)
	b.EventBuffer = failing{b.EventBuffer}
	if err := b.DoDecryptionTxn(t.Context(), nil); err != errNameless || b.line.life.Err() != nil {
		t.Errorf("where the file is well, error = %v", err)
	}
	defer lockFile(t, b.line.file)()
	if err := b.DoDecryptionTxn(t.Context(), nil); !errors.Is(err, context.Canceled) || b.line.life.Err() == nil {
		t.Errorf("where the file is locked, error = %v", err)
	}
}
