package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

// texts are the last words of each source.
func texts(list []memory.Source) string {
	var all []string
	for _, s := range list {
		all = append(all, s.Segments[len(s.Segments)-1].Text)
	}
	return strings.Join(all, " ")
}

// received is a message that came a while ago.
func received(in nacre.Inbound, ago time.Duration) nacre.Inbound {
	in.Message.Received = time.Now().Add(-ago)
	return in
}

func TestUnread(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	all := owners(t, l, "1001", "1002")
	o := all[0]
	group := message(o, "-5", "g", "in-the-group")
	group.Message.Private, group.Message.Segments[1].Provenance = false, nacre.InGroup
	quote := message(o, "1001", "q", "forwarded")
	quote.Message.Segments[1].Provenance = nacre.Forwarded
	edit := func(external, text string, revision int64) nacre.Inbound {
		in := message(o, "1001", external, text)
		in.Message.Revision, in.Message.Quiet = revision, true
		return in
	}
	in := []nacre.Inbound{
		received(message(o, "1001", "1", "one"), time.Hour), received(message(all[1], "1002", "1", "theirs"), time.Hour),
		received(message(o, "2001", "1", "/remember"), time.Hour), received(group, time.Hour), received(quote, time.Hour),
		received(message(o, "1001", "2", "wrnog"), time.Hour), received(edit("2", "wrong", 7), time.Hour), received(edit("2", "right", 8), 30*time.Minute),
		received(message(o, "1001", "3", "erased"), time.Hour), received(message(o, "1001", "4", "four"), 20*time.Minute),
		received(message(o, "1001", "5", "just-now"), time.Minute),
	}
	put(t, l, in...)
	execute(t, dir, "UPDATE inbox SET sealed = NULL WHERE external = '3'")
	seq := func(i int) int64 { return in[i].Message.Seq }
	old := time.Now().Add(-10 * time.Minute)
	for _, c := range []struct {
		name    string
		after   int64
		until   time.Time
		most    int
		want    string
		through int64
	}{
		{"all that is old", 0, old, 40, "one /remember in-the-group right four", seq(9)},
		{"up to an instant", 0, time.Now().Add(-25 * time.Minute), 40, "one /remember in-the-group right", seq(8)},
		{"after a mark", seq(3), old, 40, "right four", seq(9)},
		{"two of them", 0, old, 2, "one /remember", seq(2)},
		{"the next two", seq(2), old, 2, "in-the-group right", seq(7)},
		{"nothing but what is passed over", seq(7), time.Now().Add(-25 * time.Minute), 40, "", seq(8)},
		{"nothing new", seq(9), old, 40, "", seq(9)},
		{"nothing at all", 0, time.Now().Add(-2 * time.Hour), 40, "", 0},
		{"everything", 0, time.Now().Add(time.Hour), 40, "one /remember in-the-group right four just-now", seq(10)},
	} {
		list, through, err := l.Unread(ctx, o, c.after, c.until, c.most)
		if err != nil || texts(list) != c.want || through != c.through {
			t.Errorf("%s: %q through %d, %v; want %q through %d", c.name, texts(list), through, err, c.want, c.through)
		}
	}
	if list, through, err := l.Between(ctx, o, seq(2), seq(3), 40); err != nil || texts(list) != "/remember in-the-group" || through != seq(3) {
		t.Errorf("between: %q through %d, %v", texts(list), through, err)
	}
	if list, through, err := l.Between(ctx, o, seq(2), seq(9), 0); err != nil || len(list) != 0 || through != seq(2)-1 {
		t.Errorf("none of them: %q through %d, %v", texts(list), through, err)
	}
	for owner, want := range map[nacre.OwnerID]int64{o: seq(10), all[1]: seq(1), "nobody": 0} {
		if heard, err := l.Heard(ctx, owner); err != nil || heard != want {
			t.Errorf("heard %d, %v; want %d", heard, err, want)
		}
	}
}

// What was heard in a recording is among the words.
func TestUnreadRecording(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	var in []nacre.Inbound
	for _, external := range []string{"heard", "not heard"} {
		m := message(o, "1001", external, "")
		m.Message.Segments, m.Message.Attachments = nil, []nacre.Attachment{{Kind: nacre.Voice, Ref: "r"}}
		in = append(in, m)
	}
	put(t, l, in...)
	must(t, l.PutReading(ctx, o, in[0].Message.ID, 0, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: "spoken"}}))
	list, through, err := l.Unread(ctx, o, 0, time.Now(), 40)
	if err != nil || texts(list) != "spoken" || through != in[1].Message.Seq {
		t.Errorf("unread %q through %d, %v", texts(list), through, err)
	}
}

// A clock that was years ahead for a while holds nothing up for years.
func TestUnreadWithAWrongClock(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	put(t, l, received(message(o, "1001", "1", "ahead"), -10*365*24*time.Hour))
	if list, through, err := l.Unread(ctx, o, 0, time.Now(), 40); err != nil || len(list) != 0 || through != 0 {
		t.Errorf("while nothing came since: %q through %d, %v", texts(list), through, err)
	}
	in := put(t, l, message(o, "1001", "2", "right"))
	if list, through, err := l.Unread(ctx, o, 0, time.Now(), 40); err != nil || texts(list) != "ahead right" || through != in[0].Message.Seq {
		t.Errorf("then: %q through %d, %v", texts(list), through, err)
	}
}

// However much is passed over, a reader comes to the end.
func TestUnreadComesThroughWhatItPassesOver(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	var in []nacre.Inbound
	for i := range 2500 {
		m := message(o, "1001", fmt.Sprint("f", i), "forwarded")
		m.Message.Segments[1].Provenance = nacre.Forwarded
		in = append(in, m)
	}
	in = append(in, message(o, "1001", "last", "last"))
	put(t, l, in...)
	var mark int64
	var found string
	for range 4 {
		list, through, err := l.Unread(ctx, o, mark, time.Now().Add(time.Minute), 40)
		if err != nil || through <= mark && mark < in[2500].Message.Seq {
			t.Fatalf("through %d after %d, %v", through, mark, err)
		}
		mark, found = through, found+texts(list)
	}
	if mark != in[2500].Message.Seq || found != "last" {
		t.Errorf("found %q through %d", found, mark)
	}
}
