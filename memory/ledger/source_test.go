package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"nacre"
	"nacre/memory"
)

// from makes an inbound message of segments.
func from(owner nacre.OwnerID, external string, segments ...nacre.Segment) nacre.Inbound {
	in := message(owner, "1001", external, "")
	in.Message.Segments = segments
	return in
}

func said(text string) nacre.Segment { return nacre.Segment{Provenance: nacre.ByOwner, Text: text} }

func idsOf(in []nacre.Inbound) []nacre.MessageID {
	var ids []nacre.MessageID
	for _, m := range in {
		ids = append(ids, m.Message.ID)
	}
	return ids
}

// isSourceOf reports whether a Source is a message as it was put.
func isSourceOf(s memory.Source, m nacre.Message) bool {
	return s.ID == m.ID && s.Seq == m.Seq && s.Chat == m.Chat && s.Private == m.Private &&
		s.Sent.UnixMilli() == m.Sent.UnixMilli() && slices.Equal(s.Segments, m.Segments)
}

func TestSourcesAreTheOwnersOwn(t *testing.T) {
	l := open(t, t.TempDir())
	who := owners(t, l, "1001", "1002")
	edited := message(who[0], "1001", "7", "mine, edited")
	edited.Message.Revision = 5
	group := from(who[0], "8", nacre.Segment{Provenance: nacre.InGroup, Text: "here"})
	group.Message.Private, group.Message.Chat = false, nacre.Chat{Channel: nacre.Telegram, ID: "-100", Thread: "3"}
	in := put(t, l, message(who[0], "1001", "7", "mine"), edited, group,
		from(who[0], "9", nacre.Segment{Provenance: nacre.BySystem, Text: "a reminder"}), message(who[1], "1002", "7", "theirs"))

	got, err := l.Sources(ctx, who[0], append(idsOf(in), "019c2fd1-2a95-7cc1-9d2b-000000000001"))
	if err != nil || len(got) != 4 {
		t.Fatalf("%d sources, %v; want 4", len(got), err)
	}
	for _, m := range in[:4] {
		if s := got[m.Message.ID]; !isSourceOf(s, m.Message) {
			t.Errorf("got %+v, want %+v", s, m.Message)
		}
	}
	if none, err := l.Sources(ctx, who[0], nil); err != nil || len(none) != 0 {
		t.Errorf("without ids: %v, %v", none, err)
	}
}

func TestErasedSourceHasNoWords(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, from(o, "1", said("erased")), from(o, "2", said("without a key")), from(o, "3", said("kept")))
	l.Close()
	execute(t, dir, "UPDATE inbox SET sealed = NULL WHERE external = '1'")
	var record uint64
	if err := database(t, dir).QueryRow("SELECT record FROM inbox WHERE external = '2'").Scan(&record); err != nil {
		t.Fatal(err)
	}
	puncture(t, dir, o, record)

	l = open(t, dir)
	got, err := l.Sources(ctx, o, idsOf(in))
	if err != nil || len(got) != 3 {
		t.Fatalf("%d sources, %v; want 3", len(got), err)
	}
	for i, want := range []int{0, 0, 1} {
		if s := got[in[i].Message.ID]; len(s.Segments) != want || s.Seq != in[i].Message.Seq {
			t.Errorf("message %d: %+v, want %d segments", i, s, want)
		}
	}
	if recent, err := l.Recent(ctx, in[0].Session, 100, 10); err != nil || len(recent) != 1 || recent[0].ID != in[2].Message.ID {
		t.Errorf("recent: %+v, %v; want what was kept", recent, err)
	}
}

// What was heard in a voice note stands behind the message's own segments, in
// the place of its attachment, whatever else was read and in whatever order.
func TestVoiceIsPartOfItsMessage(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	m := from(o, "1", nacre.Segment{Provenance: nacre.Label, Text: "an album"})
	m.Message.Attachments = []nacre.Attachment{{Kind: nacre.Document}, {Kind: nacre.Voice}, {Kind: nacre.Photo}}
	in := put(t, l, m, from(o, "2", said("after it")))
	id := in[0].Message.ID
	for place, text := range map[int]nacre.Segment{0: {Provenance: nacre.InFile, Text: "a page"}, 1: {Provenance: nacre.ByVoice, Text: "I ride a bike"}} {
		if err := l.PutReading(ctx, o, id, place, nacre.Reading{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	want := []nacre.Segment{{Provenance: nacre.Label, Text: "an album"}, {}, {Provenance: nacre.ByVoice, Text: "I ride a bike"}, {}}
	got, err := l.Sources(ctx, o, []nacre.MessageID{id})
	if err != nil || !slices.Equal(got[id].Segments, want) {
		t.Errorf("got %+v, %v; want %+v", got[id].Segments, err, want)
	}
	recent, err := l.Recent(ctx, in[0].Session, 100, 10)
	if err != nil || len(recent) != 2 || !slices.Equal(recent[0].Segments, want) || !slices.Equal(recent[1].Segments, in[1].Message.Segments) {
		t.Errorf("recent: %+v, %v", recent, err)
	}
}

func TestRecentIsWhatPeopleSaid(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	var all []nacre.Inbound
	for i, p := range []nacre.Provenance{nacre.ByOwner, nacre.BySystem, nacre.ByVoice, nacre.Forwarded, nacre.InGroup, nacre.Label, nacre.ByOwner, nacre.BySystem} {
		all = append(all, from(o, fmt.Sprint(i), nacre.Segment{Provenance: nacre.Quoted, Text: "quoted"}, nacre.Segment{Provenance: p, Text: fmt.Sprint(i)}))
	}
	elsewhere := from(o, "1", said("in another chat"))
	elsewhere.Message.Chat.ID = "1002"
	all = put(t, l, append(all, elsewhere)...)
	commit(t, l, turnOver(all[:3], "answered"))
	s := all[0].Session
	cases := []struct {
		name   string
		before int64
		most   int
		want   []int
	}{
		{"all", 1 << 40, 10, []int{0, 2, 4, 6}},
		{"the newest two", 1 << 40, 2, []int{4, 6}},
		{"the newest two before one", all[6].Message.Seq, 2, []int{2, 4}},
		{"before all", all[0].Message.Seq, 10, nil},
		{"none", 1 << 40, 0, nil},
	}
	for _, c := range cases {
		recent, err := l.Recent(ctx, s, c.before, c.most)
		if err != nil || len(recent) != len(c.want) {
			t.Errorf("%s: %d messages, %v; want %v", c.name, len(recent), err, c.want)
			continue
		}
		for i, r := range recent {
			if !isSourceOf(r, all[c.want[i]].Message) {
				t.Errorf("%s: got %+v in place %d, want message %d", c.name, r, i, c.want[i])
			}
		}
	}
	s.Owner = "nobody"
	if recent, err := l.Recent(ctx, s, 1<<40, 10); err != nil || len(recent) != 0 {
		t.Errorf("another owner reads the session: %+v, %v", recent, err)
	}
}
