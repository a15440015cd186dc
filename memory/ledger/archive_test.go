package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nacre"
	"nacre/memory"
	"nacre/memory/ledger"
)

// lastLine reads the answer of a turn of the tests: the last text of a list.
func lastLine(history json.RawMessage) (text string, strange, ok bool) {
	var list []string
	if json.Unmarshal(history, &list) != nil || len(list) == 0 {
		return "", false, false
	}
	text = list[len(list)-1]
	return text, strings.Contains(text, "the page says"), true
}

// answered commits a turn that says something.
func answered(t testing.TB, l *ledger.Ledger, in []nacre.Inbound, text string) nacre.Turn {
	t.Helper()
	turn := turnOver(in)
	turn.History = json.RawMessage(fmt.Sprintf("[%q,%q]", "asked", text))
	commit(t, l, turn)
	return turn
}

// edited is another version of a message.
func edited(in nacre.Inbound, revision int64, text string) nacre.Inbound {
	in.Message.ID = nacre.MessageID(nacre.NewID(time.Now()))
	in.Message.Revision, in.Message.Quiet = revision, true
	in.Message.Segments = []nacre.Segment{said(text)}
	return in
}

// voice is a message with a recording in it.
func voice(owner nacre.OwnerID, external string) nacre.Inbound {
	in := from(owner, external)
	in.Message.Attachments = []nacre.Attachment{{Kind: nacre.Voice, Ref: "ref"}}
	return in
}

// before is what is said before a Mark, newest first.
func before(t testing.TB, a *ledger.Archive, o nacre.OwnerID, m ledger.Mark) (list []ledger.Saying) {
	t.Helper()
	must(t, a.Before(ctx, o, m, func(s ledger.Saying) bool {
		list = append(list, s)
		return true
	}))
	return list
}

// since is what is said since a Mark, oldest first.
func since(t testing.TB, a *ledger.Archive, o nacre.OwnerID, m ledger.Mark) (list []ledger.Saying, end ledger.Mark) {
	t.Helper()
	end, err := a.Since(ctx, o, m, func(s ledger.Saying) { list = append(list, s) })
	must(t, err)
	return list, end
}

func textsOf(list []ledger.Saying) string {
	var texts []string
	for _, s := range list {
		texts = append(texts, s.Text)
	}
	return strings.Join(texts, "|")
}

// everything is all that an Archive has, oldest first. However it is asked for, it
// is the same.
func everything(t testing.TB, a *ledger.Archive, o nacre.OwnerID) []ledger.Saying {
	t.Helper()
	list, end := since(t, a, o, ledger.Mark{})
	if m, err := a.Mark(ctx, o); err != nil || m.Said > end.Said || m.Answered > end.Answered {
		t.Errorf("marked %v, %v, behind the end %v", m, err, end)
	}
	back := before(t, a, o, end)
	slices.Reverse(back)
	if !slices.EqualFunc(back, list, func(a, b ledger.Saying) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("forwards\n%+v\nbackwards\n%+v", list, back)
	}
	var keys []int64
	for _, s := range list {
		keys = append(keys, s.Key)
	}
	texts, err := a.Texts(ctx, o, keys)
	must(t, err)
	for _, s := range list {
		if s.Key == 0 || !reflect.DeepEqual(texts[s.Key], s) {
			t.Errorf("read by its key %+v, want %+v", texts[s.Key], s)
		}
	}
	return list
}

func TestArchiveHoldsTheWordsOfPeople(t *testing.T) {
	segment := func(p nacre.Provenance, text string) nacre.Segment { return nacre.Segment{Provenance: p, Text: text} }
	for _, c := range []struct {
		name    string
		change  func(m *nacre.Message)
		want    string
		strange bool
	}{
		{"typed", func(m *nacre.Message) {}, "typed", false},
		{"heard by the app", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.ByVoice }, "typed", false},
		{"a file's name before it", func(m *nacre.Message) {
			m.Segments = []nacre.Segment{segment(nacre.Label, "[document: tax.pdf]"), said("there")}
		}, "[document: tax.pdf]\nthere", false},
		{"forwarded", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.Forwarded }, "typed", true},
		{"an answer to something quoted", func(m *nacre.Message) {
			m.Segments = append([]nacre.Segment{segment(nacre.Quoted, "quoted")}, m.Segments...)
		}, "typed", false},
		{"quoted alone", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.Quoted }, "", false},
		{"filled in", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.Prefill }, "", false},
		{"by Nacre itself", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.BySystem }, "", false},
		{"a document's text", func(m *nacre.Message) { m.Segments[0].Provenance = nacre.InFile }, "", false},
		{"a command", func(m *nacre.Message) { m.Segments[0].Text = "/remember my dog" }, "", false},
		{"a path", func(m *nacre.Message) { m.Segments[0].Text = "/etc/hosts is broken" }, "/etc/hosts is broken", false},
		{"a reaction", func(m *nacre.Message) {
			m.Quiet, m.Segments[0] = true, segment(nacre.Label, "[reaction to an earlier message]")
		}, "", false},
		{"too late to be answered", func(m *nacre.Message) { m.Quiet, m.Late = true, true }, "typed", false},
		{"nothing", func(m *nacre.Message) { m.Segments = nil }, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := open(t, t.TempDir())
			o := owners(t, l, "1001")[0]
			in := from(o, "1", said("typed"))
			c.change(&in.Message)
			put(t, l, in, from(o, "2", said("control")))
			list := everything(t, l.Archive(lastLine), o)
			want := strings.TrimPrefix(c.want+"|control", "|")
			if got := textsOf(list); got != want || list[0].Strange != c.strange {
				t.Errorf("got %q, strange %v; want %q, %v", got, list[0].Strange, want, c.strange)
			}
		})
	}
}

func TestArchiveSaysWhoSaidWhatWhen(t *testing.T) { synctest.Test(t, testWhoSaidWhatWhen) }

func testWhoSaidWhatWhen(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	group := nacre.Chat{Channel: nacre.Telegram, ID: "-100", Thread: "3"}
	inGroup := func(external, author string) nacre.Inbound {
		in := from(o, external, nacre.Segment{Provenance: nacre.InGroup, Text: "by " + author})
		in.Message.Private, in.Message.Chat, in.Message.Author = false, group, nacre.Address{}
		if author != "nobody" {
			in.Message.Author = tg(author)
		}
		return in
	}
	mine := put(t, l, from(o, "1", said("mine")))
	turn := answered(t, l, mine, "an answer")
	time.Sleep(time.Second)
	put(t, l, inGroup("2", "1001"), inGroup("3", "77"), inGroup("4", "nobody"))
	list := everything(t, l.Archive(lastLine), o)
	if got := textsOf(list); got != "mine|an answer|by 1001|by 77|by nobody" {
		t.Fatalf("got %q", got)
	}
	scope := memory.GroupScope(group)
	for i, want := range []ledger.Saying{
		{Own: true, Author: tg("1001"), Message: mine[0].Message.ID, Turn: turn.ID, Sent: mine[0].Message.Sent.Truncate(time.Millisecond)},
		{Answer: true, Turn: turn.ID, Sent: list[1].Sent},
		{Own: true, Author: tg("1001"), Scope: scope, Message: list[2].Message, Sent: list[1].Sent.Add(time.Second)},
		{Author: tg("77"), Scope: scope, Message: list[3].Message, Sent: list[3].Sent},
		{Scope: scope, Message: list[4].Message, Sent: list[4].Sent},
	} {
		s := list[i]
		if s.Own != want.Own || s.Answer != want.Answer || s.Author != want.Author || s.Scope != want.Scope || s.Message != want.Message || s.Turn != want.Turn || !s.Sent.Equal(want.Sent) {
			t.Errorf("%d: got %+v, want %+v", i, s, want)
		}
	}
	if list[0].Session != mine[0].Session.ID || list[1].Session != list[0].Session || list[2].Session == list[0].Session || list[2].Message == "" {
		t.Errorf("sessions of %+v", list)
	}
	if !list[1].Sent.Equal(mine[0].Message.Sent) {
		t.Errorf("the answer is of %v", list[1].Sent)
	}
	answered(t, l, put(t, l, from(o, "5", said("read it"))), "the page says yes")
	if list = everything(t, l.Archive(lastLine), o); len(list) != 7 || !list[6].Strange || list[1].Strange {
		t.Errorf("an answer that repeats a page, and one that does not: %+v", list)
	}
	l.Close()
}

func TestArchiveHasTheNewestVersion(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	first := from(o, "1", said("at six"))
	put(t, l, first, from(o, "2", said("between")))
	old, m := since(t, a, o, ledger.Mark{})
	put(t, l, edited(first, 30, "at eight"), edited(first, 20, "at seven")) // the older edit comes later
	news, end := since(t, a, o, m)
	if textsOf(news) != "at eight" || news[0].Replaces == 0 {
		t.Errorf("new is %+v", news)
	}
	if got := textsOf(everything(t, a, o)); got != "between|at eight" {
		t.Errorf("got %q", got)
	}
	if texts, err := a.Texts(ctx, o, []int64{old[0].Key, old[1].Key}); err != nil || len(texts) != 1 {
		t.Errorf("by the old keys: %+v, %v", texts, err)
	}
	put(t, l, edited(first, 40, "at nine"))
	news, _ = since(t, a, o, end)
	if textsOf(news) != "at nine" || news[0].Replaces == 0 || news[0].Replaces == old[0].Key {
		t.Errorf("new is %+v", news)
	}
	// What was said before is replaced even where the Mark is older than the edit.
	if got := textsOf(before(t, a, o, m)); got != "between" {
		t.Errorf("before the edits: %q", got)
	}
}

func TestArchiveReplacesWhatItHandedOver(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	first := from(o, "1", said("at six"))
	put(t, l, first)
	old, m := since(t, a, o, ledger.Mark{})
	put(t, l, edited(first, 20, "at seven"))
	if news, _ := since(t, a, o, m); textsOf(news) != "at seven" || news[0].Replaces != old[0].Key {
		t.Errorf("%+v, want one that replaces %d", news, old[0].Key)
	}
}

func TestArchiveAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*nacre.Turn)
		want   string
	}{
		{"answered", func(*nacre.Turn) {}, "asked|yes"},
		{"a command", func(x *nacre.Turn) { x.Outcome = nacre.Commanded }, "asked"},
		{"failed", func(x *nacre.Turn) { x.Outcome = nacre.Failed }, "asked"},
		{"stopped", func(x *nacre.Turn) { x.Outcome = nacre.Stopped }, "asked"},
		{"without a history", func(x *nacre.Turn) { x.History = nil }, "asked"},
		{"without an answer", func(x *nacre.Turn) { x.History = json.RawMessage("{}") }, "asked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := open(t, t.TempDir())
			o := owners(t, l, "1001")[0]
			turn := turnOver(put(t, l, from(o, "1", said("asked"))))
			turn.History = json.RawMessage(`["yes"]`)
			c.change(&turn)
			commit(t, l, turn)
			if got := textsOf(everything(t, l.Archive(lastLine), o)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestArchiveLeavesOutWhatWasAnsweredAgain(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	first := answered(t, l, put(t, l, from(o, "1", said("asked"))), "no")
	was := everything(t, a, o)
	again := turnOver(put(t, l, from(o, "2", said("/retry"))))
	again.History, again.Instead = json.RawMessage(`["yes"]`), first.ID
	commit(t, l, again)
	if got := textsOf(everything(t, a, o)); textsOf(was) != "asked|no" || got != "asked|yes" {
		t.Errorf("got %q and then %q", textsOf(was), got)
	}
}

func TestArchiveWaitsForRecordings(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	in := put(t, l, from(o, "1", said("typed")), voice(o, "2"), from(o, "3", said("typed later")))
	m, err := a.Mark(ctx, o)
	must(t, err)
	if got := textsOf(before(t, a, o, m)); got != "" {
		t.Errorf("before the mark: %q, while all wait for an answer", got)
	}
	got, m := since(t, a, o, m)
	if textsOf(got) != "typed" {
		t.Errorf("since the mark: %q, want it to end before the recording", textsOf(got))
	}
	if got, again := since(t, a, o, m); len(got) > 0 || again != m {
		t.Errorf("since then: %q", textsOf(got))
	}
	must(t, l.PutReading(ctx, o, in[1].Message.ID, 0, nacre.Reading{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: "spoken"}}))
	if got, m = since(t, a, o, m); textsOf(got) != "spoken|typed later" {
		t.Errorf("since it was written down: %q", textsOf(got))
	}
	// One that nobody can write down holds nothing up once it is answered.
	in = put(t, l, voice(o, "4"))
	answered(t, l, in, "what?")
	if got, _ = since(t, a, o, m); textsOf(got) != "what?" {
		t.Errorf("since an answer: %q", textsOf(got))
	}
}

// TestArchiveWaitsForRecordingsNotForEver: a channel may be gone, and its messages
// wait for good.
func TestArchiveWaitsForRecordingsNotForEver(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	old := voice(o, "1")
	old.Message.Received = time.Now().Add(-11 * time.Minute)
	put(t, l, old, from(o, "2", said("typed")))
	if got, _ := since(t, l.Archive(lastLine), o, ledger.Mark{}); textsOf(got) != "typed" {
		t.Errorf("got %q", textsOf(got))
	}
}

func TestArchiveHearsRecordings(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	first := voice(o, "1")
	first.Message.Segments = []nacre.Segment{said("listen")}
	second := voice(o, "2")
	in := put(t, l, first, second)
	for i, r := range []nacre.Reading{{Text: nacre.Segment{Provenance: nacre.ByVoice, Text: "spoken"}}, {Text: nacre.Segment{Provenance: nacre.Forwarded, Text: "by another"}}} {
		must(t, l.PutReading(ctx, o, in[i].Message.ID, 0, r))
	}
	list := everything(t, l.Archive(lastLine), o)
	if textsOf(list) != "listen\nspoken|by another" || list[0].Strange || !list[1].Strange || !list[0].Heard || !list[1].Heard {
		t.Errorf("got %+v", list)
	}
	put(t, l, message(o, "1001", "typed", "typed"))
	if list = everything(t, l.Archive(lastLine), o); len(list) != 3 || list[2].Heard {
		t.Errorf("a message that was typed: %+v", list)
	}
	edit := edited(in[0], 9, "please listen")
	put(t, l, edit)
	if got := textsOf(everything(t, l.Archive(lastLine), o)); got != "by another|typed|please listen\nspoken" {
		t.Errorf("with an edit: %q", got)
	}
}

func TestArchiveIsTheOwnersOwn(t *testing.T) {
	l := open(t, t.TempDir())
	who := owners(t, l, "1001", "1002")
	a := l.Archive(lastLine)
	answered(t, l, put(t, l, message(who[0], "1001", "1", "mine")), "to me")
	answered(t, l, put(t, l, message(who[1], "1002", "1", "theirs")), "to them")
	mine, theirs := everything(t, a, who[0]), everything(t, a, who[1])
	if textsOf(mine) != "mine|to me" || textsOf(theirs) != "theirs|to them" {
		t.Fatalf("mine %q, theirs %q", textsOf(mine), textsOf(theirs))
	}
	for _, s := range theirs {
		if texts, err := a.Texts(ctx, who[0], []int64{s.Key}); err != nil || len(texts) > 0 {
			t.Errorf("their %q is read as %v, %v", s.Text, texts, err)
		}
		if near, err := a.Near(ctx, who[0], memory.Private, s.Key, 5); nacre.KindOf(err) != nacre.NotFound {
			t.Errorf("near their %q: %v, %v", s.Text, near, err)
		}
	}
}

func TestArchiveHasNothingErased(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	a := l.Archive(func(history json.RawMessage) (string, bool, bool) { return string(history), false, true })
	if text := textsOf(everything(t, a, d.owner)); finds(text) < 3 || !strings.Contains(text, "zqxgreen") {
		t.Fatalf("before: %q", text)
	}
	d.forget(t, l)
	if text := textsOf(everything(t, a, d.owner)); finds(text) > 0 || !strings.Contains(text, "zqxgreen") {
		t.Errorf("after: %q", text)
	}
	d.everything()
	d.e.ID, d.e.Base = nacre.NewID(time.Now()), 3
	d.forget(t, l)
	if list := everything(t, a, d.owner); len(list) > 0 {
		t.Errorf("after everything was forgotten: %+v", list)
	}
}

// TestArchiveIsReadInBatches reads more than a batch of each table, in the order
// of time, and stops where it is told to.
func TestArchiveIsReadInBatches(t *testing.T) {
	const many = 2500
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	var in []nacre.Inbound
	for i := range many {
		in = append(in, from(o, fmt.Sprint(i), said(fmt.Sprint(i))))
	}
	put(t, l, in...)
	done := make(chan error)
	for i := range in {
		go func() {
			turn := turnOver(in[i : i+1])
			turn.History = json.RawMessage(fmt.Sprintf(`["answer %d"]`, i))
			_, err := l.Commit(ctx, turn)
			done <- err
		}()
	}
	for range in {
		must(t, <-done)
	}
	list := everything(t, a, o)
	if len(list) != 2*many || list[0].Text != "0" || list[many-1].Text != fmt.Sprint(many-1) || !list[many].Answer {
		t.Fatalf("%d, from %q to %q", len(list), list[0].Text, list[len(list)-1].Text)
	}
	n := 0
	must(t, a.Before(ctx, o, ledger.Mark{Said: many + 1, Answered: many + 1}, func(s ledger.Saying) bool {
		n++
		return n < many+10
	}))
	if n != many+10 {
		t.Errorf("stopped after %d", n)
	}
	stopping, stop := context.WithCancel(ctx)
	n = 0
	err := a.Before(stopping, o, ledger.Mark{Said: many + 1, Answered: many + 1}, func(s ledger.Saying) bool {
		n++
		stop()
		return true
	})
	if err == nil || n == 2*many {
		t.Errorf("%d were read to the end of a context that had ended, %v", n, err)
	}
}

// TestArchiveLeavesTheLogFree: a forgetting can empty the log while an index is
// built.
func TestArchiveLeavesTheLogFree(t *testing.T) {
	l := open(t, t.TempDir())
	d := keep(t, l, "1001")
	forgotten := false
	must(t, l.Archive(lastLine).Before(ctx, d.owner, ledger.Mark{Said: 100, Answered: 100}, func(ledger.Saying) bool {
		if !forgotten {
			d.forget(t, l)
		}
		forgotten = true
		return true
	}))
	if !forgotten {
		t.Error("nothing was read")
	}
}

func TestNear(t *testing.T) { synctest.Test(t, testNear) }

func testNear(t *testing.T) {
	l := open(t, t.TempDir())
	o := owners(t, l, "1001")[0]
	a := l.Archive(lastLine)
	for i := range 30 {
		in := put(t, l, from(o, fmt.Sprint("a", i), said(fmt.Sprint("question ", i))), from(o, fmt.Sprint("c", i), said("/status")))
		other := from(o, fmt.Sprint("b", i), said("elsewhere"))
		other.Message.Chat.ID = "2002"
		put(t, l, other)
		time.Sleep(time.Second)
		answered(t, l, in[:1], fmt.Sprint("answer ", i))
		time.Sleep(time.Second)
	}
	list := everything(t, a, o)
	key := func(text string) int64 {
		return list[slices.IndexFunc(list, func(s ledger.Saying) bool { return s.Text == text })].Key
	}
	for _, c := range []struct {
		of   string
		each int
		want string
	}{
		{"question 10", 2, "question 9|answer 9|question 10|answer 10|question 11"},
		{"answer 10", 2, "answer 9|question 10|answer 10|question 11|answer 11"},
		{"question 10", 0, "question 10"},
		{"question 0", 2, "question 0|answer 0|question 1"},
		{"answer 0", 2, "question 0|answer 0|question 1|answer 1"},
		{"answer 29", 1, "question 29|answer 29"},
	} {
		near, err := a.Near(ctx, o, memory.Private, key(c.of), c.each)
		if got := textsOf(near); err != nil || got != c.want {
			t.Errorf("%d near %s: %q, %v; want %q", c.each, c.of, got, err, c.want)
		}
	}
	if near, err := a.Near(ctx, o, memory.Private, key("question 15"), 100); err != nil || len(near) != 60 {
		t.Errorf("the whole session has %d, %v", len(near), err)
	}
	if _, err := a.Near(ctx, o, "telegram:-100", key("question 15"), 1); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("in another scope: %v", err)
	}
	if _, err := a.Near(ctx, o, memory.Private, 1<<30, 1); nacre.KindOf(err) != nacre.NotFound {
		t.Errorf("near nothing: %v", err)
	}
	l.Close()
}
