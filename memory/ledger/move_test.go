package ledger_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// Chats of one person, by number and by the id that they go on under.
var (
	byNumber = nacre.Chat{Channel: nacre.WhatsApp, ID: "15550000001@s.whatsapp.net"}
	byLID    = nacre.Chat{Channel: nacre.WhatsApp, ID: "100000000000001@lid"}
)

// in makes a message of a chat.
func in(owner nacre.OwnerID, chat nacre.Chat, external, text string) nacre.Inbound {
	m := message(owner, "1001", external, text)
	m.Message.Chat = chat
	return m
}

// asked commits a turn that asks something and makes a job.
func asked(t *testing.T, l *ledger.Ledger, m nacre.Inbound, options ...string) (nacre.RenderedReply, nacre.Job) {
	t.Helper()
	turn := turnOver(put(t, l, m), "question")
	turn.Replies[0].Options = options
	commit(t, l, turn)
	s := nacre.SessionInfo{ID: turn.Session, Owner: turn.Owner, Chat: m.Message.Chat, Private: m.Message.Private}
	return turn.Replies[0], storedJob(t, l, reminder(s, "water the plants", at(0)))
}

// homes are the chats in which an owner can be reached, first first.
func homes(t *testing.T, l *ledger.Ledger, o nacre.OwnerID) (list []nacre.Chat) {
	t.Helper()
	all, err := l.Homes(ctx, o)
	must(t, err)
	for _, h := range all {
		list = append(list, h.Chat)
	}
	return list
}

// TestAPrivateChatMoves moves a chat to an id that nobody wrote from yet, and to
// one that has a conversation already, which is the older one in fact. Either way
// everything goes on there, once, however often it is told.
func TestAPrivateChatMoves(t *testing.T) {
	for _, known := range []bool{false, true} {
		t.Run(map[bool]string{false: "to a new id", true: "to one with a conversation"}[known], func(t *testing.T) {
			l := open(t, t.TempDir())
			o := owners(t, l, "1001")[0]
			if known {
				answered(t, l, put(t, l, in(o, byLID, "0", "the new id said pear")), "pear it is")
			}
			answered(t, l, put(t, l, in(o, byNumber, "1", "the old id said plum")), "plum it is")
			kept := keptParts(t, l, in(o, byNumber, "2", "x"), week, "sent")[0]
			reply, job := asked(t, l, in(o, byNumber, "3", "ask me"), "Tea", "Coffee")
			reaction := in(o, byNumber, "r", "[reaction]")
			reaction.Message.Quiet = true
			old := put(t, l, reaction)[0].Session
			must(t, l.PutAsk(ctx, old, json.RawMessage(`"sure?"`), time.Now().Add(time.Hour)))
			before := textsOf(everything(t, l.Archive(lastLine), o))
			if !strings.Contains(before, "plum it is") || known != strings.Contains(before, "pear it is") {
				t.Fatalf("found before: %q", before)
			}

			for range 3 {
				must(t, l.MoveChat(ctx, byNumber, byLID))
			}
			if got := homes(t, l, o); got[0] != byLID || len(got) > 1 != known {
				t.Errorf("homes are %v", got)
			}
			if q, err := l.OpenQuestion(ctx, byLID); err != nil || q.ID != reply.ID || q.Chat != byLID {
				t.Errorf("the open question is %+v, %v", q, err)
			}
			if got := readJob(t, l, job); got.Session.Chat != byLID {
				t.Errorf("the job is in %+v", got.Session)
			}
			left, err := l.Undelivered(ctx)
			if err != nil || len(left) == 0 || slices.ContainsFunc(left, func(d nacre.Delivery) bool { return d.Chat != byLID }) {
				t.Errorf("undelivered %+v, %v", left, err)
			}
			there := sentText(t, l, kept)
			kept.Chat = byLID
			if got := sentLately(t, l, byLID); !slices.Contains(got, "sent") || sentText(t, l, kept) != "sent" || there != "" {
				t.Errorf("sent there: %q, and where it was before: %q", got, there)
			}
			if after := textsOf(everything(t, l.Archive(lastLine), o)); after != before {
				t.Errorf("found %q, before the move %q", after, before)
			}

			again := put(t, l, in(o, byLID, "3", "ask me"), in(o, byLID, "4", "goes on"))
			if again[0].Message.Seq != 0 || again[1].Message.Seq == 0 {
				t.Errorf("a known message got sequence %d, a new one %d", again[0].Message.Seq, again[1].Message.Seq)
			}
			s := again[1].Session
			if s.Chat != byLID || known == (s.ID == old.ID) {
				t.Errorf("it goes on in %+v, and was in %+v", s, there)
			}
			if got, err := l.Pending(ctx, s, 0); err != nil || len(got) != 2 || !got[0].Quiet {
				t.Errorf("pending there: %+v, %v; want the reaction too", got, err)
			}
			if a, err := l.Asked(ctx, s); err != nil || string(a) != `"sure?"` {
				t.Errorf("memory asked %s, %v", a, err)
			}
		})
	}
}

// What was said under the old id after a question counts under the new one.
func TestAQuestionThatWasPassedOverStaysSo(t *testing.T) {
	for _, known := range []bool{false, true} {
		l := open(t, t.TempDir())
		o := owners(t, l, "1001")[0]
		if known {
			put(t, l, in(o, byLID, "0", "hello"))
		}
		asked(t, l, in(o, byNumber, "1", "ask me"), "Tea", "Coffee")
		for _, said := range []bool{false, true} {
			if said {
				put(t, l, in(o, byNumber, "2", "never mind"))
			}
			must(t, l.MoveChat(ctx, byNumber, byLID))
			if _, err := l.OpenQuestion(ctx, byLID); (nacre.KindOf(err) == nacre.NotFound) != said || !said && err != nil {
				t.Errorf("known %v, something said %v: %v", known, said, err)
			}
		}
	}
}

// Of two conversations of one person the home is the one that goes on, whichever
// they wrote in last; and a chat can move back.
func TestTheHomeIsWhereAChatGoesOn(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	put(t, l, in(o, byLID, "0", "hello"))
	turn := turnOver(put(t, l, in(o, byNumber, "1", "hello")), "answer")
	for i, step := range [][2]nacre.Chat{{byNumber, byLID}, {byLID, byNumber}, {byNumber, byLID}} {
		must(t, l.MoveChat(ctx, step[0], step[1]))
		if got := homes(t, l, o); len(got) != 2 || got[0] != step[1] {
			t.Errorf("after move %d the homes are %v", i+1, got)
		}
		if i == 1 {
			if ds := commit(t, l, turn); ds[0].Chat != byNumber {
				t.Errorf("after the way back it is answered in %v", ds[0].Chat)
			}
		}
	}
	third := in(o, nacre.Chat{Channel: nacre.Telegram, ID: "1001"}, "2", "hello")
	put(t, l, third)
	if got := homes(t, l, o); len(got) != 3 || got[0] != third.Message.Chat || got[2] != byNumber {
		t.Errorf("after a word elsewhere the homes are %v", got)
	}
}

// An edit of what was said under the old id takes its place.
func TestAnEditFindsItsMessageAfterAMove(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	m := put(t, l, in(o, byNumber, "1", "I like plums"))[0]
	must(t, l.MoveChat(ctx, byNumber, byLID))
	m.Message.Chat = byLID
	put(t, l, edited(m, 5, "I like pears"))
	if got := textsOf(everything(t, l.Archive(lastLine), o)); strings.Contains(got, "plums") || !strings.Contains(got, "pears") {
		t.Errorf("found %q", got)
	}
}

// A group counts its messages anew after it became another kind of group: a new
// one with an old number is new.
func TestAGroupThatMovesCountsAnew(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	from, to := nacre.Chat{Channel: nacre.Telegram, ID: "-1"}, nacre.Chat{Channel: nacre.Telegram, ID: "-100"}
	group := func(chat nacre.Chat) nacre.Inbound {
		m := in(o, chat, "5", "hello")
		m.Message.Private = false
		return m
	}
	put(t, l, group(from))
	must(t, l.MoveChat(ctx, from, to))
	if again := put(t, l, group(to)); again[0].Message.Seq == 0 {
		t.Error("the new message is taken for the old one")
	}
}

// A turn that was begun before its chat moved answers where the chat goes on.
func TestAnAnswerFollowsItsChat(t *testing.T) {
	for _, known := range []bool{false, true} {
		l := open(t, t.TempDir())
		o := owners(t, l, "1001")[0]
		if known {
			put(t, l, in(o, byLID, "0", "hello"))
		}
		m := put(t, l, in(o, byNumber, "1", "ask me"))
		must(t, l.MoveChat(ctx, byNumber, byLID))
		if left, err := l.Unanswered(ctx); err != nil || !slices.ContainsFunc(left, func(s nacre.SessionInfo) bool { return s.ID == m[0].Session.ID }) {
			t.Errorf("known %v: what waited for an answer waits in %+v, %v", known, left, err)
		}
		turn := turnOver(m, "question")
		turn.Replies[0].Options = []string{"Tea", "Coffee"}
		ds := commit(t, l, turn)
		left, err := l.Undelivered(ctx)
		if err != nil || len(left) != 1 || left[0].Chat != byLID || ds[0].Chat != byLID {
			t.Errorf("known %v: sent to %v, waits %+v, %v", known, ds[0].Chat, left, err)
		}
		if q, err := l.OpenQuestion(ctx, byLID); err != nil || q.ID != turn.Replies[0].ID {
			t.Errorf("known %v: the question there is %+v, %v", known, q, err)
		}
	}
}
