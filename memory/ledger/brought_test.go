package ledger_test

import (
	"slices"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

// What the importer and the archive ask of what is there is answered for its owner
// alone.
func TestBrought(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	in := []nacre.Inbound{sentAt(elsewhere(all[0], "a", "1", "two"), time.UnixMilli(2000)), sentAt(elsewhere(all[0], "b", "1", "one"), time.UnixMilli(1000)),
		sentAt(theirs(elsewhere(all[0], "a", "2", "three"), "chatgpt"), time.UnixMilli(2000))}
	if n, err := l.KnownElsewhere(ctx, in); err != nil || n != 0 {
		t.Errorf("%d are known at first, %v", n, err)
	}
	take(t, l, in...)
	if n, err := l.KnownElsewhere(ctx, append(in, elsewhere(all[0], "a", "3", "four"))); err != nil || n != 3 {
		t.Errorf("%d are known then, %v", n, err)
	}
	own := nacre.MessageID(nacre.NewID(time.Now()))
	here := []nacre.Inbound{{Owner: all[0], Message: nacre.Message{ID: own, Chat: nacre.Chat{Channel: nacre.Telegram, ID: "1001"}, External: "9", Private: true,
		Author: nacre.Address{Channel: nacre.Telegram, ID: "1001"}, Sent: time.UnixMilli(1500), Received: time.UnixMilli(1500),
		Segments: []nacre.Segment{{Provenance: nacre.ByOwner, Text: "here"}}}}}
	must(t, l.Put(ctx, here))
	first := in[0].Message.ID
	for i, owner := range all {
		said, err := l.SaidHere(ctx, owner, []string{string(own), "none"})
		must(t, err)
		called, err := l.CalledElsewhere(ctx, owner, []nacre.MessageID{first, own, "none"})
		must(t, err)
		chats, err := l.Chats(ctx, owner)
		must(t, err)
		var texts []string
		must(t, l.Archive(nil).Everything(ctx, owner, func(s ledger.Saying) bool {
			texts = append(texts, s.Text)
			return s.Text != "two"
		}))
		mine := i == 0
		if said[string(own)] != mine || len(said) > 1 || (called[first] == in[0].Message.External) != mine || len(called) > 1 ||
			(chats[here[0].Session.ID] == here[0].Session.Chat) != mine || mine && (len(chats) != 3 || !slices.Equal(texts, []string{"one", "here", "two"})) || !mine && texts != nil {
			t.Errorf("%s: said here %v, called %v, chats %v, all %q", owner, said, called, chats, texts)
		}
	}
}
