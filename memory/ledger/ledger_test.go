package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nacre"
	"nacre/memory/ledger"
)

var ctx = context.Background()

// open opens the ledger of a directory and closes it with the test.
func open(t testing.TB, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(ctx, ledger.Options{Dir: dir, Keys: filepath.Join(dir, "keys.nacre")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func tg(id string) nacre.Address { return nacre.Address{Channel: nacre.Telegram, ID: id} }

// owners admits one owner for each Telegram id and returns them in that order.
func owners(t testing.TB, l *ledger.Ledger, ids ...string) []nacre.OwnerID {
	t.Helper()
	var list [][]nacre.Address
	for _, id := range ids {
		list = append(list, []nacre.Address{tg(id)})
	}
	all, err := l.SyncOwners(ctx, list)
	if err != nil {
		t.Fatal(err)
	}
	byAddress := map[nacre.Address]nacre.OwnerID{}
	for _, o := range all {
		for _, a := range o.Addresses {
			byAddress[a] = o.ID
		}
	}
	out := make([]nacre.OwnerID, len(ids))
	for i, id := range ids {
		out[i] = byAddress[tg(id)]
	}
	return out
}

// message makes an inbound private text of a Telegram user.
func message(owner nacre.OwnerID, user, external, text string) nacre.Inbound {
	now := time.Now()
	return nacre.Inbound{Owner: owner, Message: nacre.Message{
		ID: nacre.MessageID(nacre.NewID(now)), Chat: nacre.Chat{Channel: nacre.Telegram, ID: nacre.ChatID(user)},
		External: nacre.ExternalID(external), Author: tg(user), Private: true, Sent: now, Received: now, Language: "en",
		Segments: []nacre.Segment{{Provenance: nacre.Quoted, Text: "before"}, {Provenance: nacre.ByOwner, Text: text}},
	}}
}

func put(t testing.TB, l *ledger.Ledger, in ...nacre.Inbound) []nacre.Inbound {
	t.Helper()
	if err := l.Put(ctx, in); err != nil {
		t.Fatal(err)
	}
	return in
}

// turnOver makes the turn that answers messages with parts.
func turnOver(in []nacre.Inbound, parts ...string) nacre.Turn {
	s := in[0].Session
	turn := nacre.Turn{ID: nacre.TurnID(in[0].Message.ID), Session: s.ID, Owner: s.Owner, Outcome: nacre.Answered,
		Started: time.Now(), History: json.RawMessage(`["said"]`)}
	for _, m := range in {
		turn.Messages = append(turn.Messages, m.Message.ID)
	}
	reply := nacre.RenderedReply{ID: nacre.ReplyID(nacre.NewID(time.Now())), Chat: s.Chat}
	for _, p := range parts {
		reply.Parts = append(reply.Parts, nacre.Part{Text: p})
	}
	turn.Replies = []nacre.RenderedReply{reply}
	return turn
}

func commit(t testing.TB, l *ledger.Ledger, turn nacre.Turn) []nacre.Delivery {
	t.Helper()
	ds, err := l.Commit(ctx, turn)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestMessageComesBackAsItWasPut(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "7", "hello"), message(o, "1001", "8", "again"))
	l.Close()

	l = open(t, dir)
	left, err := l.Unanswered(ctx)
	if err != nil || len(left) != 1 || left[0] != in[0].Session {
		t.Fatalf("unanswered sessions %v, %v; want %v", left, err, in[0].Session)
	}
	got, err := l.Pending(ctx, left[0], 0)
	if err != nil || len(got) != 2 {
		t.Fatalf("pending %v, %v", got, err)
	}
	want := in[0].Message
	if got[0].ID != want.ID || got[0].Seq != want.Seq || got[0].Author != want.Author || got[0].Chat != want.Chat ||
		got[0].External != want.External || got[0].Language != "en" || !got[0].Private || got[0].Text() != "hello" ||
		got[0].Segments[0] != want.Segments[0] || got[0].Sent.UnixMilli() != want.Sent.UnixMilli() {
		t.Errorf("got %+v, want %+v", got[0], want)
	}
	if got[1].Text() != "again" || got[1].Seq <= got[0].Seq {
		t.Errorf("second message %+v is not behind the first", got[1])
	}
	if after, err := l.Pending(ctx, left[0], got[0].Seq); err != nil || len(after) != 1 || after[0].Seq != got[1].Seq {
		t.Errorf("pending after the first: %v, %v", after, err)
	}
}

func TestKnownMessageIsNotStoredAgain(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	put(t, l, message(o, "1001", "7", "hello"))
	again := put(t, l, message(o, "1001", "7", "hello"), message(o, "1001", "8", "new"))
	if again[0].Message.Seq != 0 {
		t.Errorf("the known message got the new sequence %d", again[0].Message.Seq)
	}
	if again[1].Message.Seq == 0 {
		t.Error("the new message beside it was not stored")
	}
	edited := message(o, "1001", "7", "hallo")
	edited.Message.Revision = 5
	if put(t, l, edited)[0].Message.Seq == 0 {
		t.Error("another revision of the known message was not stored")
	}
	got, err := l.Pending(ctx, again[0].Session, 0)
	if err != nil || len(got) != 3 {
		t.Errorf("%d messages pending, %v; want 3", len(got), err)
	}
}

func TestCommitIsOneStep(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "7", "a"), message(o, "1001", "8", "b"), message(o, "1001", "9", "c"))
	commit(t, l, turnOver(in[:1], "one"))

	// A turn over a message that is answered already leaves nothing at all.
	stale := turnOver(in[1:], "two")
	stale.Messages = append(stale.Messages, in[0].Message.ID)
	if _, err := l.Commit(ctx, stale); nacre.KindOf(err) != nacre.Conflict {
		t.Fatalf("stale turn: %v, want a conflict", err)
	}
	if got, _ := l.Pending(ctx, in[0].Session, 0); len(got) != 2 {
		t.Errorf("%d pending after the refused turn, want 2", len(got))
	}
	if left, _ := l.Undelivered(ctx); len(left) != 1 || left[0].Part.Text != "one" {
		t.Errorf("undelivered after the refused turn: %v", left)
	}

	commit(t, l, turnOver(in[1:], "two"))
	if got, _ := l.Pending(ctx, in[0].Session, 0); len(got) != 0 {
		t.Errorf("still pending after the turn: %v", got)
	}
}

func TestOnlyTheFirstPartOfAChatIsAsked(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	first := commit(t, l, turnOver(put(t, l, message(o[0], "1001", "1", "a")), "p1", "p2"))
	second := commit(t, l, turnOver(put(t, l, message(o[0], "1001", "2", "b")), "p3"))
	other := commit(t, l, turnOver(put(t, l, message(o[1], "1002", "1", "c")), "q1"))
	for _, c := range []struct {
		d    nacre.Delivery
		want nacre.DeliveryState
	}{{first[0], nacre.Asked}, {first[1], nacre.Waiting}, {second[0], nacre.Waiting}, {other[0], nacre.Asked}} {
		if c.d.State != c.want {
			t.Errorf("%s is %s, want %s", c.d.Part.Text, c.d.State, c.want)
		}
	}

	sent := first[0]
	sent.State = nacre.Sent
	if asked, err := l.Settle(ctx, sent, "77", "", first[1].ID); err != nil || !asked {
		t.Fatalf("the next one is asked: %v, %v", asked, err)
	}
	left, err := l.Undelivered(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, d := range left {
		got += fmt.Sprintf("%s %s; ", d.Part.Text, d.State)
	}
	if want := "p2 asked; p3 waiting; q1 asked; "; got != want {
		t.Errorf("undelivered %q, want %q", got, want)
	}
}

func TestSettleKeepsWhatBecameOfADelivery(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	ds := commit(t, l, turnOver(put(t, l, message(o, "1001", "1", "a")), "late", "lost"))
	until := time.Now().Add(time.Hour)
	ds[0].State, ds[0].Attempts, ds[0].Unsure, ds[0].NotUntil = nacre.Waiting, 3, 1, until
	ds[1].State = nacre.Dead
	settle(t, l, ds[0], "", "")
	settle(t, l, ds[1], "", "not found")
	l.Close()

	l = open(t, dir)
	left, err := l.Undelivered(ctx)
	if err != nil || len(left) != 1 {
		t.Fatalf("undelivered %v, %v", left, err)
	}
	if d := left[0]; d.State != nacre.Waiting || d.Attempts != 3 || d.Unsure != 1 || d.NotUntil.UnixMilli() != until.UnixMilli() || d.Part.Text != "late" || d.Reply == "" || d.Reply != ds[0].Reply {
		t.Errorf("waiting delivery came back as %+v", d)
	}
	dead, err := l.DeadLetters(ctx, 10)
	if err != nil || len(dead) != 1 || dead[0].ID != ds[1].ID || dead[0].Reason != "not found" {
		t.Errorf("dead letters %v, %v", dead, err)
	}
	if c, err := l.Counts(ctx); err != nil || c.Waiting != 1 || c.Dead != 1 || c.Messages != 1 || c.Pending != 0 {
		t.Errorf("counts %+v, %v", c, err)
	}
}

func TestRecentIsTheConversationSinceTheFreshStart(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	say := func(n int, fresh bool) nacre.SessionInfo {
		in := put(t, l, message(o, "1001", fmt.Sprint(n), "x"))
		turn := turnOver(in)
		turn.History, turn.Fresh = json.RawMessage(fmt.Sprint(n)), fresh
		commit(t, l, turn)
		return in[0].Session
	}
	s := say(1, false)
	say(2, true)
	for n := 3; n <= 6; n++ {
		say(n, false)
	}
	if got := conversation(t, l, s); got != " | 3 4 5 6" {
		t.Errorf("the conversation is %q", got)
	}
}

// conversation is the head of a session's conversation and its turns.
func conversation(t *testing.T, l *ledger.Ledger, s nacre.SessionInfo) string {
	t.Helper()
	c, err := l.Conversation(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	text := string(c.Head) + " |"
	for _, p := range c.Turns {
		text += " " + string(p.History)
	}
	return text
}

// What stands for older turns takes their place until the next fresh start, and
// a turn that was answered again is no part of the conversation.
func TestConversationInShort(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	var turns []nacre.Turn
	say := func(n int, change func(*nacre.Turn)) nacre.SessionInfo {
		in := put(t, l, message(o, "1001", fmt.Sprint(n), "x"))
		turn := turnOver(in)
		turn.History = json.RawMessage(fmt.Sprint(n))
		change(&turn)
		commit(t, l, turn)
		turns = append(turns, turn)
		return in[0].Session
	}
	plain := func(*nacre.Turn) {}
	s := say(1, plain)
	say(2, plain)
	say(3, plain)
	compact := func(through int, head string) {
		t.Helper()
		if err := l.Compact(ctx, s, turns[through-1].ID, json.RawMessage(head)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(text string) {
		t.Helper()
		if got := conversation(t, l, s); got != text {
			t.Errorf("the conversation is %q, want %q", got, text)
		}
	}
	compact(2, `"one and two"`)
	want(`"one and two" | 3`)
	say(4, func(turn *nacre.Turn) { turn.Instead = turns[2].ID })
	want(`"one and two" | 4`)
	compact(4, `"all"`)
	want(`"all" |`)
	say(5, plain)
	l.Close()
	l = open(t, dir)
	want(`"all" | 5`)
	say(6, func(turn *nacre.Turn) { turn.Fresh = true })
	want(" |")
	say(7, plain)
	want(" | 7")
	if err := l.Compact(ctx, s, "no such turn", json.RawMessage(`""`)); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("compacting through a turn that is not there: %v", err)
	}
}

func TestChosenModelIsKept(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	s := put(t, l, message(o, "1001", "1", "x"))[0].Session
	for _, name := range []string{"", "openai/large", ""} {
		if err := l.ChooseModel(ctx, s, name); err != nil {
			t.Fatal(err)
		}
		if c, err := l.Conversation(ctx, s); err != nil || c.Model != name {
			t.Errorf("the model is %q, %v; want %q", c.Model, err, name)
		}
	}
}

func TestReadings(t *testing.T) {
	l := open(t, t.TempDir())
	both := owners(t, l, "1001", "1002")
	m := put(t, l, message(both[0], "1001", "1", "x"))[0].Message
	if _, err := l.Reading(ctx, both[0], m.ID, 0); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("a reading that is not there: %v", err)
	}
	for _, text := range []string{"what was said", "something else"} { // a repeated turn hears it differently
		if err := l.PutReading(ctx, both[0], m.ID, 0, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: text}, MIME: "image/png", Image: []byte("png")}); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := l.Reading(ctx, both[0], m.ID, 0); err != nil || r.Text != (nacre.Segment{Provenance: nacre.ByVoice, Text: "what was said"}) || r.MIME != "image/png" || string(r.Image) != "png" {
		t.Errorf("the reading is %v, %v", r, err)
	}
	if _, err := l.Reading(ctx, both[1], m.ID, 0); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("somebody else's reading: %v", err)
	}
}

// A write that fails costs nobody but itself, however many share its commit.
func TestFailingWriteCostsItsNeighboursNothing(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	answered := put(t, l, message(o, "1001", "0", "answered"))
	commit(t, l, turnOver(answered))
	var all sync.WaitGroup
	for i := 1; i <= 300; i++ {
		all.Go(func() {
			if i%3 == 0 {
				if _, err := l.Commit(ctx, turnOver(answered)); nacre.KindOf(err) != nacre.Conflict {
					t.Errorf("a turn over an answered message: %v", err)
				}
				return
			}
			in := []nacre.Inbound{message(o, "1001", fmt.Sprint(i), "x")}
			if err := l.Put(ctx, in); err != nil || in[0].Message.Seq == 0 {
				t.Errorf("a message beside failing turns: sequence %d, %v", in[0].Message.Seq, err)
			}
		})
	}
	all.Wait()
	if c, err := l.Counts(ctx); err != nil || c.Pending != 200 || c.Waiting != 0 {
		t.Errorf("counts %+v, %v; want 200 pending", c, err)
	}
}

// Rows that cannot be read any more, as when their key is destroyed, hold up
// nothing; and a row opens only as what it was sealed as.
func TestUnreadableRowsHoldUpNothing(t *testing.T) {
	for _, spoil := range []string{
		"UPDATE inbox SET revision = 9 WHERE external = 'bad'; UPDATE turns SET sealed = x'01' WHERE seq = 1; UPDATE outbox SET record = record + 1 WHERE seq = 1",
		"UPDATE inbox SET sealed = zeroblob(40) WHERE external = 'bad'; UPDATE turns SET owner = owner, record = record + 1 WHERE seq = 1; UPDATE outbox SET sealed = NULL WHERE seq = 1",
	} {
		dir := t.TempDir()
		l := open(t, dir)
		o := owners(t, l, "1001")[0]
		commit(t, l, turnOver(put(t, l, message(o, "1001", "1", "a")), "lost part", "good part"))
		second := turnOver(put(t, l, message(o, "1001", "2", "b")))
		second.History = json.RawMessage(`["kept"]`)
		commit(t, l, second)
		in := put(t, l, message(o, "1001", "bad", "lost words"), message(o, "1001", "good", "good words"))
		l.Close()
		execute(t, dir, spoil)

		l = open(t, dir)
		got, err := l.Pending(ctx, in[0].Session, 0)
		if err != nil || len(got) != 2 || got[0].Text() != "" || len(got[0].Segments) != 1 || got[1].Text() != "good words" {
			t.Errorf("pending %+v, %v", got, err)
		}
		if got := conversation(t, l, in[0].Session); got != ` | ["kept"]` {
			t.Errorf("the conversation is %q", got)
		}
		left, err := l.Undelivered(ctx)
		if err != nil || len(left) != 2 || left[0].State != nacre.Dead || left[1].Part.Text != "good part" {
			t.Errorf("undelivered %+v, %v", left, err)
		}
	}
}

func TestWordsNeverReachTheDisk(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	const canary = "Zirkonlerche"
	in := put(t, l, message(o, "1001", "7", canary))
	turn := turnOver(in, canary+" in the answer")
	turn.History = json.RawMessage(`["` + canary + `"]`)
	commit(t, l, turn)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	found := false
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), canary) {
			t.Errorf("%s holds the words in clear", f)
		}
		found = found || strings.Contains(string(b), string(in[0].Message.ID))
	}
	if !found {
		t.Error("not even the message's id is in any file, so this test looked in the wrong place")
	}
}
