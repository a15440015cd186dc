package ledger_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// elsewhere is what an owner said in a conversation with ChatGPT, long ago.
func elsewhere(o nacre.OwnerID, chat, id, text string) nacre.Inbound {
	at, external := ledger.ElsewhereID(o, "chatgpt", chat, id)
	return nacre.Inbound{Owner: o, Message: nacre.Message{Chat: at, External: external, Private: true,
		Author: nacre.Address{Channel: nacre.Elsewhere, ID: nacre.ElsewhereOwner}, Sent: time.Date(2023, 5, 1, 12, 0, 0, 0, time.UTC),
		Segments: []nacre.Segment{{Provenance: nacre.Imported, Text: text}}}}
}

// theirs makes it what somebody else said there.
func theirs(in nacre.Inbound, who string) nacre.Inbound {
	in.Message.Author.ID = who
	in.Message.Segments = []nacre.Segment{{Provenance: nacre.Forwarded, Text: in.Message.Segments[0].Text}}
	return in
}

func sentAt(in nacre.Inbound, at time.Time) nacre.Inbound {
	in.Message.Sent = at
	return in
}

// take takes messages over.
func take(t testing.TB, l *ledger.Ledger, in ...nacre.Inbound) (added int) {
	t.Helper()
	added, err := l.PutElsewhere(ctx, in)
	must(t, err)
	return added
}

func TestElsewhereIsTakenOnce(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	all := owners(t, l, "1001", "1002")
	bring := func(o nacre.OwnerID) []nacre.Inbound {
		return []nacre.Inbound{elsewhere(o, "a", "1", "one"), theirs(elsewhere(o, "a", "2", "two"), "chatgpt"), elsewhere(o, "b", "1", "three"), elsewhere(o, "a", "1", "one")}
	}
	in := bring(all[0])
	if n := take(t, l, in...); n != 3 || in[0].Message.ID == "" || in[0].Message.ID != in[3].Message.ID || in[0].Message.Seq == 0 || in[3].Message.Seq != 0 {
		t.Errorf("%d added: %+v", n, in)
	}
	execute(t, dir, "UPDATE inbox SET sealed = NULL WHERE id = '"+string(in[0].Message.ID)+"'")
	second := append(bring(all[0]), elsewhere(all[0], "a", "3", "four"))
	if n := take(t, l, second...); n != 1 || second[0].Message.ID != in[0].Message.ID || second[4].Message.Seq == 0 {
		t.Errorf("the second time %d added: %+v", n, second)
	}
	if n := take(t, l, bring(all[1])...); n != 3 {
		t.Errorf("of another owner %d added", n)
	}
	if n := take(t, l); n != 0 {
		t.Errorf("of nothing %d added", n)
	}
	a := l.Archive(lastLine)
	for i, want := range []string{"two|three|four", "one|two|three"} {
		m, err := a.Mark(ctx, all[i])
		must(t, err)
		list := before(t, a, all[i], m)
		slices.Reverse(list)
		if got := textsOf(list); got != want {
			t.Errorf("owner %d has %q, want %q", i, got, want)
		}
	}
	for i, want := range []nacre.MessageID{in[1].Message.ID, ""} {
		at, id := ledger.ElsewhereID(all[0], "chatgpt", "a", []string{"2", "7"}[i])
		if got, err := l.SaidElsewhere(ctx, at, id); err != nil || got != want {
			t.Errorf("message %d is %q, %v", i, got, err)
		}
	}
}

func TestElsewhereTakesNothingElse(t *testing.T) {
	l := open(t, t.TempDir())
	all := owners(t, l, "1001", "1002")
	for name, change := range map[string]func(in *nacre.Inbound){
		"another channel":         func(in *nacre.Inbound) { in.Message.Chat.Channel = nacre.Telegram },
		"an address of a network": func(in *nacre.Inbound) { in.Message.Author = tg("1001") },
		"a group":                 func(in *nacre.Inbound) { in.Message.Private = false },
		"the chat of another":     func(in *nacre.Inbound) { in.Message.Chat, _ = ledger.ElsewhereID(all[1], "chatgpt", "a", "") },
		"a chat of any name":      func(in *nacre.Inbound) { in.Message.Chat.ID = nacre.ChatID(all[0]) + "/a" },
		"words as typed here":     func(in *nacre.Inbound) { in.Message.Segments[0].Provenance = nacre.ByOwner },
		"theirs as the owner's":   func(in *nacre.Inbound) { in.Message.Author.ID = "chatgpt" },
		"the owner's as theirs":   func(in *nacre.Inbound) { in.Message.Segments[0].Provenance = nacre.Forwarded },
		"a job":                   func(in *nacre.Inbound) { in.Message.Due = &nacre.Due{} },
		"an edit":                 func(in *nacre.Inbound) { in.Message.Revision = 1 },
		"a file":                  func(in *nacre.Inbound) { in.Message.Attachments = []nacre.Attachment{{}} },
	} {
		in := elsewhere(all[0], "a", "1", "one")
		change(&in)
		if n, err := l.PutElsewhere(ctx, []nacre.Inbound{elsewhere(all[0], "a", "2", "two"), in}); nacre.KindOf(err) != nacre.Internal || n != 0 {
			t.Errorf("%s: %d added, %v", name, n, err)
		}
	}
	if n, err := l.PutElsewhere(ctx, make([]nacre.Inbound, ledger.ElsewhereAtOnce+1)); nacre.KindOf(err) != nacre.Internal || n != 0 {
		t.Errorf("too many: %d added, %v", n, err)
	}
	if n := take(t, l, elsewhere(all[0], "a", "2", "two")); n != 1 {
		t.Errorf("what is right: %d added", n)
	}
}

func TestElsewhereIDsSayNothing(t *testing.T) {
	at, id := ledger.ElsewhereID("ann", "nuum", "talks/my divorce.md", "line 7")
	if text := string(at.ID) + string(id); strings.Contains(text, "divorce") || strings.Contains(text, "line") || len(text) > 80 || !strings.HasPrefix(text, "ann/nuum/") {
		t.Errorf("it is called %s", text)
	}
	other := func(owner nacre.OwnerID, source, chat, message string) {
		if c, m := ledger.ElsewhereID(owner, source, chat, message); c == at && m == id {
			t.Errorf("%s %s %s %s is called the same", owner, source, chat, message)
		}
	}
	other("bob", "nuum", "talks/my divorce.md", "line 7")
	other("ann", "nod", "talks/my divorce.md", "line 7")
	other("ann", "nuum", "talks/my divorce.m", "line 7")
	other("ann", "nuum", "talks/my divorce.md", "line 8")
}

// Nobody is answered where another assistant was spoken to, and nothing is told there.
func TestElsewhereIsNobodysChat(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	take(t, l, elsewhere(o, "a", "1", "one"))
	if _, err := l.Home(ctx, o); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("somebody who only brought something has a home: %v", err)
	}
	in := put(t, l, message(o, "1001", "1", "hello"))
	take(t, l, elsewhere(o, "a", "2", "two"), elsewhere(o, "b", "1", "three"))
	homes, err := l.Homes(ctx, o)
	if err != nil || len(homes) != 1 || homes[0].ID != in[0].Session.ID {
		t.Errorf("homes are %v, %v", homes, err)
	}
	if left, err := l.Unanswered(ctx); err != nil || len(left) != 1 || left[0].ID != in[0].Session.ID {
		t.Errorf("unanswered are %v, %v", left, err)
	}
	if c, err := l.Counts(ctx); err != nil || c.Messages != 1 || c.Pending != 1 {
		t.Errorf("counted %+v, %v", c, err)
	}
	if n, err := l.Heard(ctx, o); err != nil || n != in[0].Message.Seq {
		t.Errorf("heard %d, %v", n, err)
	}
}

// What was said elsewhere is read by nobody who looks for what to keep in mind, and
// does not make what was just said old.
func TestElsewhereIsNotRead(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	many := func(chat string) {
		var in []nacre.Inbound
		for i := range ledger.ElsewhereAtOnce {
			in = append(in, elsewhere(o, chat, fmt.Sprint(i), "something else"))
		}
		take(t, l, in...)
	}
	first := put(t, l, received(message(o, "1001", "1", "one"), time.Hour))[0]
	many("a")
	many("b")
	many("c")
	second := put(t, l, received(message(o, "1001", "2", "two"), time.Hour), received(message(o, "1001", "3", "three"), time.Minute))
	many("d")
	old := time.Now().Add(-10 * time.Minute)
	list, through, err := l.Unread(ctx, o, 0, old, 40)
	if err != nil || texts(list) != "one two" || through != second[0].Message.Seq {
		t.Errorf("unread %q through %d, %v", texts(list), through, err)
	}
	if list, through, err = l.Unread(ctx, o, through, time.Now(), 40); err != nil || texts(list) != "three" || through != second[1].Message.Seq {
		t.Errorf("later %q through %d, %v", texts(list), through, err)
	}
	if list, through, err = l.Unread(ctx, o, through, time.Now(), 40); err != nil || len(list) != 0 || through != second[1].Message.Seq {
		t.Errorf("nothing new is %q through %d, %v", texts(list), through, err)
	}
	if list, _, err = l.Between(ctx, o, first.Message.Seq+1, second[0].Message.Seq-1, 40); err != nil || len(list) != 0 {
		t.Errorf("between %q, %v", texts(list), err)
	}
}

func TestElsewhereIsFound(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	day := func(month int) time.Time { return time.Date(2024, time.Month(month), 1, 12, 0, 0, 0, time.UTC) }
	said := func(external, text string, at time.Time) []nacre.Inbound {
		in := message(o, "1001", external, text)
		in.Message.Sent, in.Message.Received = at, at
		return put(t, l, in)
	}
	said("1", "january", day(1))
	answered(t, l, said("2", "june", day(6)), "answer")
	take(t, l, sentAt(elsewhere(o, "b", "1", "march"), day(3)), sentAt(theirs(elsewhere(o, "b", "2", "april"), "chatgpt"), day(4)),
		sentAt(elsewhere(o, "a", "1", "/imagine february"), day(2)))
	said("3", "july", day(7))
	a := l.Archive(lastLine)
	fresh, m := since(t, a, o, ledger.Mark{})
	if got := textsOf(fresh); got != "january|june|july|answer" {
		t.Errorf("since the beginning %s", got)
	}
	list := before(t, a, o, m)
	if got := textsOf(before(t, a, o, ledger.Mark{})); got != "april|march|/imagine february" {
		t.Errorf("while the first message waits there is %s", got)
	}
	if got, want := textsOf(list), "answer|july|june|april|march|/imagine february|january"; got != want {
		t.Errorf("backwards %s, want %s", got, want)
	}
	march, april := list[4], list[3]
	if march.Own != true || march.Strange || march.Channel != nacre.Elsewhere || march.Elsewhere != "chatgpt" || march.Scope != memory.Private || !march.Sent.Equal(day(3)) {
		t.Errorf("the owner's is %+v", march)
	}
	if april.Own || !april.Strange || april.Elsewhere != "chatgpt" || april.Author != (nacre.Address{Channel: nacre.Elsewhere, ID: "chatgpt"}) {
		t.Errorf("the other's is %+v", april)
	}
	if june := list[2]; !june.Own || june.Elsewhere != "" || june.Channel != nacre.Telegram {
		t.Errorf("what was said here is %+v", june)
	}
	near, err := a.Near(ctx, o, memory.Private, april.Key, 5)
	if err != nil || textsOf(near) != "march|april" {
		t.Errorf("near it is %s, %v", textsOf(near), err)
	}
	if around, err := a.Around(ctx, o, march.Message, 5); err != nil || textsOf(around) != "march|april" {
		t.Errorf("around it is %s, %v", textsOf(around), err)
	}
	sources, err := l.Sources(ctx, o, []nacre.MessageID{march.Message})
	if s := sources[march.Message]; err != nil || s.Chat.Channel != nacre.Elsewhere || !s.Private || len(s.Segments) != 1 || s.Segments[0].Provenance != nacre.Imported {
		t.Errorf("as a source it is %+v, %v", s, err)
	}
}

// A recording that waits to be written down is waited for, whatever is brought
// meanwhile.
func TestMarkWaitsDespiteElsewhere(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	waiting := put(t, l, voice(o, "v"))[0]
	var in []nacre.Inbound
	for i := range 150 {
		in = append(in, elsewhere(o, "a", fmt.Sprint(i), "something else"))
	}
	take(t, l, in...)
	if m, err := a.Mark(ctx, o); err != nil || m.Said != waiting.Message.Seq {
		t.Errorf("marked %v, %v, want %d", m, err, waiting.Message.Seq)
	}
	commit(t, l, turnOver([]nacre.Inbound{waiting}))
	if m, err := a.Mark(ctx, o); err != nil || m.Said != in[149].Message.Seq+1 {
		t.Errorf("then marked %v, %v", m, err)
	}
}

// A forgetting reaches what was said elsewhere, and what is brought again.
func TestForgettingElsewhere(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	all := owners(t, l, "1001", "1002")
	bring := func(o nacre.OwnerID) []nacre.Inbound {
		return []nacre.Inbound{elsewhere(o, "a", "1", "my locker is zqx-41"), theirs(elsewhere(o, "a", "2", "zqx-41 it is. Anything else?"), "chatgpt"), elsewhere(o, "a", "3", "no, thanks")}
	}
	in := bring(all[0])
	take(t, l, in...)
	take(t, l, bring(all[1])...)
	library := memory.NewLibrary(l, func(nacre.OwnerID) *time.Location { return time.UTC })
	book := library.Book(all[0])
	plan, err := book.Plan(ctx, memory.Forgetting{Writer: memory.ByPage, Size: memory.SizeAbout, Words: "zqx-41"})
	must(t, err)
	r, err := book.Forget(ctx, plan)
	if err != nil || r.Done["messages"] != 2 || len(r.Pending) > 0 {
		t.Fatalf("forgot %+v, %v", r, err)
	}
	if n := take(t, l, bring(all[0])...); n != 0 {
		t.Errorf("%d came back", n)
	}
	a := l.Archive(lastLine)
	for i, want := range []bool{false, true} {
		m, err := a.Mark(ctx, all[i])
		must(t, err)
		list := textsOf(before(t, a, all[i], m))
		if strings.Contains(list, "zqx") != want || !strings.Contains(list, "no, thanks") {
			t.Errorf("owner %d has %s", i, list)
		}
	}
	needle := &memory.Needle{Marks: []string{"zqx"}}
	if counts, err := l.Count(ctx, all[0], needle); err != nil || len(counts) > 0 {
		t.Errorf("left %v, %v", counts, err)
	}
	if counts, err := l.Count(ctx, all[1], needle); err != nil || counts["messages"] != 2 {
		t.Errorf("of the other owner %v, %v", counts, err)
	}
	found, err := book.Forgotten(ctx, []string{"I said: my locker is zqx-41", "no, thanks"})
	if got, _ := json.Marshal(found); err != nil || string(got) != "[true,false]" {
		t.Errorf("forgotten: %s, %v", got, err)
	}
}
