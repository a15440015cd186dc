package gateway_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
)

// late is a message of Ann that came long after it was sent.
func late(w *world, text string, ago time.Duration) nacre.Message {
	m := w.message(text, wa(annLID), wa("15550000001"))
	m.Late, m.Sent = true, time.Now().Add(-ago)
	return m
}

// A bubble's clock begins at midnight UTC of 1 January 2000, a Saturday; Ann is two
// hours ahead.
func TestLateMessagesAreSpokenOfOnce(t *testing.T) {
	const reading = " I have read them and did not answer, because that was long ago; say so if one still matters."
	for _, c := range []struct {
		name string
		ago  []time.Duration
		rest time.Duration // between two
		want string
	}{
		{"one", []time.Duration{15 * time.Hour}, 0,
			"While I was away you wrote a message, on Fri 31 Dec 11:00. I have read it and did not answer, because that was long ago; say so if it still matters."},
		{"several, in no order", []time.Duration{16 * time.Hour, 30 * time.Hour, 15 * time.Hour}, 4 * time.Second,
			"While I was away you wrote 3 messages between Thu 30 Dec 20:00 and Fri 31 Dec 11:00." + reading},
		{"within a minute", []time.Duration{15*time.Hour - 20*time.Second, 15 * time.Hour}, 0,
			"While I was away you wrote 2 messages on Fri 31 Dec 11:00." + reading},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, listed, func(t *testing.T, w *world) {
				began := time.Now()
				for i, ago := range c.ago {
					m := late(w, "hello", 0)
					m.Sent = began.Add(-ago)
					if got := w.receive(m, m); len(got) != 1 || !got[0].Message.Quiet { // the network offers it twice
						t.Errorf("stored %+v, want one quiet message", got)
					}
					if i+1 < len(c.ago) {
						time.Sleep(c.rest)
					}
				}
				time.Sleep(5*time.Second - time.Millisecond)
				if got := w.sent(&w.whatsapp.wire); len(got) != 0 {
					t.Errorf("said too early: %q", got)
				}
				time.Sleep(time.Hour)
				if got := w.sent(&w.whatsapp.wire); !slices.Equal(got, []string{c.want}) {
					t.Errorf("said %q\nwant %q", got, c.want)
				}
			})
		})
	}
}

func TestWhatIsNotSpokenOf(t *testing.T) {
	for name, change := range map[string]func(*nacre.Message){
		"a message in time": func(m *nacre.Message) { m.Late = false },
		"in a group":        func(m *nacre.Message) { m.Private, m.ToUs, m.Chat.ID = false, true, "1@g.us" },
		"an edit":           func(m *nacre.Message) { m.Revision = 7 },
		"a reaction":        func(m *nacre.Message) { m.Segments[0].Provenance = nacre.Label },
		"a stranger's":      func(m *nacre.Message) { m.Also = nil },
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, listed, func(t *testing.T, w *world) {
				m := late(w, "hello", 20*time.Hour)
				change(&m)
				w.receive(m)
				time.Sleep(time.Minute)
				if got := w.sent(&w.whatsapp.wire); len(got) != 0 {
					t.Errorf("said %q", got)
				}
				w.receive(late(w, "hello", 20*time.Hour)) // the control
				time.Sleep(time.Minute)
				if got := w.sent(&w.whatsapp.wire); len(got) != 1 {
					t.Errorf("of a late message is said %q", got)
				}
			})
		})
	}
}

// Each chat is told of its own, and each absence once.
func TestEachChatHasItsOwnBacklog(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		other := w.message("hello", tg("1002"))
		other.Late, other.Sent = true, time.Now().Add(-20*time.Hour)
		w.receive(late(w, "one", 20*time.Hour), other, late(w, "two", 20*time.Hour))
		time.Sleep(time.Minute)
		w.receive(late(w, "three", 20*time.Hour))
		time.Sleep(time.Minute)
		ours, theirs := w.sent(&w.whatsapp.wire), w.sent(w.telegram)
		if len(ours) != 2 || !strings.Contains(ours[0], "2 messages") || !strings.Contains(ours[1], "a message") || len(theirs) != 1 {
			t.Errorf("said %q and %q", ours, theirs)
		}
	})
}

// Everybody is told times by the clock where they live.
func TestLateMessagesAreOfTheirOwnersZone(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		other := w.message("hello", tg("1002"))
		other.Late, other.Sent = true, time.Now().Add(-20*time.Hour)
		w.receive(late(w, "hello", 20*time.Hour), other)
		time.Sleep(time.Minute)
		ours, theirs := w.sent(&w.whatsapp.wire), w.sent(w.telegram)
		if len(ours) != 1 || !strings.Contains(ours[0], "31 Dec 06:00.") || len(theirs) != 1 || !strings.Contains(theirs[0], "31 Dec 04:00.") {
			t.Errorf("said %q and %q", ours, theirs)
		}
	})
}

// A process that dies in the meantime leaves it to the next one.
func TestAnotherProcessSpeaksOfLateMessages(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		m := late(w, "hello", 20*time.Hour)
		w.receive(m)
		time.Sleep(time.Second)
		w.kill(listed)
		w.receive(m, late(w, "hello", 20*time.Hour)) // the network did not hear that we have the first
		time.Sleep(time.Minute)
		if got := w.sent(&w.whatsapp.wire); len(got) != 1 || !strings.Contains(got[0], "2 messages") {
			t.Errorf("said %q", got)
		}
		w.kill(listed)
		time.Sleep(time.Minute)
		if got := w.sent(&w.whatsapp.wire); len(got) != 0 {
			t.Errorf("said again: %q", got)
		}
	})
}

// A process that ends in the meantime says it as it ends, and what comes
// afterwards is for the next one.
func TestAnEndSpeaksOfLateMessages(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		w.receive(late(w, "hello", 20*time.Hour))
		w.gateway.Drain(t.Context())
		if got := w.sent(&w.whatsapp.wire); len(got) != 1 {
			t.Errorf("said %q", got)
		}
		w.receive(late(w, "hello", 20*time.Hour))
		w.kill(listed)
		time.Sleep(time.Minute)
		if got := w.sent(&w.whatsapp.wire); len(got) != 1 || !strings.Contains(got[0], "a message") {
			t.Errorf("the next process said %q", got)
		}
	})
}

// lockLedger lets nobody write to the ledger until the returned function is called.
func (w *world) lockLedger() (free func()) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "nacre.db"))
	w.must(err)
	other, err := db.Conn(w.t.Context())
	w.must(err)
	_, err = other.ExecContext(w.t.Context(), "BEGIN IMMEDIATE")
	w.must(err)
	return func() {
		_, err := other.ExecContext(w.t.Context(), "ROLLBACK")
		w.must(errors.Join(err, other.Close(), db.Close()))
	}
}

// Where the ledger cannot be written at the moment, it is said a little later.
func TestLateMessagesAreSpokenOfAgain(t *testing.T) {
	inWorld(t, listed, func(t *testing.T, w *world) {
		w.receive(late(w, "hello", 15*time.Hour))
		free := w.lockLedger()
		time.Sleep(20 * time.Second)
		if got := w.sent(&w.whatsapp.wire); len(got) != 0 {
			t.Errorf("said %q although nothing can be stored", got)
		}
		free()
		time.Sleep(2 * time.Minute)
		if got := w.sent(&w.whatsapp.wire); len(got) != 1 || !strings.HasPrefix(got[0], "While I was away") {
			t.Errorf("said %q", got)
		}
	})
}
