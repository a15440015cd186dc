package ledger_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"nacre"
	"nacre/memory/ledger"
)

// ask commits a turn whose reply offers options.
func ask(t *testing.T, l *ledger.Ledger, owner nacre.OwnerID, external string, options ...string) nacre.RenderedReply {
	t.Helper()
	turn := turnOver(put(t, l, message(owner, "1001", external, "x")), "question")
	turn.Replies[0].Options = options
	commit(t, l, turn)
	return turn.Replies[0]
}

func TestAQuestionIsSettledOnce(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	r := ask(t, l, o, "1", "Tea", "Coffee")
	q, err := l.Question(ctx, r.ID)
	if err != nil || q.Owner != o || q.Chat != r.Chat || q.Chosen != -1 || !slices.Equal(q.Options, []string{"Tea", "Coffee"}) {
		t.Fatalf("question %+v, %v", q, err)
	}
	if _, err := l.Question(ctx, "no-such"); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("a question that was never asked: %v", err)
	}
	for i, want := range []bool{true, false} {
		in := message(o, "1001", "press/"+string(r.ID), "Coffee")
		chosen, err := l.Choose(ctx, r.ID, 1-i, &in)
		if err != nil || chosen != want || (in.Message.Seq != 0) != want {
			t.Errorf("choice %d: %v, sequence %d, %v; want %v", i+1, chosen, in.Message.Seq, err, want)
		}
	}
	if q, err := l.Question(ctx, r.ID); err != nil || q.Chosen != 1 {
		t.Errorf("after both choices %d is chosen, %v; want the first, 1", q.Chosen, err)
	}
	left, err := l.Unanswered(ctx)
	if err != nil || len(left) != 1 {
		t.Fatalf("unanswered %v, %v", left, err)
	}
	if got, err := l.Pending(ctx, left[0], 0); err != nil || len(got) != 1 {
		t.Errorf("%d choices are pending, %v; want 1", len(got), err)
	}
}

// A question is open to an answer that does not name it while it is what was said
// last in its chat.
func TestTheOpenQuestionOfAChat(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	chat := message(o[0], "1001", "", "").Message.Chat
	newest := func(name string, want nacre.ReplyID) {
		t.Helper()
		q, err := l.OpenQuestion(ctx, chat)
		if want == "" && nacre.KindOf(err) != nacre.NotFound || want != "" && (err != nil || q.ID != want || q.Owner != o[0]) {
			t.Errorf("%s: %+v, %v; want %q", name, q, err, want)
		}
	}
	said := func(external string, change func(*nacre.Message)) {
		t.Helper()
		m := message(o[0], "1001", external, "hm")
		change(&m.Message)
		put(t, l, m)
	}
	shown := func() {
		t.Helper()
		waiting, err := l.Undelivered(ctx)
		must(t, err)
		for _, d := range waiting {
			d.State = nacre.Sent
			settle(t, l, d, "", "")
		}
	}
	newest("nothing asked", "")
	first := ask(t, l, o[0], "1", "Tea", "Coffee")
	newest("asked", first.ID)
	said("q", func(m *nacre.Message) { m.Quiet = true })
	said("j", func(m *nacre.Message) { m.Due, m.Author = &nacre.Due{Job: "j"}, nacre.Address{} })
	said("t", func(m *nacre.Message) { m.Chat.Thread = "7" })
	put(t, l, message(o[1], "1002", "1", "elsewhere"))
	newest("a reaction, a reminder and other chats", first.ID)
	second := ask(t, l, o[0], "2", "Red", "Blue")
	newest("asked again, which is not shown yet", "")
	shown()
	newest("asked again", second.ID)
	blue := message(o[0], "1001", "3", "Blue")
	if chosen, err := l.Choose(ctx, second.ID, 1, &blue); err != nil || !chosen {
		t.Fatal(chosen, err)
	}
	newest("the later one is settled", "")
	third := ask(t, l, o[0], "4", "Yes", "No")
	shown()
	newest("asked once more", third.ID)
	said("5", func(*nacre.Message) {})
	newest("something else was said", "")
}

// A message that is known chooses nothing, whatever was asked since.
func TestAKnownMessageChoosesNothing(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	known := put(t, l, message(o, "1001", "0", "1"))[0]
	r := ask(t, l, o, "1", "Tea", "Coffee")
	for _, c := range []struct {
		name string
		in   nacre.Inbound
		want bool
	}{{"known", message(o, "1001", "0", "1"), false}, {"new", message(o, "1001", "2", "1"), true}} {
		chosen, err := l.Choose(ctx, r.ID, 0, &c.in)
		if err != nil || chosen != c.want || (c.in.Message.Seq != 0) != c.want {
			t.Errorf("%s: %v, sequence %d, %v; want %v", c.name, chosen, c.in.Message.Seq, err, c.want)
		}
	}
	if known.Message.Seq == 0 {
		t.Error("the known message was never stored")
	}
}

func TestABubbleIsTakenByItsTurn(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	o := owners(t, l, "1001")[0]
	in := put(t, l, message(o, "1001", "1", "a"))
	turn := turnOver(in, "first part", "second part")
	for _, id := range []nacre.ExternalID{"70", "77"} {
		if err := l.KeepBubble(ctx, turn.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	l = open(t, dir) // the turn is repeated by another process
	if id, kept, err := l.Bubble(ctx, turn.ID); err != nil || !kept || id != "77" {
		t.Errorf("the bubble is %q, %v, %v; want 77", id, kept, err)
	}
	ds := commit(t, l, turn)
	if ds[0].Bubble != "77" || ds[1].Bubble != "" {
		t.Errorf("bubbles of the parts: %q and %q", ds[0].Bubble, ds[1].Bubble)
	}
	left, err := l.Undelivered(ctx)
	if err != nil || len(left) != 2 || left[0].Bubble != "77" || left[1].Bubble != "" {
		t.Errorf("undelivered %+v, %v", left, err)
	}
	if id, kept, err := l.Bubble(ctx, turn.ID); err != nil || kept {
		t.Errorf("after the commit the bubble is %q, %v", id, err)
	}
}

// A bubble of which only the sending is known makes the answer a possible
// repeat; one that was certainly never sent does not.
func TestABubbleOfUnknownFateLabelsTheAnswer(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	for i, user := range []string{"1001", "1002"} {
		dropped := i == 1
		turn := turnOver(put(t, l, message(o[i], user, "1", "a")), "first", "second")
		err := l.KeepBubble(ctx, turn.ID, "")
		if dropped {
			err = errors.Join(err, l.DropBubble(ctx, turn.ID))
		}
		if err != nil {
			t.Fatal(err)
		}
		ds := commit(t, l, turn)
		if labelled := ds[0].Unsure > 0; labelled == dropped || ds[1].Unsure != 0 || ds[0].Bubble != "" {
			t.Errorf("dropped %v: deliveries %+v", dropped, ds)
		}
	}
}

func TestAttachmentsComeBack(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	in := message(o[0], "1001", "1", "look")
	in.Message.Attachments = []nacre.Attachment{{Kind: nacre.Photo, Ref: "f1", Bytes: 3}, {Kind: nacre.Document, Name: "a.pdf", Ref: "f2"}}
	m := put(t, l, in)[0]
	got, err := l.Pending(ctx, m.Session, 0)
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0].Attachments, in.Message.Attachments) {
		t.Fatalf("pending %+v, %v", got, err)
	}
	for _, data := range [][]byte{{1, 2, 3}, {9}} { // the second is a repeated turn's
		if err := l.PutAttachment(ctx, o[0], m.Message.ID, 0, nacre.Photo, data); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := l.Attachment(ctx, o[0], m.Message.ID, 0); err != nil || !bytes.Equal(data, []byte{1, 2, 3}) {
		t.Errorf("attachment %v, %v", data, err)
	}
	for _, c := range []struct {
		owner nacre.OwnerID
		place int
	}{{o[0], 1}, {o[1], 0}} {
		if _, err := l.Attachment(ctx, c.owner, m.Message.ID, c.place); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("attachment %d for %s: %v, want not found", c.place, c.owner, err)
		}
	}
}

func TestAMovedChatTakesItsThingsAlong(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	from, to := nacre.Chat{Channel: nacre.Telegram, ID: "-1"}, nacre.Chat{Channel: nacre.Telegram, ID: "-100"}
	in := message(o, "1001", "1", "x")
	in.Message.Chat, in.Message.Private = from, false
	turn := turnOver(put(t, l, in), "waits")
	turn.Replies[0].Options = []string{"a", "b"}
	commit(t, l, turn)
	if err := l.EnableGroup(ctx, from, o); err != nil {
		t.Fatal(err)
	}
	for range 2 { // both ends of the move are announced
		if err := l.MoveChat(ctx, from, to); err != nil {
			t.Fatal(err)
		}
	}
	if owner, err := l.GroupOwner(ctx, to); err != nil || owner != o {
		t.Errorf("the group's owner is %q, %v", owner, err)
	}
	if left, err := l.Undelivered(ctx); err != nil || len(left) != 1 || left[0].Chat != to {
		t.Errorf("undelivered %+v, %v", left, err)
	}
	if q, err := l.Question(ctx, turn.Replies[0].ID); err != nil || q.Chat != to {
		t.Errorf("question %+v, %v", q, err)
	}
	next := message(o, "1001", "2", "y")
	next.Message.Chat, next.Message.Private = to, false
	if put(t, l, next); turn.Session != put(t, l, next)[0].Session.ID {
		t.Error("the conversation did not move along")
	}
}

// What replies asked is found by their ids, with what was chosen, for its owner alone
// and until it is forgotten.
func TestTheQuestionsOfReplies(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001", "1002")
	first, second := ask(t, l, o[0], "1", "Tea", "Coffee"), ask(t, l, o[0], "2", "Yes", "No")
	in := message(o[0], "1001", "press/"+string(second.ID), "No")
	if chosen, err := l.Choose(ctx, second.ID, 1, &in); err != nil || !chosen {
		t.Fatalf("chosen %v, %v", chosen, err)
	}
	ids := []nacre.ReplyID{first.ID, second.ID, "never-asked"}
	got, err := l.Questions(ctx, o[0], ids)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d questions, %v; want 2", len(got), err)
	}
	if q := got[first.ID]; q.Chosen != -1 || !slices.Equal(q.Options, []string{"Tea", "Coffee"}) {
		t.Errorf("the open one is %+v", q)
	}
	if q := got[second.ID]; q.Chosen != 1 || !slices.Equal(q.Options, []string{"Yes", "No"}) {
		t.Errorf("the settled one is %+v", q)
	}
	if got, err := l.Questions(ctx, o[0], ids[:1]); err != nil || len(got) != 1 {
		t.Errorf("of one reply there are %d, %v", len(got), err)
	}
	if got, err := l.Questions(ctx, o[1], ids); err != nil || len(got) != 0 {
		t.Errorf("another owner is told %v, %v", got, err)
	}
	if got, err := l.Questions(ctx, o[0], nil); err != nil || len(got) != 0 {
		t.Errorf("of no replies there are %v, %v", got, err)
	}
}
