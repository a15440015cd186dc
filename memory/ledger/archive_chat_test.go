package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// backwards reads a chat in pages of two, and returns all of it, oldest first.
func backwards(t testing.TB, a *ledger.Archive, o nacre.OwnerID, at nacre.Chat) string {
	t.Helper()
	var list []string
	for m, more := (ledger.Mark{}), true; more; {
		s, err := a.Chat(ctx, o, at, m, 2)
		must(t, err)
		if len(s.Sayings) > 2 || s.More && len(s.Sayings) < 2 {
			t.Fatalf("a page of %d, more %v", len(s.Sayings), s.More)
		}
		if len(s.Sayings) > 0 {
			list = append([]string{textsOf(s.Sayings)}, list...)
		}
		m, more = s.Before, s.More
	}
	return strings.Join(list, "|")
}

func TestChatIsReadBackwards(t *testing.T) { synctest.Test(t, chatIsReadBackwards) }

func chatIsReadBackwards(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	a := l.Archive(lastLine)
	mine := nacre.Chat{Channel: nacre.Telegram, ID: "1001"}
	if s, err := a.Chat(ctx, all[0], mine, ledger.Mark{}, 5); err != nil || len(s.Sayings) != 0 || s.More {
		t.Errorf("a chat that there is not: %+v, %v", s, err)
	}
	for i := range 3 {
		in := put(t, l, message(all[0], "1001", fmt.Sprint(i), fmt.Sprintf("said %d", i)))
		time.Sleep(time.Millisecond) // what comes at the same moment has no order
		answered(t, l, in, fmt.Sprintf("answer %d", i))
		time.Sleep(time.Millisecond)
	}
	put(t, l, message(all[1], "1002", "1", "of another"), message(all[0], "1001", "9", "/memory"), message(all[0], "1001", "10", "waits"))
	if got, want := backwards(t, a, all[0], mine), "said 0|answer 0|said 1|answer 1|said 2|answer 2|waits"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s, err := a.Chat(ctx, all[0], mine, ledger.Mark{}, 9)
	if err != nil || len(s.Sayings) != 7 || s.More || s.Sayings[0].External != "0" || s.Sayings[0].Channel != nacre.Telegram || s.Sayings[1].Channel != nacre.Telegram {
		t.Errorf("all at once: %+v, %v", s, err)
	}
	if s, err := a.Chat(ctx, all[1], mine, ledger.Mark{}, 9); err != nil || len(s.Sayings) != 0 {
		t.Errorf("another owner reads %+v, %v", s, err)
	}
}

func TestAroundAMessage(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	a := l.Archive(lastLine)
	group := message(all[0], "1001", "g", "in the group")
	group.Message.Private, group.Message.Chat.ID = false, "-100"
	group.Message.Segments = []nacre.Segment{{Provenance: nacre.InGroup, Text: "in the group"}}
	first := message(all[0], "1001", "1", "first")
	in := put(t, l, first, message(all[0], "1001", "2", "second"), group, message(all[0], "1001", "3", "third"), message(all[0], "1001", "4", "/memory"))
	around := func(o nacre.OwnerID, id nacre.MessageID, each int) string {
		list, err := a.Around(ctx, o, id, each)
		if err != nil && nacre.KindOf(err) != nacre.NotFound {
			t.Error(err)
		}
		return textsOf(list)
	}
	for _, c := range []struct {
		name  string
		owner nacre.OwnerID
		id    nacre.MessageID
		each  int
		want  string
	}{
		{"all of the chat", all[0], in[1].Message.ID, 9, "first|second|third"},
		{"next to it", all[0], in[0].Message.ID, 1, "first|second"},
		{"alone", all[0], in[1].Message.ID, 0, "second"},
		{"a group has its own", all[0], in[2].Message.ID, 9, "in the group"},
		{"of another owner", all[1], in[1].Message.ID, 9, ""},
		{"a command", all[0], in[4].Message.ID, 9, ""},
		{"none", all[0], "none", 9, ""},
	} {
		if got := around(c.owner, c.id, c.each); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	put(t, l, edited(first, 20, "first, edited"))
	if got := around(all[0], in[0].Message.ID, 9); got != "second|third|first, edited" {
		t.Errorf("what was edited since: %q", got)
	}
}

func TestAnswerTo(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	a := l.Archive(lastLine)
	mine := nacre.Chat{Channel: nacre.Telegram, ID: "1001"}
	answer := func(o nacre.OwnerID, external nacre.ExternalID, text string, done bool, kind nacre.Kind) {
		t.Helper()
		got, over, err := a.AnswerTo(ctx, o, mine, external)
		if got != text || over != done || nacre.KindOf(err) != kind && (err != nil || kind != 0) {
			t.Errorf("%s is answered %q, done %v, %v; want %q, %v", external, got, over, err, text, done)
		}
	}
	in := put(t, l, message(all[0], "1001", "1", "hello"), message(all[0], "1001", "2", "/memory"))
	answer(all[0], "1", "", false, 0)
	answer(all[0], "3", "", false, nacre.NotFound)
	answer(all[1], "1", "", false, nacre.NotFound)
	answered(t, l, in[:1], "hello yourself")
	answer(all[0], "1", "hello yourself", true, 0)

	turn := turnOver(in[1:], "what I know", "and more")
	turn.Outcome, turn.History, turn.Replies[0].ID = nacre.Commanded, nil, nacre.ReplyID(turn.ID)
	parts := commit(t, l, turn)
	answer(all[0], "2", "what I know\n\nand more", true, 0)
	parts[0].State, parts[1].State, parts[0].Keep = nacre.Sent, nacre.Sent, time.Hour
	settle(t, l, parts[0], "x", "")
	answer(all[0], "2", "what I know\n\nand more", true, 0)
	settle(t, l, parts[1], "y", "")
	answer(all[0], "2", "what I know", true, 0)
}
