package recall

import (
	"context"
	"fmt"
	"math/rand/v2"
	"nacre/memory/recall/terms"
	"slices"
	"strings"
	"testing"
	"time"

	"nacre"
	"nacre/memory"
)

const ann = nacre.OwnerID("ann")

// ready returns an Index over a Store that has all of an owner's messages.
func ready(t *testing.T, store Store, owners ...nacre.OwnerID) *Index {
	t.Helper()
	x := New(store, Options{Terms: terms.New([]string{"en"})})
	t.Cleanup(x.Close)
	for _, owner := range owners {
		x.Warm(owner)
	}
	x.running.Wait()
	return x
}

func find(t *testing.T, x *Index, owner nacre.OwnerID, q Query) Result {
	t.Helper()
	if q.Now.IsZero() {
		q.Now = syntheticEpoch
	}
	res, err := x.Search(context.Background(), owner, q)
	if err != nil {
		t.Fatalf("search %.60q: %v", q.Text, err)
	}
	return res
}

// texts are the hits of a result that have any of the words, in order. Neighbours
// of theirs may come behind them.
func texts(res Result) string {
	var list []string
	for _, h := range res.Hits[:min(res.Total, len(res.Hits))] {
		list = append(list, h.Text.Text)
	}
	return strings.Join(list, " | ")
}

func lines(words ...string) []Doc {
	var docs []Doc
	for _, w := range words {
		docs = append(docs, Doc{Text: w})
	}
	return docs
}

func TestSearchFindsWhatMatches(t *testing.T) {
	store := newMemStore()
	store.say(ann, lines("The dentist moved to Tuesday.", "Buy bread", "My bicycle has a puncture", "bread and olives")...)
	store.say(ann, Doc{Text: "which wine with gnocchi", Elsewhere: "ChatGPT"})
	x := ready(t, store, ann)
	at := func(i int) time.Time { return syntheticEpoch.Add(time.Duration(i) * time.Minute) }
	for _, c := range []struct {
		name  string
		q     Query
		want  string
		total int
	}{
		{"one", Query{Text: "dentist"}, "The dentist moved to Tuesday.", 1},
		{"other form", Query{Text: "punctures"}, "My bicycle has a puncture", 1},
		{"newest first", Query{Text: "bread", Order: Newest}, "bread and olives | Buy bread", 2},
		{"any word", Query{Text: "dentist olives", Order: Newest}, "bread and olives | The dentist moved to Tuesday.", 2},
		{"all messages", Query{Order: Newest, Limit: 3}, "which wine with gnocchi | bread and olives | My bicycle has a puncture", 5},
		{"said elsewhere", Query{Text: "gnocchi"}, "which wine with gnocchi", 1},
		{"not elsewhere", Query{Text: "gnocchi", Here: true}, "", 0},
		{"elsewhere alone", Query{Order: Newest, Away: true}, "which wine with gnocchi", 1},
		{"all here", Query{Order: Newest, Here: true, Limit: 2}, "bread and olives | My bicycle has a puncture", 4},
		{"from", Query{Text: "bread", From: at(2)}, "bread and olives", 1},
		{"to", Query{Text: "bread", To: at(3)}, "Buy bread", 1},
		{"from and to", Query{Order: Newest, From: at(1), To: at(3)}, "My bicycle has a puncture | Buy bread", 2},
		{"before everything", Query{Order: Newest, To: time.Unix(-1, 0)}, "", 0},
		{"other scope", Query{Text: "bread", Scope: "telegram:1"}, "", 0},
		{"no such word", Query{Text: "xylophonically"}, "", 0},
		{"nothing", Query{}, "", 0},
	} {
		res := find(t, x, ann, c.q)
		if texts(res) != c.want || res.Total != c.total || !res.Complete {
			t.Errorf("%s: %q of %d, complete %v; want %q of %d, all of them", c.name, texts(res), res.Total, res.Complete, c.want, c.total)
		}
	}
}

func TestSearchTimesAreExact(t *testing.T) {
	store := newMemStore()
	sent := syntheticEpoch.Add(30 * time.Second)
	store.say(ann, Doc{Text: "harbour", Sent: sent})
	x := ready(t, store, ann)
	for _, c := range []struct {
		from, to time.Time
		want     int
	}{
		{sent, time.Time{}, 1},
		{sent.Add(time.Second), time.Time{}, 0},
		{time.Time{}, sent.Add(time.Second), 1},
		{time.Time{}, sent, 0},
	} {
		if got := len(find(t, x, ann, Query{Text: "harbour", From: c.from, To: c.to}).Hits); got != c.want {
			t.Errorf("from %v to %v: %d hits, want %d", c.from, c.to, got, c.want)
		}
	}
}

func TestSearchTakesInWhatIsNew(t *testing.T) {
	store := newMemStore()
	x := ready(t, store, ann)
	if res := find(t, x, ann, Query{Text: "saffron"}); len(res.Hits) != 0 {
		t.Fatalf("found %q before it was said", texts(res))
	}
	for i := range 300 {
		store.say(ann, Doc{Text: fmt.Sprintf("saffron number%d", i)})
		if res := find(t, x, ann, Query{Text: fmt.Sprintf("number%d", i), Limit: 1}); !strings.HasSuffix(texts(res), fmt.Sprintf("number%d", i)) {
			t.Fatalf("message %d: found %q", i, texts(res))
		}
	}
	if res := find(t, x, ann, Query{Text: "saffron"}); res.Total != 300 {
		t.Errorf("%d messages, want 300", res.Total)
	}
	if n := len(x.chats(ann).snapshot(memory.Private).segments); n > 9 {
		t.Errorf("%d segments for 300 messages that came one by one, want at most 9", n)
	}
}

// What one owner, or one scope, holds has the same place and score whatever others
// hold.
func TestSearchSeesNothingOfOthers(t *testing.T) {
	const group = memory.Scope("telegram:7")
	own := lines("tulips in the garden", "garden chairs and garden tables and tulips", "the neighbour has tulips")
	alone, crowded := newMemStore(), newMemStore()
	alone.say(ann, own...)
	for _, d := range own {
		crowded.say(ann, d, Doc{Text: "garden garden tulips secretive", Scope: group})
		crowded.say("bob", d, Doc{Text: "tulips confidential"})
	}
	x, y := ready(t, alone, ann), ready(t, crowded, ann, "bob")
	for _, text := range []string{"garden tulips", "tulips", "neighbour garden"} {
		want, got := find(t, x, ann, Query{Text: text}), find(t, y, ann, Query{Text: text})
		if texts(got) != texts(want) || got.Total != want.Total {
			t.Errorf("%q: %q of %d, want %q of %d", text, texts(got), got.Total, texts(want), want.Total)
		}
		for i := range want.Hits {
			if got.Hits[i].Score != want.Hits[i].Score {
				t.Errorf("%q: hit %d scores %v beside other scopes and owners, %v alone", text, i, got.Hits[i].Score, want.Hits[i].Score)
			}
		}
	}
	for _, c := range []struct {
		owner nacre.OwnerID
		scope memory.Scope
		text  string
		want  int
	}{
		{ann, memory.Private, "secretive", 0}, {ann, group, "secretive", 3}, {"bob", memory.Private, "secretive", 0},
		{ann, memory.Private, "confidential", 0}, {ann, group, "confidential", 0}, {"bob", memory.Private, "confidential", 3},
	} {
		if got := find(t, y, c.owner, Query{Text: c.text, Scope: c.scope}).Total; got != c.want {
			t.Errorf("%q of %s in %q: %d, want %d", c.text, c.owner, c.scope, got, c.want)
		}
	}
}

func TestSearchShowsTheLastVersionOfAnEdit(t *testing.T) {
	for _, name := range []string{"edited before the build", "edited after it"} {
		store := newMemStore()
		keys := store.say(ann, lines("meet at the harbour", "fine")...)
		x := New(store, Options{Terms: terms.New([]string{"en"})})
		defer x.Close()
		if name == "edited after it" {
			find(t, x, ann, Query{Text: "harbour"})
		}
		store.say(ann, Doc{Text: "meet at the lighthouse", Replaces: keys[0]})
		if res := find(t, x, ann, Query{Text: "harbour"}); res.Total != 0 || len(res.Hits) != 0 {
			t.Errorf("%s: the old version is found: %q of %d", name, texts(res), res.Total)
		}
		if res := find(t, x, ann, Query{Text: "meet"}); texts(res) != "meet at the lighthouse" || res.Total != 1 {
			t.Errorf("%s: %q of %d, want the new version alone", name, texts(res), res.Total)
		}
	}
}

func TestSearchReadsFewTexts(t *testing.T) {
	store := newMemStore()
	for i := range 2000 {
		store.say(ann, Doc{Text: fmt.Sprint("lantern word", i)})
	}
	x := ready(t, store, ann)
	for limit, most := range map[int]int{10: refined, MaxLimit: 50} {
		store.reads = 0
		if r := find(t, x, ann, Query{Text: "lantern", Limit: limit}); len(r.Hits) != limit || store.reads < limit || store.reads > most {
			t.Errorf("%d texts read for a page of %d of %d hits, want %d at most", store.reads, len(r.Hits), limit, most)
		}
	}
}

func TestSearchTakesAnyText(t *testing.T) {
	store := newMemStore()
	store.say(ann, lines("plain words", "crème brûlée")...)
	x := ready(t, store, ann)
	for _, text := range []string{"", " ", "\x00", "\xff\xfe", "*", `"`, "a AND (b OR", "NEAR/3", "%_", "שלום", "\u202e", "e\u0301",
		strings.Repeat("word ", 20_000), strings.Repeat("x", 100_000), "plain\x00words"} {
		for _, order := range []Order{ByRelevance, Newest, "other"} {
			find(t, x, ann, Query{Text: text, Order: order})
		}
	}
	if res := find(t, x, ann, Query{Text: "plain " + strings.Repeat("zebra ", 10_000)}); texts(res) != "plain words" {
		t.Errorf("a long query found %q", texts(res))
	}
}

// Whatever is said, edited and erased between pages, no message comes twice, and
// none that stays is missed.
func TestPagesNeitherRepeatNorMiss(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(5, seed))
		store := newMemStore()
		random := func() string { return strings.Join(randomSaid(r, 1)[0].words, " ") + " lantern" }
		for range 20 + r.IntN(300) {
			store.say(ann, Doc{Text: random()})
		}
		x := New(store, Options{Terms: terms.New([]string{"en"})})
		defer x.Close()
		q := Query{Text: "lantern w0 w5", Order: []Order{ByRelevance, Newest}[r.IntN(2)], Limit: 1 + r.IntN(20), Now: syntheticEpoch}
		before := store.all(ann)
		touched, seen := map[Key]bool{}, map[Key]bool{}
		for {
			res := find(t, x, ann, q)
			for _, h := range res.Hits {
				if seen[h.Key] {
					t.Fatalf("seed %d: message %d came twice", seed, h.Key)
				}
				seen[h.Key] = true
			}
			if q.Cursor = res.Next; res.Next == "" {
				break
			}
			key := before[r.IntN(len(before))].Key
			switch r.IntN(4) {
			case 0:
				store.say(ann, Doc{Text: "lantern lantern w0 w5"})
			case 1:
				touched[key] = true
				store.say(ann, Doc{Text: "lantern edited", Replaces: key})
			case 2:
				touched[key] = true
				store.erase(ann, key)
			}
		}
		for _, d := range before {
			if !seen[d.Key] && !touched[d.Key] {
				t.Fatalf("seed %d, %s: message %d of %d was missed", seed, q.Order, d.Key, len(before))
			}
		}
		if len(seen) > len(before) {
			t.Fatalf("seed %d: %d messages on the pages, %d were there", seed, len(seen), len(before))
		}
	}
}

func TestCursorOutlivesItsIndex(t *testing.T) {
	store := newMemStore()
	for i := range 40 {
		store.say(ann, Doc{Text: fmt.Sprint("lantern word", i)})
	}
	x := ready(t, store, ann)
	for _, order := range []Order{ByRelevance, Newest} {
		q := Query{Text: "lantern", Order: order, Limit: 15}
		var want, got []string
		for {
			res := find(t, x, ann, q)
			want = append(want, texts(res))
			if q.Cursor = res.Next; q.Cursor == "" {
				break
			}
		}
		for q.Cursor = ""; ; {
			res := find(t, x, ann, q)
			got = append(got, texts(res))
			if q.Cursor = res.Next; q.Cursor == "" {
				break
			}
			x.Drop(ann)
			store.say(ann, Doc{Text: "lantern afterwards"})
		}
		if !slices.Equal(got, want) || len(want) != 3 {
			t.Errorf("%s: pages over several builds\n%q\nover one\n%q", order, got, want)
		}
		store.said[ann] = store.said[ann][:40]
		x.Drop(ann)
	}
}

func TestCursorOfAnotherSearchIsRefused(t *testing.T) {
	store := newMemStore()
	for range 3 {
		store.say(ann, Doc{Text: "lantern"})
		store.say("bob", Doc{Text: "lantern"})
	}
	x := ready(t, store, ann, "bob")
	q := Query{Text: "lantern", Limit: 1, Now: syntheticEpoch}
	q.Cursor = find(t, x, ann, q).Next
	if res := find(t, x, ann, q); len(res.Hits) != 1 {
		t.Fatalf("second page has %d hits, want 1", len(res.Hits))
	}
	for name, change := range map[string]func(q *Query, owner *nacre.OwnerID){
		"owner":   func(q *Query, owner *nacre.OwnerID) { *owner = "bob" },
		"text":    func(q *Query, _ *nacre.OwnerID) { q.Text += "s" },
		"scope":   func(q *Query, _ *nacre.OwnerID) { q.Scope = "telegram:1" },
		"from":    func(q *Query, _ *nacre.OwnerID) { q.From = syntheticEpoch },
		"to":      func(q *Query, _ *nacre.OwnerID) { q.To = syntheticEpoch },
		"order":   func(q *Query, _ *nacre.OwnerID) { q.Order = Newest },
		"garbage": func(q *Query, _ *nacre.OwnerID) { q.Cursor = "next page, please" },
		"cut":     func(q *Query, _ *nacre.OwnerID) { q.Cursor = q.Cursor[:20] },
		"altered": func(q *Query, _ *nacre.OwnerID) { q.Cursor = "AAAA" + q.Cursor[4:] },
	} {
		other, owner := q, ann
		change(&other, &owner)
		if _, err := x.Search(context.Background(), owner, other); nacre.KindOf(err) != nacre.Invalid {
			t.Errorf("%s: error %v, want Invalid", name, err)
		}
	}
}

// A search that may lag takes in nothing that came just before it, unless it may have
// come before what is excepted.
func TestSearchMayLag(t *testing.T) {
	s := newMemStore()
	x := New(s, Options{})
	defer x.Close()
	found := func(lag time.Duration, since Key) int {
		r, err := x.Search(t.Context(), "ann", Query{Text: "violin", Lag: lag, Except: Except{Session: "none", Since: since}, Now: syntheticEpoch})
		if err != nil {
			t.Fatal(err)
		}
		return r.Total
	}
	first := s.say("ann", Doc{Text: "a violin"})[0]
	if n := found(time.Hour, first); n != 1 {
		t.Errorf("the first search finds %d, want 1", n)
	}
	second := s.say("ann", Doc{Text: "another violin"})[0]
	for _, c := range []struct {
		name  string
		lag   time.Duration
		since Key
		want  int
	}{
		{"what came after what is excepted may be missing", time.Hour, first, 1},
		{"what came before it is not", time.Hour, second, 2},
	} {
		if n := found(c.lag, c.since); n != c.want {
			t.Errorf("%s: %d, want %d", c.name, n, c.want)
		}
	}
	s.say("ann", Doc{Text: "a third violin"})
	if n := found(0, first); n != 3 {
		t.Errorf("without a lag %d are found, want 3", n)
	}
}

// What is said in a session since a message is no hit, though it counts for others.
func TestSearchExcept(t *testing.T) {
	s := newMemStore()
	x := New(s, Options{})
	defer x.Close()
	keys := s.say("ann", Doc{Session: "a", Text: "the violin"}, Doc{Session: "b", Text: "violin strings"}, Doc{Session: "a", Text: "my violin"}, Doc{Session: "b", Text: "violins"})
	for _, c := range []struct {
		name   string
		except Except
		want   []Key
	}{
		{"nothing", Except{}, keys},
		{"a session from its second message on", Except{"a", keys[2]}, []Key{keys[0], keys[1], keys[3]}},
		{"a whole session", Except{"b", keys[1]}, []Key{keys[0], keys[2]}},
		{"a session that says nothing", Except{"c", keys[0]}, keys},
		{"a session since a message that is not there", Except{"a", 12345}, keys},
		{"a session without a message", Except{Session: "a"}, keys},
	} {
		r, err := x.Search(t.Context(), "ann", Query{Text: "violin", Except: c.except, Now: syntheticEpoch})
		var got []Key
		for _, h := range r.Hits {
			got = append(got, h.Key)
		}
		slices.Sort(got)
		if err != nil || !slices.Equal(got, c.want) || r.Total != 4 {
			t.Errorf("%s: %v of %d, %v, want %v", c.name, got, r.Total, err, c.want)
		}
	}
}

// What a search ends before is no hit, and its words are words that nobody used.
func TestSearchBefore(t *testing.T) {
	s := newMemStore()
	x := New(s, Options{})
	defer x.Close()
	keys := s.say("ann", Doc{Text: "The violin is at the luthier."}, Doc{Text: "My violin is old."})
	asked := s.say("ann", Doc{Text: "Where is my vioiln?"}, Doc{Text: "A violin, I mean."})[0]
	for _, c := range []struct {
		before Key
		want   int
	}{{0, 1}, {asked, 2}, {keys[1], 1}, {keys[0], 0}, {12345, 1}} {
		for _, order := range []Order{ByRelevance, Newest} {
			r, err := x.Search(t.Context(), "ann", Query{Text: "vioiln", Order: order, Before: c.before, Now: syntheticEpoch})
			if err != nil || r.Total != c.want {
				t.Errorf("%s before %d: %d found, %v, want %d", order, c.before, r.Total, err, c.want)
			}
			if slices.ContainsFunc(r.Hits, func(h Hit) bool { return c.before != 12345 && c.before != 0 && h.Key >= c.before }) {
				t.Errorf("%s before %d: %+v", order, c.before, r.Hits)
			}
		}
	}
	first, err := x.Search(t.Context(), "ann", Query{Text: "violin", Before: asked, Now: syntheticEpoch, Limit: 1})
	if err != nil || len(first.Hits) != 1 || first.Next == "" {
		t.Fatalf("the first page: %+v, %v", first, err)
	}
	later := s.say("ann", Doc{Text: "More about the violin?"})[0]
	next, err := x.Search(t.Context(), "ann", Query{Text: "violin", Before: later, Now: syntheticEpoch, Limit: 9, Cursor: first.Next})
	if err != nil || len(next.Hits) != 1 || next.Hits[0].Key == first.Hits[0].Key {
		t.Errorf("the next page, asked for later: %+v, %v", next, err)
	}
}
