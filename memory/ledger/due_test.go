package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// spoke lets a job say something in a session, and answers it.
func spoke(t testing.TB, l *ledger.Ledger, s nacre.SessionInfo, text string) nacre.Inbound {
	t.Helper()
	c := claimOf(storedJob(t, l, reminder(s, text, at(0))))
	if !claimed(t, l, c) {
		t.Fatal("not taken")
	}
	return *c.Say
}

// What a job says is nobody's word: no evidence, nothing that was said in the
// chat, and no sign of where its owner is.
func TestWhatJobsSayIsNobodysWord(t *testing.T) {
	l, s := chatting(t, t.TempDir())
	put(t, l, message(s.Owner, "2001", "2", "over here"))
	say := spoke(t, l, s, "I live in Vienna")
	forged := saidBy(nacre.Job{ID: "forged", Owner: s.Owner, Session: s}, at(1), "I live in Graz")
	forged.Message.Segments[0].Provenance = nacre.ByOwner // which no job may say of its words
	put(t, l, *forged)
	person := put(t, l, message(s.Owner, "2001", "3", "still here"))[0]
	spoke(t, l, s, "I live in Linz")

	if home, err := l.Home(ctx, s.Owner); err != nil || home != person.Session {
		t.Errorf("home is %v, %v", home, err)
	}
	ids := []nacre.MessageID{say.Message.ID, forged.Message.ID, person.Message.ID}
	if sources, err := l.Sources(ctx, s.Owner, ids); err != nil || len(sources) != 1 || sources[person.Message.ID].ID == "" {
		t.Errorf("sources %v, %v", sources, err)
	}
	recent, err := l.Recent(ctx, s, person.Message.Seq, 10)
	if err != nil || len(recent) != 1 || recent[0].Segments[1].Text != "hello" {
		t.Errorf("recent %v, %v", recent, err)
	}
	unread, through, err := l.Unread(ctx, s.Owner, 0, time.Now(), 10)
	if err != nil || len(unread) != 3 || through <= person.Message.Seq || slices.ContainsFunc(unread, func(m memory.Source) bool { return slices.Contains(ids[:2], m.ID) }) {
		t.Errorf("unread %v through %d, %v", unread, through, err)
	}
	turn := turnOver([]nacre.Inbound{say}, "I live in Vienna")
	turn.History = []byte(`["Vienna, said the reminder"]`)
	commit(t, l, turn)
	sayings, _ := since(t, l.Archive(lastLine), s.Owner, ledger.Mark{})
	var said []string
	for _, x := range sayings {
		said = append(said, x.Text)
		if strings.Contains(x.Text, "Vienna") && !x.Answer {
			t.Errorf("what the job says is found as %+v", x)
		}
	}
	if len(said) != 4 || slices.Contains(said, "I live in Graz") { // three messages and an answer
		t.Errorf("what was said: %q", said)
	}
}

// A job's message whose words are gone is still no message of a person.
func TestUnreadableMessageOfAJobIsStillItsOwn(t *testing.T) {
	dir := t.TempDir()
	l, s := chatting(t, dir)
	say := spoke(t, l, s, "water the plants")
	l.Close()
	execute(t, dir, "UPDATE inbox SET sealed = x'0011'")
	l = open(t, dir)
	pending, err := l.Pending(ctx, s, 0)
	if err != nil || len(pending) != 2 || pending[0].Due != nil || pending[1].Due == nil || pending[1].Due.Job != say.Message.Due.Job {
		t.Errorf("pending %+v, %v", pending, err)
	}
}

func TestForgettingWhatAJobSaid(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	say := spoke(t, l, d.session, "Feed Zqxkiko, ride zqxgreen")
	counts := d.forget(t, l)
	if counts["messages"] != 3 || counts["jobs"] != 1 {
		t.Errorf("erased %v", counts)
	}
	got := due(t, l, d.session)
	if len(got) != 1 || *got[0].Due != *say.Message.Due || got[0].Segments[0].Text != "Feed *******, ride zqxgreen" {
		t.Errorf("it says %+v", got)
	}
}

func TestHomeOfWhoNeverWroteInPrivate(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	if _, err := l.Home(ctx, o); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("home: %v", err)
	}
}
